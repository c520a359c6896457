//! The declarations of a program: what the run time must know besides its code.

use crate::controller::Step;
use crate::vocabulary::{Base, Causality, Initial, Source, Stage, Subject, Variability};
use kernels::history;
use kernels::newton::BlockKind;
use kernels::relations::RelationKind;
use kernels::rows::TableShape;
use std::ops::Range;

/// What the run time must know about a model.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Info {
    /// FMI model name, which is also the model identifier.
    pub name: &'static str,
    /// The `guid` of modelDescription.xml.
    pub guid: &'static str,
    /// Lengths of the vectors of [`Env`](crate::Env).
    pub sizes: Sizes,
    /// Real variables; the index is the value reference.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub reals: &'static [Variable],
    /// Integer and enumeration variables; their value references follow those of Real variables.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub integers: &'static [Variable],
    /// Boolean variables; their value references follow those of Integer variables.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub booleans: &'static [Variable],
    /// Initial values of `p`.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub parameters: &'static [f64],
    /// Start values of `u`.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub inputs: &'static [f64],
    /// Continuous states.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub states: &'static [State],
    /// Discrete variables.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub discretes: &'static [Discrete],
    /// Relations.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub relations: &'static [Relation],
    /// The stage after which the residuals of the relations can be computed.
    pub relation_stage: Stage,
    /// Whether the residuals of the state relations can be computed without the stages, from time,
    /// states, inputs and the values that last until the next event.
    pub indicators_apart: bool,
    /// The stage after which the unknowns of the deferred blocks can be computed: the nonlinear
    /// blocks that neither derivatives nor events need.
    pub deferred: Option<Stage>,
    /// The relations on which initial values depend and whose truth values before the first event
    /// matter: the modes with which initial values are determined.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub first_modes: &'static [u32],
    /// Nonlinear blocks.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub blocks: &'static [Block],
    /// The requirements on parameters and initial values.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub requirements: &'static [Requirement],
    /// What must hold during the simulation.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub assertions: &'static [Assertion],
    /// The stages whose computations can fail.
    pub fallible: Fallible,
    /// Tables of plain numbers.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub tables: &'static [Table],
    /// Delayed signals. In a file they follow the other declarations, if there are any.
    #[cfg_attr(feature = "file", serde(skip))]
    pub delays: &'static [Delay],
    /// Controllers that are compiled code, in the order of the data. They cannot be in a file.
    #[cfg_attr(feature = "file", serde(skip))]
    pub controllers: &'static [Controller],
    /// For each state the rows of `dx` that depend on it.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_lists"))]
    pub jacobian: &'static [&'static [u32]],
    /// The states whose columns of the Jacobian last until the next event, ascending: their values
    /// depend on parameters and modes only.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub lasting_columns: &'static [u32],
    /// Whether derivatives depend on time, other than through states and inputs.
    pub time_dependent: bool,
    /// The elements of `p` with the settings of the solver.
    pub solver: Option<SolverParameters>,
    /// `stopTime` of DefaultExperiment, in s.
    pub stop_time: f64,
    /// `tolerance` of DefaultExperiment: the relative tolerance that is used unless the importer or
    /// `solver.tolerance` sets another one.
    pub tolerance: f64,
}

impl Info {
    /// The variables of a base type, in the order of their value references.
    #[inline]
    pub const fn variables(&self, base: Base) -> &'static [Variable] {
        match base {
            Base::Real => self.reals,
            Base::Integer => self.integers,
            Base::Boolean => self.booleans,
        }
    }

    /// The value reference of the first variable of a base type. No two variables of different
    /// types share a reference, so that a call for the wrong type is a mistake that can be named.
    #[inline]
    pub const fn first_reference(&self, base: Base) -> u32 {
        match base {
            Base::Real => 0,
            Base::Integer => self.reals.len() as u32,
            Base::Boolean => (self.reals.len() + self.integers.len()) as u32,
        }
    }

    /// The variable of a base type with this value reference.
    #[inline]
    pub fn variable(&self, base: Base, reference: u32) -> Option<&'static Variable> {
        self.variables(base).get(reference.wrapping_sub(self.first_reference(base)) as usize)
    }

    /// The place of the history of a delay among the numbers of all histories.
    pub fn history(&self, delay: usize) -> Range<usize> {
        place_of_history(self.delays, delay)
    }

    /// The length of the numbers of all histories.
    pub fn histories(&self) -> usize {
        self.history(self.delays.len()).end
    }

    /// All variables with their base types and value references.
    pub fn all_variables(&self) -> impl Iterator<Item = (Base, u32, &'static Variable)> + use<> {
        let all = Base::ALL.map(|base| (base, self.first_reference(base), self.variables(base)));
        all.into_iter()
            .flat_map(|(base, first, list)| (first..).zip(list).map(move |(i, v)| (base, i, v)))
    }
}

/// The place of the history of one of some delays among the numbers of all histories.
pub fn place_of_history(delays: &[Delay], delay: usize) -> Range<usize> {
    let length = |delay: &Delay| history::length(delay.capacity);
    let start = delays.iter().take(delay).map(length).sum();
    start..start + delays.get(delay).map_or(0, length)
}

/// The last stages in which a computation can fail: a nonlinear block, or a table that is not
/// extrapolated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Fallible {
    /// The last such stage of values that the derivatives need.
    pub advance: Option<Stage>,
    /// The last such stage of values that are only read.
    pub report: Option<Stage>,
}

/// Lengths of the vectors of [`Env`](crate::Env).
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Sizes {
    /// Length of `c`.
    pub calculated: usize,
    /// Length of `z` and `anchor`.
    pub unknowns: usize,
    /// Length of `w`.
    pub work: usize,
    /// The approximate number of operations in one evaluation of the derivatives; 0 if it is not
    /// known.
    pub operations: usize,
}

/// A variable that the importer can access: one entry per value reference.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Variable {
    /// Its name (the first one, where several share the value reference).
    pub name: &'static str,
    /// FMI causality.
    pub causality: Causality,
    /// FMI variability.
    pub variability: Variability,
    /// FMI `initial`; `None` for inputs and the independent variable.
    pub initial: Option<Initial>,
    /// The source of its value.
    pub source: Source,
    /// The element of `p` that holds its start value, if setting the variable before the end of
    /// initialization sets its start value.
    pub start: Option<u32>,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// The description of a hand-written system's variable in modelDescription.xml, one line; the
    /// run time does not need it, and program files do not contain it.
    #[cfg_attr(feature = "file", serde(skip))]
    pub description: &'static str,
    /// Smallest value that may be set.
    pub min: f64,
    /// Largest value that may be set.
    pub max: f64,
}

/// A continuous state.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// Its name.
    pub name: &'static str,
    /// Its nominal value, positive.
    pub nominal: f64,
    /// Whether its derivative is another state ([`Stage::Position`]).
    pub position: bool,
}

impl State {
    /// Beyond this many nominal values an importer's integration has diverged. Powers up to the
    /// sixth of values within this range are finite.
    const RANGE: f64 = 1e50;

    /// Whether a value is within the state's range; NaN is not.
    #[inline]
    pub fn is_in_range(&self, value: f64) -> bool {
        value.abs() <= State::RANGE * self.nominal
    }
}

/// A discrete variable.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Discrete {
    /// Its name.
    pub name: &'static str,
    /// Its value before the first event iteration.
    pub start: f64,
    /// Names of its values, for the log; empty if they have none.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub labels: &'static [(i32, &'static str)],
}

/// A relation: a truth value that changes only at events.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Relation {
    /// Its name.
    pub name: &'static str,
    /// What changes it.
    #[cfg_attr(feature = "file", serde(with = "crate::encoding::RelationKindEncoding"))]
    pub kind: RelationKind,
    /// Its residual as an affine function of the states, if it is one in some modes.
    pub affine: Option<AffineResidual>,
}

/// The residual of a relation, between two events, as an affine function of the states.
///
/// The sources are constants, parameters, calculated values, discrete variables, relations, and
/// values of the stages up to [`Stage::Discrete`].
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct AffineResidual {
    /// Whether the residual is this function in the present mode.
    pub holds: Source,
    /// The states that it depends on, each with its coefficient.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub coefficients: &'static [(u32, Source)],
}

/// A requirement on parameters and initial values.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Requirement {
    /// The values that it constrains.
    pub subject: Subject,
    /// Name, unit (empty if it has none) and source of each variable that the message names.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub of: &'static [(&'static str, &'static str, Source)],
    /// The message that follows the variables and their values.
    pub sentence: &'static str,
}

/// A condition that must hold during the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Assertion {
    /// The message if it does not hold. In a warning, the name of a discrete variable in braces
    /// stands for its value after the event.
    pub sentence: &'static str,
    /// Whether it matters in every pass of an event iteration; otherwise only in the last one.
    pub in_passes: bool,
    /// Whether the simulation continues with a warning; otherwise it ends with an error.
    pub is_warning: bool,
}

/// A nonlinear block.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Block {
    /// Its name.
    pub name: &'static str,
    /// The kind of its equations.
    #[cfg_attr(feature = "file", serde(with = "crate::encoding::BlockKindEncoding"))]
    pub kind: BlockKind,
    /// Where its part of `z` begins. The part contains the solution, the sign of the Jacobian's
    /// determinant, and then data for the next solution: for a loop first this determinant, and at
    /// the end the tangent of its motion, or zeros if they are not known.
    pub offset: u32,
    /// The number of values of the solution: one for each unknown; for each angle of a loop in
    /// closed form, three.
    pub size: u32,
}

/// A table of plain numbers, which is constant during the life of an instance.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The requirements on its numbers.
    #[cfg_attr(feature = "file", serde(with = "crate::encoding::ShapeEncoding"))]
    pub shape: TableShape,
    /// The place of its numbers.
    pub data: Data,
}

/// The place of a table's numbers.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub enum Data {
    /// The numbers, row after row.
    Rows(
        #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
        &'static [f64],
    ),
    /// The name of a file of comma-separated values in the FMU's folder `resources`. It is read at
    /// instantiation, and may be replaced by another file of the same shape.
    File(&'static str),
}

/// A delayed signal, and the size of its history.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Delay {
    /// Its name.
    pub name: &'static str,
    /// The delay time in s, which is fixed by initialization.
    pub time: Source,
    /// The signal.
    pub signal: Source,
    /// The signal during initialization.
    pub start: Source,
    /// The largest number of records of its history.
    pub capacity: u32,
    /// Whether the author of the model chooses this number.
    pub is_chosen: bool,
    /// Whether the signal depends on inputs of the FMU that change between events.
    pub follows_inputs: bool,
}

/// A controller that is compiled code. Its outputs and then its data are discrete variables one
/// after the other.
#[derive(Clone, Copy, Debug)]
pub struct Controller {
    /// Its name.
    pub name: &'static str,
    /// Its step.
    pub step: Step,
    /// Whether it makes a step in the present pass of an event iteration.
    pub tick: Source,
    /// The number of this step.
    pub number: Source,
    /// Its inputs.
    pub inputs: &'static [Source],
    /// The first of its discrete variables.
    pub first: u32,
    /// The number of its outputs.
    pub outputs: u32,
    /// The number of its data.
    pub length: u32,
    /// Whether its inputs depend on outputs of the controllers before it at the same tick.
    pub follows: bool,
}

/// Elements of `p` that hold the settings of the Co-Simulation solver.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct SolverParameters {
    /// The method: 0 automatic, 1 Tsit5, 2 Rodas5P, 3 Rk4, 4 Euler, 5 Dop853.
    pub method: u32,
    /// The relative tolerance; if it is 0, that of the importer, or else of DefaultExperiment.
    pub tolerance: u32,
    /// The largest step in s; if it is 0, there is no limit.
    pub max_step: u32,
    /// The length of a step of a method with fixed steps in s; if it is 0, a step ends at the
    /// communication point.
    pub step: u32,
    /// With fixed steps, the largest number of passes of an event iteration, and of events that are
    /// located in a communication step.
    pub max_iterations: u32,
}

impl SolverParameters {
    /// The maximum of `max_iterations`, so that the work of a step with fixed steps has a useful
    /// bound.
    pub const MOST_ITERATIONS: u32 = 1000;
}
