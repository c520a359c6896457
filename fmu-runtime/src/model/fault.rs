//! The reasons for failures of a computation, and the messages about them.

use crate::integrate::Stop;
use crate::model::system::{BlockKind, Failure, FailureKind, Info};
use kernels::initial_modes::in_no_modes;
use kernels::limits::Number;
use kernels::newton::TableRange;
use std::fmt;

/// The reason for a failure of a computation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// A nonlinear block has no solution, or an argument is outside a table.
    Block(Failure),
    /// The same, after the importer has changed a state by a large distance since the last
    /// completed step.
    TooFar { failure: Failure, state: usize, distance: f64 },
    /// Parameters or initial values violate this requirement.
    Unmet(usize),
    /// This assertion does not hold.
    Asserted(usize),
    /// A value is not a finite number.
    NotFinite(NonFiniteValue),
    /// The value of an Integer variable is not one of FMI's Integers.
    NoInteger(&'static str, f64),
    /// The importer has set this state to a value with which nothing can be evaluated.
    OutOfRange(usize, f64),
    /// No consistent relations were found in an event iteration: those that keep changing.
    RelationsOscillate(Several),
    /// The event iteration does not converge: the first discrete variable or state that keeps
    /// changing.
    EventsOscillate(Changing),
    /// No modes were found that agree with the initial values: the first relation or discrete
    /// variable that keeps changing.
    StartOscillates(InitialDependency),
    /// The equations of initial values have no solution in any of the modes that were tried.
    NoModes(Failure),
    /// Events follow one another without progress: the relation that changed last.
    Zeno(Option<usize>),
    /// A relation keeps switching although no state is reinitialised.
    Chattering(usize),
    /// The tolerance requires steps smaller than the resolution of time.
    StepTooSmall,
    /// The same because of this state, which may grow without bound in finite time.
    TooFast(ChangingState),
    /// A communication step takes more than this number of internal steps; the second value is the
    /// state that changes fastest.
    TooManySteps(u32, Option<ChangingState>),
    /// The history of a delay has no room for another record within its delay time in s.
    HistoryFull { delay: usize, time: f64 },
    /// The code of a controller has failed at a tick.
    Controller(ControllerFault),
}

/// A failure of the code of a controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ControllerFault {
    /// The number of the controller.
    pub controller: usize,
    /// The number of the tick.
    pub tick: f64,
    /// The instant of the tick in s.
    pub time: f64,
    /// An output that is not a finite number, and its value; without one, the code panicked.
    pub output: Option<(usize, f64)>,
}

/// Relations or discrete variables, all of which have a number, and some of which are named.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Several {
    /// How many there are.
    count: usize,
    /// The first of them.
    first: [usize; NAMED],
}

/// How many of them a message names.
const NAMED: usize = 8;

impl Several {
    /// Those with these numbers.
    pub fn new(numbers: impl Iterator<Item = usize>) -> Several {
        let mut all = Several { count: 0, first: [0; NAMED] };
        for number in numbers {
            if let Some(place) = all.first.get_mut(all.count) {
                *place = number;
            }
            all.count += 1;
        }
        all
    }

    /// The same, or another one if there are none.
    pub fn or(self, number: usize) -> Several {
        if self.count > 0 { self } else { Several::new(std::iter::once(number)) }
    }
}

/// A state with its rate of change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChangingState {
    /// Its number.
    pub state: usize,
    /// Its value.
    pub value: f64,
    /// Its derivative.
    pub derivative: f64,
}

/// A value that is not a finite number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NonFiniteValue {
    /// The derivative of a state, and its value.
    Derivative(usize, f64),
    /// A state.
    State(usize),
    /// The residual of a relation, and discrete variables that are no numbers either.
    Relation(usize, Several),
    /// The signal of a delay, and its value.
    Signal(usize, f64),
    /// A variable, and its value.
    Variable(&'static str, f64),
    /// A derivative of a variable.
    VariableDerivative(&'static str),
    /// The second derivative of a state with respect to time.
    SecondDerivative(usize),
    /// The second derivative of a variable with respect to time.
    VariableSecondDerivative(&'static str),
    /// Derivatives or indicators during integration.
    Integration,
}

/// A quantity on which initial values depend besides parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum InitialDependency {
    /// A discrete variable.
    Discrete(usize),
    /// A relation.
    Relation(usize),
}

/// A quantity that keeps changing in an event iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Changing {
    /// A discrete variable.
    Discrete(usize),
    /// A state.
    State(usize),
    /// A delayed signal.
    Delay(usize),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Fault {
        Fault::Block(failure)
    }
}

impl From<Stop> for Fault {
    fn from(stop: Stop) -> Fault {
        match stop {
            Stop::Block(failure) => Fault::Block(failure),
            Stop::NotFinite => Fault::NotFinite(NonFiniteValue::Integration),
            Stop::StepTooSmall => Fault::StepTooSmall,
        }
    }
}

impl Fault {
    /// What the stop time, where the importer has stated it, or the start time has to do with the
    /// fault: the end of the message.
    pub fn in_time(self, stop_time: f64) -> impl fmt::Display {
        InTime { fault: self, stop_time }
    }

    /// Whether a kinematic loop could not be closed.
    pub fn is_of_loop(self, info: &Info) -> bool {
        match self {
            Fault::Block(failure) | Fault::NoModes(failure) => {
                block(failure, info).1 != BlockKind::Equations
            }
            _ => false,
        }
    }

    /// The message about the fault, with the names in a model.
    pub fn describe(self, info: &'static Info) -> impl fmt::Display {
        Sentence { fault: self, info }
    }
}

/// The name and the kind of the block that could not be solved, or the name of the table.
fn block(failure: Failure, info: &Info) -> (&'static str, BlockKind) {
    let index = failure.block as usize;
    match failure.kind {
        FailureKind::OutsideTable(_) => {
            let table = info.tables.get(index);
            (table.map_or("?", |table| table.name), BlockKind::Equations)
        }
        _ => {
            let block = info.blocks.get(index);
            block.map_or(("?", BlockKind::Equations), |b| (b.name, b.kind))
        }
    }
}

/// What leads to a value that is not finite.
fn cause(value: f64) -> &'static str {
    match value.is_nan() {
        true => "its value is NaN, as that of 0/0 or of the root of a negative number",
        false => "its value is infinite, as after a division by zero",
    }
}

struct InTime {
    fault: Fault,
    stop_time: f64,
}

impl fmt::Display for InTime {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Fault::Block(Failure { kind: FailureKind::OutsideTable(range), residual, .. }) =
            self.fault
        else {
            return Ok(());
        };
        match range {
            TableRange { of_time: false, .. } => Ok(()),
            TableRange { first, .. } if residual < first => {
                write!(
                    f,
                    ": its argument equals the time, so the simulation must not start before {first} s"
                )
            }
            TableRange { last, .. } if self.stop_time.is_finite() && self.stop_time > last => {
                let stop = self.stop_time;
                write!(
                    f,
                    ": its argument equals the time, and the stop time {stop} s is after {last} s"
                )
            }
            TableRange { last, .. } => {
                write!(f, ": its argument equals the time, so the simulation must stop at {last} s")
            }
        }
    }
}

struct Sentence {
    fault: Fault,
    info: &'static Info,
}

impl Sentence {
    fn state(&self, i: usize) -> &'static str {
        self.info.states.get(i).map_or("?", |state| state.name)
    }

    fn relation(&self, i: usize) -> &'static str {
        self.info.relations.get(i).map_or("?", |relation| relation.name)
    }

    /// Names in a row: `d1.off, d2.off and d3.off`.
    fn names(
        &self,
        several: Several,
        name: impl Fn(usize) -> &'static str,
        f: &mut fmt::Formatter,
    ) -> fmt::Result {
        let Several { count, first } = several;
        let named = count.min(NAMED);
        for (k, &i) in first[..named].iter().enumerate() {
            let before = match k {
                0 => "",
                k if k + 1 == count => " and ",
                _ => ", ",
            };
            write!(f, "{before}{}", name(i))?;
        }
        match count - named {
            0 => Ok(()),
            1 => f.write_str(" and another one"),
            others => write!(f, " and {others} others"),
        }
    }

    fn discrete(&self, i: usize) -> &'static str {
        self.info.discretes.get(i).map_or("?", |discrete| discrete.name)
    }

    fn delay(&self, i: usize) -> &'static str {
        self.info.delays.get(i).map_or("?", |delay| delay.name)
    }

    /// The name of what keeps changing in an event iteration.
    fn changing(&self, changing: Changing) -> &'static str {
        match changing {
            Changing::Discrete(i) => self.discrete(i),
            Changing::State(i) => self.state(i),
            Changing::Delay(i) => self.delay(i),
        }
    }

    /// The name of the mode on which initial values depend.
    fn mode(&self, mode: InitialDependency) -> &'static str {
        match mode {
            InitialDependency::Discrete(i) => self.discrete(i),
            InitialDependency::Relation(i) => self.relation(i),
        }
    }

    fn history_full(&self, delay: usize, time: f64, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(delay) = self.info.delays.get(delay) else { return Ok(()) };
        let (name, most) = (delay.name, delay.capacity);
        write!(f, "{name} needs more than {most} points of its input within {time} s")?;
        f.write_str(match delay.is_chosen {
            true => "; raise `capacity`",
            false => {
                ", the most that a delay of this length keeps; shorten it, or let the solver take \
                 longer steps"
            }
        })
    }

    fn controller(&self, fault: ControllerFault, f: &mut fmt::Formatter) -> fmt::Result {
        let ControllerFault { controller, tick, time, output } = fault;
        let name = self.info.controllers.get(controller).map_or("?", |of| of.name);
        write!(f, "controller {name} ")?;
        match output {
            None => f.write_str("panicked")?,
            Some((i, value)) => write!(f, "returned y[{}] = {value}", i + 1)?,
        }
        write!(f, " at tick {tick} (t = {} s)", Number(Number::computed(time)))
    }

    fn not_finite(&self, quantity: NonFiniteValue, f: &mut fmt::Formatter) -> fmt::Result {
        match quantity {
            NonFiniteValue::Derivative(i, value) => {
                let (name, cause) = (self.state(i), cause(value));
                write!(f, "the derivative of {name} is not a finite number: {cause}")
            }
            NonFiniteValue::State(i) => write!(f, "{} is not a finite number", self.state(i)),
            NonFiniteValue::Relation(i, others) => {
                write!(f, "the residual of {} is not a number", self.relation(i))?;
                if others.count > 0 {
                    f.write_str("; no number either: ")?;
                    self.names(others, |i| self.discrete(i), f)?;
                }
                Ok(())
            }
            NonFiniteValue::Signal(i, value) => {
                let (name, cause) = (self.delay(i), cause(value));
                write!(f, "the signal that {name} delays is not a finite number: {cause}")
            }
            NonFiniteValue::Variable(name, value) => {
                write!(f, "{name} is not a finite number: {}", cause(value))
            }
            NonFiniteValue::VariableDerivative(name) => {
                write!(f, "a derivative of {name} is not a finite number")
            }
            NonFiniteValue::SecondDerivative(i) => {
                write!(f, "the second derivative of {} is not a finite number", self.state(i))
            }
            NonFiniteValue::VariableSecondDerivative(name) => {
                write!(f, "the second derivative of {name} is not defined here: ")?;
                f.write_str("close to this instant, the first one jumps or cannot be computed")
            }
            NonFiniteValue::Integration => {
                write!(f, "a derivative or an event indicator is not a finite number")
            }
        }
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let info = self.info;
        let (state, relation) = (|i| self.state(i), |i| self.relation(i));
        match self.fault {
            Fault::Block(failure) => {
                let (name, kind) = block(failure, info);
                write!(f, "{name}: {}", kind.describe(failure.kind, failure.residual))
            }
            Fault::TooFar { failure, state: i, distance } => {
                let (name, _) = block(failure, info);
                let moved = format_args!("{} changed by {distance:.1e} in one step", state(i));
                write!(f, "{name} cannot be solved: {moved}")
            }
            Fault::Unmet(i) => f.write_str(info.requirements.get(i).map_or("?", |r| r.sentence)),
            Fault::Asserted(i) => f.write_str(info.assertions.get(i).map_or("?", |a| a.sentence)),
            Fault::NotFinite(quantity) => self.not_finite(quantity, f),
            Fault::NoInteger(name, value) => {
                let (least, most) = (i32::MIN, i32::MAX);
                write!(f, "{name} = {value} is not among the Integers of FMI, {least} to {most}")
            }
            Fault::OutOfRange(i, value) => {
                write!(f, "{} = {value:.1e} is out of range: the integration diverges", state(i))
            }
            Fault::RelationsOscillate(relations) => {
                write!(f, "no states of ")?;
                self.names(relations, relation, f)?;
                write!(f, " agree with the equations")
            }
            Fault::EventsOscillate(changing) => {
                let name = self.changing(changing);
                write!(f, "the event iteration does not end: {name} keeps changing")
            }
            Fault::StartOscillates(mode) => {
                let name = self.mode(mode);
                write!(f, "no modes were found that agree with the initial conditions: ")?;
                write!(f, "{name} keeps changing")
            }
            Fault::NoModes(failure) => {
                let (name, kind) = block(failure, info);
                let what = kind.describe(failure.kind, failure.residual);
                let modes = info.first_modes.iter().map(|&i| relation(i as usize));
                write!(f, "{name}: {what}; {}", in_no_modes(modes))
            }
            Fault::Zeno(i) => {
                write!(f, "events follow one another without progress")?;
                i.map_or(Ok(()), |i| write!(f, ": {}", relation(i)))
            }
            Fault::Chattering(i) => {
                write!(f, "chattering: relation {} keeps switching; add hysteresis", relation(i))
            }
            Fault::StepTooSmall => {
                let wanted = "the tolerance or the largest step size allowed";
                write!(f, "{wanted} requires steps smaller than the resolution of time")
            }
            Fault::TooFast(ChangingState { state: i, value, derivative }) => {
                let name = state(i);
                write!(f, "{name} changes too fast: it has reached {value:.1e} and changes by ")?;
                write!(f, "{derivative:.1e} per s")
            }
            Fault::HistoryFull { delay, time } => self.history_full(delay, time, f),
            Fault::Controller(fault) => self.controller(fault, f),
            Fault::TooManySteps(most, fastest) => {
                write!(f, "the step needs more than {most} internal steps")?;
                fastest.map_or(Ok(()), |ChangingState { state: i, value, derivative }| {
                    let name = state(i);
                    write!(f, "; {name} = {value:.1e} changes fastest, by {derivative:.1e} per s")
                })
            }
        }
    }
}
