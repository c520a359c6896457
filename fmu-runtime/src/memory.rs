//! Everything of an instance that changes, as plain data: blocks of numbers.
//!
//! A stored FMU state is a copy of this, a serialised one its words.

use crate::calls::State;
use crate::capabilities::MAX_INPUT_ORDER;
use crate::system::{Info, Stage};

/// A value that a word of plain state can hold.
trait Word: Sized {
    fn to_word(self) -> f64;
    fn from_word(word: f64) -> Option<Self>;
}

impl Word for f64 {
    fn to_word(self) -> f64 {
        self
    }
    fn from_word(word: f64) -> Option<f64> {
        Some(word)
    }
}

impl Word for bool {
    fn to_word(self) -> f64 {
        f64::from(u8::from(self))
    }
    fn from_word(word: f64) -> Option<bool> {
        (word == 0.0 || word == 1.0).then_some(word == 1.0)
    }
}

impl Word for u32 {
    fn to_word(self) -> f64 {
        f64::from(self)
    }
    fn from_word(word: f64) -> Option<u32> {
        (word >= 0.0 && word <= f64::from(u32::MAX) && word.fract() == 0.0).then_some(word as u32)
    }
}

impl Word for State {
    fn to_word(self) -> f64 {
        f64::from(self as u8)
    }
    fn from_word(word: f64) -> Option<State> {
        State::ALL.into_iter().find(|state| state.to_word() == word)
    }
}

macro_rules! scalars {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $start:expr,)*) => {
        /// The scalars among the plain data.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) struct Now {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Now {
            /// The number of words of the serialised form.
            pub const WORDS: usize = [$(stringify!($name)),*].len();

            const START: Now = Now { $($name: $start,)* };

            /// The words, in the order of the fields.
            pub fn words(&self) -> [f64; Now::WORDS] {
                [$(self.$name.to_word()),*]
            }

            /// The scalars in these words, unless one of them is not a value of its type.
            pub fn from_words(words: &[f64; Now::WORDS]) -> Option<Now> {
                let mut words = words.iter();
                let now = Now { $($name: Word::from_word(*words.next()?)?,)* };
                let stages = Stage::ALL.len() as u32;
                let consistent = now.reported <= now.climbed
                    && now.climbed <= stages
                    && now.input_order <= MAX_INPUT_ORDER as u32;
                consistent.then_some(now)
            }
        }
    };
}

scalars! {
    /// The state of the call order.
    state: State = State::Instantiated,
    /// Time in s.
    t: f64 = 0.0,
    /// The number of stages whose values are up to date.
    climbed: u32 = 0,
    /// The number of stages whose reported values are up to date; at most `climbed`.
    reported: u32 = 0,
    /// True while initial values are being determined.
    initial: bool = false,
    /// Initial values or relations must be determined before a value is read.
    stale: bool = false,
    /// The present event has still to be iterated: it has just begun, or something was set since.
    pending: bool = false,

    /// Whether `fmi2SetupExperiment` was called.
    experiment: bool = false,
    start_time: f64 = 0.0,
    /// Infinite if not defined.
    stop_time: f64 = f64::INFINITY,
    /// The importer's tolerance; 0 if not defined.
    tolerance: f64 = 0.0,

    /// Something could not be solved since the integrator's last step began.
    troubled: bool = false,

    /// The time of the anchor.
    anchor_t: f64 = 0.0,

    /// The time at which inputs have their base value; their slopes hold from there.
    input_t: f64 = 0.0,
    /// The highest order of a slope in use; 0 while inputs hold.
    input_order: u32 = 0,
    /// Slopes were set since the last step.
    slopes_set: bool = false,
    /// An input was set to another value: an event at the beginning of the next step.
    inputs_touched: bool = false,
    /// A parameter was set to another value: an event at the beginning of the next step.
    parameters_touched: bool = false,
    /// The integrator has begun at the present communication point or before it.
    moving: bool = false,
    /// The end of the integrator's last step is an event.
    event_ahead: bool = false,
    /// The next time event; infinite if there is none.
    next_event: f64 = f64::INFINITY,
    /// The number of time events that Co-Simulation has met.
    time_events: u32 = 0,
    /// Whether a state jumped at the last event of a step.
    jumped: bool = false,
    /// The time of the last event.
    last_event: f64 = f64::NEG_INFINITY,
    /// The number of events that followed one another without progress.
    crowded: u32 = 0,
    /// The model asked to end the simulation.
    terminated: bool = false,
    /// The answer of the last step.
    step_status: u32 = 0,
}

/// Where a vector lies in the block.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Place {
    start: usize,
    length: usize,
}

macro_rules! sections {
    ($($(#[$doc:meta])* $name:ident $name_mut:ident,)*) => {
        /// Where each vector lies in the block.
        #[derive(Clone, Debug, PartialEq, Default)]
        struct Layout {
            $($name: Place,)*
        }

        /// All vectors of the block at once.
        pub(crate) struct Sections<'a> {
            $($(#[$doc])* pub $name: &'a mut [f64],)*
        }

        #[allow(dead_code, reason = "not every section is both read and written")]
        impl Memory {
            $($(#[$doc])*
            #[inline]
            pub fn $name(&self) -> &[f64] {
                &self.words[self.layout.$name.start..][..self.layout.$name.length]
            }
            $(#[$doc])*
            #[inline]
            pub fn $name_mut(&mut self) -> &mut [f64] {
                &mut self.words[self.layout.$name.start..][..self.layout.$name.length]
            })*

            /// All vectors, the relations and the scalars, to be used together.
            #[inline(always)]
            pub fn split(&mut self) -> (Sections<'_>, &mut [bool], &mut Now) {
                let rest = &mut self.words[..];
                $(let ($name, rest) = rest.split_at_mut(self.layout.$name.length);)*
                let _ = rest;
                (Sections { $($name,)* }, &mut self.relations, &mut self.now)
            }
        }
    };
}

sections! {
    /// Parameters and start values.
    p p_mut,
    /// Values fixed by initialization.
    c c_mut,
    /// Discrete variables.
    m m_mut,
    /// Continuous states.
    x x_mut,
    /// Inputs in effect.
    u u_mut,
    /// Unknowns of the nonlinear blocks at the last accepted point.
    anchor anchor_mut,
    /// States at the last accepted point.
    anchor_x anchor_x_mut,
    /// Unknowns of the nonlinear blocks.
    z z_mut,
    /// Computed values.
    w w_mut,
    /// Derivatives of the states.
    dx dx_mut,
    /// Parameters as last set; between communication steps in effect from the next step on.
    p_set p_set_mut,
    /// Inputs as last set; in effect from the next step on.
    u_set u_set_mut,
    /// Time derivatives of the inputs, order after order.
    slopes slopes_mut,
}

/// The plain data of an instance.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    /// The scalars.
    pub now: Now,
    layout: Layout,
    words: Box<[f64]>,
    /// Relations in effect.
    pub relations: Box<[bool]>,
    /// Relations at the end of the last event iteration.
    pub frozen: Box<[bool]>,
    /// The integrator's state; taken out while it integrates.
    pub history: Box<[f64]>,
}

impl Memory {
    /// The memory of a new instance.
    pub fn new(info: &Info, history: usize) -> Memory {
        let mut end = 0;
        let mut section = |length: usize| {
            let start = end;
            end += length;
            Place { start, length }
        };
        let (nx, nu) = (info.states.len(), info.inputs.len());
        let layout = Layout {
            p: section(info.parameters.len()),
            c: section(info.sizes.calculated),
            m: section(info.discretes.len()),
            x: section(nx),
            u: section(nu),
            anchor: section(info.sizes.unknowns),
            anchor_x: section(nx),
            z: section(info.sizes.unknowns),
            w: section(info.sizes.work),
            dx: section(nx),
            p_set: section(info.parameters.len()),
            u_set: section(nu),
            slopes: section(nu * MAX_INPUT_ORDER),
        };
        let relations = vec![false; info.relations.len()].into_boxed_slice();
        let mut memory = Memory {
            now: Now::START,
            layout,
            words: vec![0.0; end].into_boxed_slice(),
            frozen: relations.clone(),
            relations,
            history: vec![0.0; history].into_boxed_slice(),
        };
        memory.reset(info);
        memory
    }

    /// Back to the content of a new instance.
    pub fn reset(&mut self, info: &Info) {
        self.now = Now::START;
        self.words.fill(0.0);
        self.relations.fill(false);
        self.frozen.fill(false);
        self.history.fill(0.0);
        self.p_mut().copy_from_slice(info.parameters);
        self.p_set_mut().copy_from_slice(info.parameters);
        self.u_mut().copy_from_slice(info.inputs);
        self.u_set_mut().copy_from_slice(info.inputs);
        for (m, discrete) in self.m_mut().iter_mut().zip(info.discretes) {
            *m = discrete.start;
        }
    }

    /// Whether another memory has the same vectors.
    pub fn is_like(&self, other: &Memory) -> bool {
        self.layout == other.layout
            && self.relations.len() == other.relations.len()
            && self.history.len() == other.history.len()
    }

    /// Takes over the content of another memory of the same model, without allocation.
    pub fn copy_from(&mut self, other: &Memory) {
        self.now = other.now;
        self.words.copy_from_slice(&other.words);
        self.relations.copy_from_slice(&other.relations);
        self.frozen.copy_from_slice(&other.frozen);
        self.history.copy_from_slice(&other.history);
    }

    /// Vectors, integrator state and relations as one sequence of words; their number is fixed for
    /// a model.
    pub fn words(&self) -> impl Iterator<Item = f64> + '_ {
        let relations = self.relations.iter().chain(&*self.frozen);
        self.words.iter().chain(&*self.history).copied().chain(relations.map(|&r| r.to_word()))
    }

    /// The number of items of [`words`](Memory::words).
    pub fn length(&self) -> usize {
        self.words.len() + self.history.len() + 2 * self.relations.len()
    }

    /// The inverse of [`words`](Memory::words); false if a word is not a value of its type.
    pub fn fill(&mut self, words: impl Iterator<Item = f64>) -> bool {
        let mut words = words;
        let numbers = self.words.iter_mut().chain(&mut *self.history);
        for (target, word) in numbers.zip(&mut words) {
            *target = word;
        }
        let relations = self.relations.iter_mut().chain(&mut *self.frozen);
        relations.zip(words).all(|(target, word)| match bool::from_word(word) {
            Some(value) => {
                *target = value;
                true
            }
            None => false,
        })
    }

    /// Declares the values of a stage and of all later ones out of date.
    #[inline]
    pub fn lower(&mut self, stage: Stage) {
        // Where nothing is climbed nothing is reported: most calls have nothing to do.
        if self.now.climbed > stage as u32 {
            self.now.climbed = stage as u32;
            self.now.reported = self.now.reported.min(stage as u32);
        }
    }

    /// The integrator's state and, to be filled from it, the continuous states.
    #[inline]
    pub fn history_and_states(&mut self) -> (&[f64], &mut [f64]) {
        let place = self.layout.x;
        (&self.history, &mut self.words[place.start..][..place.length])
    }

    /// Sets time.
    #[inline]
    pub fn set_time(&mut self, t: f64) {
        if t.to_bits() != self.now.t.to_bits() {
            self.now.t = t;
            self.lower(Stage::Time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_survive_the_way_through_words() {
        let mut now = Now::START;
        now.state = State::StepFailed;
        now.t = -0.0;
        now.crowded = 17;
        now.inputs_touched = true;
        let back = Now::from_words(&now.words()).unwrap();
        assert_eq!(back, now);
        assert_eq!(back.t.to_bits(), now.t.to_bits());
    }

    #[test]
    fn words_that_are_no_values_are_refused() {
        for (index, bad) in
            [(0, 12.0), (0, 0.5), (2, -1.0), (4, 2.0), (5, f64::NAN), (2, 7.0), (3, 1.0)]
        {
            let mut words = Now::START.words();
            words[index] = bad;
            assert!(Now::from_words(&words).is_none(), "word {index} = {bad}");
        }
    }
}
