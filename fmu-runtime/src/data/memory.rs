//! The memory of the equations of an instance as plain data: blocks of numbers.

use crate::fmi::capabilities::MAX_INPUT_ORDER;
use crate::model::system::{Delay, Info, Stage};
use crate::plain_data::plain_data;
use kernels::history::{History, HistoryMut};
use program::place_of_history;
use std::ops::Range;

plain_data! {
    /// The scalars besides the vectors.
    pub(crate) struct Scalars {
        /// Time in s.
        t: f64 = 0.0,
        /// The number of stages whose values are up to date.
        realized: u32 = 0,
        /// The number of stages whose reported values are up to date; at most `realized`.
        reported: u32 = 0,
        /// True while initial values are being determined.
        initial: bool = false,
        /// Whether an evaluation has failed since the integrator's last step began.
        failed: bool = false,
        /// The number of iterations of Newton's method since the start.
        iterations: u64 = 0,
        /// The time of the anchor.
        anchor_t: f64 = 0.0,
        /// The time from which inputs are extrapolated with their derivatives.
        input_t: f64 = 0.0,
        /// The highest order of an input derivative in use; 0 while inputs are constant.
        input_order: u32 = 0,
    }
}

impl Scalars {
    /// Whether the numbers of stages and the order of input derivatives are possible.
    pub fn is_consistent(&self) -> bool {
        self.reported <= self.realized
            && self.realized <= Stage::ALL.len() as u32
            && self.input_order <= MAX_INPUT_ORDER as u32
    }
}

/// The part of the block that a vector takes.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Extent {
    start: usize,
    length: usize,
}

macro_rules! sections {
    ($($(#[$doc:meta])* $name:ident $name_mut:ident,)*) => {
        /// The part of the block that each vector takes.
        #[derive(Clone, Debug, PartialEq, Default)]
        struct MemoryLayout {
            $($name: Extent,)*
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
                &self.vectors[self.layout.$name.start..][..self.layout.$name.length]
            }
            $(#[$doc])*
            #[inline]
            pub fn $name_mut(&mut self) -> &mut [f64] {
                &mut self.vectors[self.layout.$name.start..][..self.layout.$name.length]
            })*

            /// All vectors, the relations and the scalars, to be used together.
            #[inline(always)]
            pub fn split(&mut self) -> (Sections<'_>, &mut [bool], &mut Scalars) {
                let rest = &mut self.vectors[..];
                $(let ($name, rest) = rest.split_at_mut(self.layout.$name.length);)*
                let _ = rest;
                (Sections { $($name,)* }, &mut self.relations, &mut self.scalars)
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
    /// Parameters as last set; if set between communication steps, they take effect in the next
    /// step, and in the first Event Mode, when the event begins.
    p_set p_set_mut,
    /// Inputs as last set; they take effect as parameters do.
    u_set u_set_mut,
    /// Time derivatives of the inputs, order after order.
    input_derivatives input_derivatives_mut,
    /// The histories of the delays.
    histories histories_mut,
}

/// Everything that an evaluation of the equations reads and writes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    /// The scalars.
    pub scalars: Scalars,
    layout: MemoryLayout,
    /// The delays, whose histories have places in a section.
    delays: &'static [Delay],
    vectors: Box<[f64]>,
    /// Relations in effect.
    pub relations: Box<[bool]>,
    /// Relations at the end of the last event iteration.
    pub frozen: Box<[bool]>,
}

impl Memory {
    /// The memory of a new instance.
    pub fn new(info: &Info) -> Memory {
        let mut end = 0;
        let mut section = |length: usize| {
            let start = end;
            end += length;
            Extent { start, length }
        };
        let (nx, nu) = (info.states.len(), info.inputs.len());
        let layout = MemoryLayout {
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
            input_derivatives: section(nu * MAX_INPUT_ORDER),
            histories: section(info.histories()),
        };
        let relations = vec![false; info.relations.len()].into_boxed_slice();
        let mut memory = Memory {
            scalars: Scalars::START,
            layout,
            delays: info.delays,
            vectors: vec![0.0; end].into_boxed_slice(),
            frozen: relations.clone(),
            relations,
        };
        memory.reset(info);
        memory
    }

    /// Restores the content of a new instance.
    pub fn reset(&mut self, info: &Info) {
        self.scalars = Scalars::START;
        self.vectors.fill(0.0);
        self.relations.fill(false);
        self.frozen.fill(false);
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
        self.layout == other.layout && self.relations.len() == other.relations.len()
    }

    /// Copies the content of another memory of the same model, without allocation.
    pub fn copy_from(&mut self, other: &Memory) {
        self.scalars = other.scalars;
        self.vectors.copy_from_slice(&other.vectors);
        self.relations.copy_from_slice(&other.relations);
        self.frozen.copy_from_slice(&other.frozen);
    }

    /// All vectors, one after the other.
    pub fn vectors(&self) -> &[f64] {
        &self.vectors
    }

    /// The numbers that last until the next event: parameters, values fixed by initialization and
    /// discrete variables. They are the first sections, up to `m`.
    pub fn lasting(&self) -> &[f64] {
        let last = self.layout.m;
        &self.vectors[..last.start + last.length]
    }

    /// All numbers that belong to the present point, evaluated or given: the sections from `x` to
    /// `dx`.
    pub fn of_point(&self) -> &[f64] {
        &self.vectors[self.place_of_point()]
    }

    /// [`Memory::of_point`], mutable.
    pub fn of_point_mut(&mut self) -> &mut [f64] {
        let place = self.place_of_point();
        &mut self.vectors[place]
    }

    fn place_of_point(&self) -> Range<usize> {
        let last = self.layout.dx;
        self.layout.x.start..last.start + last.length
    }

    /// [`Memory::vectors`], mutable.
    pub fn vectors_mut(&mut self) -> &mut [f64] {
        &mut self.vectors
    }

    /// Relations in effect, then those at the end of the last event iteration.
    pub fn all_relations(&self) -> impl Iterator<Item = &bool> {
        self.relations.iter().chain(&*self.frozen)
    }

    /// [`Memory::all_relations`], mutable.
    pub fn all_relations_mut(&mut self) -> impl Iterator<Item = &mut bool> {
        self.relations.iter_mut().chain(&mut *self.frozen)
    }

    /// The history of a delay.
    pub fn history(&self, delay: usize) -> History<'_> {
        History(&self.histories()[place_of_history(self.delays, delay)])
    }

    /// The history of a delay, to be written.
    pub fn history_mut(&mut self, delay: usize) -> HistoryMut<'_> {
        let place = place_of_history(self.delays, delay);
        HistoryMut(&mut self.histories_mut()[place])
    }

    /// Whether the histories are possible ones.
    pub fn histories_are_consistent(&self) -> bool {
        (0..self.delays.len()).all(|delay| self.history(delay).is_consistent())
    }

    /// Time in s.
    #[inline]
    pub fn time(&self) -> f64 {
        self.scalars.t
    }

    /// Invalidates the values of a stage and of all later ones.
    #[inline]
    pub fn invalidate(&mut self, stage: Stage) {
        // If the stage is not realized, its values are not reported either: most calls have nothing
        // to do.
        if self.scalars.realized > stage as u32 {
            self.scalars.realized = stage as u32;
            self.scalars.reported = self.scalars.reported.min(stage as u32);
        }
    }

    /// Lets parameters take effect as they were last set.
    pub fn take_parameters(&mut self) {
        let (sections, ..) = self.split();
        sections.p.copy_from_slice(sections.p_set);
        self.invalidate(Stage::Parameter);
    }

    /// Lets inputs take effect as they were last set.
    pub fn take_inputs(&mut self) {
        let (sections, ..) = self.split();
        sections.u.copy_from_slice(sections.u_set);
        self.invalidate(Stage::Dynamics);
    }

    /// Sets time.
    #[inline]
    pub fn set_time(&mut self, t: f64) {
        if t.to_bits() != self.scalars.t.to_bits() {
            self.scalars.t = t;
            self.invalidate(Stage::Time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_survive_the_conversion_to_words_and_back() {
        let scalars = Scalars { t: -0.0, realized: 3, reported: 2, ..Scalars::START };
        let back = Scalars::from_words(&scalars.words()).unwrap();
        assert_eq!(back, scalars);
        assert_eq!(back.t.to_bits(), scalars.t.to_bits());
    }

    #[test]
    fn words_that_are_no_values_are_refused() {
        for (index, bad) in
            [(1, -1.0), (1, 7.0), (2, 1.0), (3, 2.0), (4, f64::NAN), (5, 0.5), (8, 6.0)]
        {
            let mut words = Scalars::START.words();
            words[index] = bad;
            let read = Scalars::from_words(&words).filter(Scalars::is_consistent);
            assert!(read.is_none(), "word {index} = {bad}");
        }
    }
}
