//! The boundary to a model: one trait, [`System`], implemented by emitted code or by a person.

use kernels::Scalar;
pub use kernels::newton::{BlockKind, Failure, FailureKind};
use kernels::rows::{Rows, Shape};
pub use kernels::settle::RelationKind;

/// Steps of one evaluation, in the order in which they are climbed.
///
/// What a stage computes depends on the quantities named here and on everything above them in this
/// list; changing a quantity invalidates its stage and the later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Stage {
    /// Parameters, start values, and values fixed by initialization.
    Parameter,
    /// Discrete variables and relations.
    Discrete,
    /// Time.
    Time,
    /// Position-like states: those whose derivative is itself a state. Loops are closed here.
    Position,
    /// All other states.
    Velocity,
    /// Inputs; ends with the state derivatives.
    Dynamics,
}

impl Stage {
    /// All stages in climbing order.
    pub const ALL: [Stage; 6] = [
        Stage::Parameter,
        Stage::Discrete,
        Stage::Time,
        Stage::Position,
        Stage::Velocity,
        Stage::Dynamics,
    ];
}

/// Everything the equations read and write during one evaluation.
///
/// Slices have the lengths of [`Sizes`]. Only [`System::initial`] writes `x` and `c`.
pub struct Env<'a, S: Scalar> {
    /// Time in s.
    pub t: S,
    /// True while initial values are being determined.
    pub initial: bool,
    /// Parameters and start values.
    pub p: &'a [S],
    /// Values fixed by initialization (calculated parameters).
    pub c: &'a mut [S],
    /// Discrete variables, value before the present event iteration.
    pub m: &'a [f64],
    /// Relations, frozen.
    pub r: &'a [bool],
    /// Continuous states.
    pub x: &'a mut [S],
    /// Inputs (Boolean and Integer ones as 0/1 and whole numbers).
    pub u: &'a [S],
    /// Tables of plain numbers, those of [`Info::tables`].
    pub tables: &'a [Rows],
    /// Unknowns of the nonlinear blocks at the last accepted point: where iterations start.
    pub anchor: &'a [f64],
    /// Unknowns of the nonlinear blocks found by this evaluation.
    pub z: &'a mut [f64],
    /// Computed values.
    pub w: &'a mut [S],
    /// Derivatives of `x`.
    pub dx: &'a mut [S],
}

/// What an event changes; filled with the present values when [`System::event`] is called.
pub struct Update<'a> {
    /// Discrete variables.
    pub m: &'a mut [f64],
    /// Continuous states.
    pub x: &'a mut [f64],
    /// Set to stop the simulation.
    pub terminate: bool,
}

/// The result of an evaluation.
pub type Solved = Result<(), Failure>;

/// The equations of a model.
///
/// `advance` computes what the state derivatives need, stage by stage; `report` computes the other
/// variables of a stage (it is called when somebody reads one of them, after `advance` of the same
/// stage and `report` of the stages before it). Values of a stage whose quantities did not change
/// are not computed again. A model written by hand may do all its work in
/// `advance(Stage::Dynamics, ..)`.
pub trait System: Send + Sync + Sized + 'static {
    /// What the run time must know about the model.
    const INFO: Info;

    /// Whether initial values depend on relations that depend on them: then [`System::initial`]
    /// reads `r` and `m`, and is repeated until they no longer change.
    const MODES_AT_START: bool = false;

    /// The truths of [`Info::first_modes`] where the search for initial values begins.
    fn guessed(_e: &mut Env<'_, f64>, _truths: &mut [bool]) -> Solved {
        Ok(())
    }

    /// Which of [`Info::requirements`] on a subject are met: those on parameters before
    /// [`System::initial`], those on initial values after it. `w` and `dx` mean nothing.
    fn required(_subject: Subject, _e: &mut Env<'_, f64>, _met: &mut [bool]) -> Solved {
        Ok(())
    }

    /// Initial values: writes `x`, `c` and the unknowns `z` of the nonlinear blocks. `w` and `dx`
    /// may be used as scratch; `anchor` means nothing yet.
    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved;

    /// Computes `w` (and in the last stage `dx`) for the state derivatives.
    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved;

    /// Computes the variables of a stage that the state derivatives do not need.
    fn report<S: Scalar>(_stage: Stage, _e: &mut Env<'_, S>) -> Solved {
        Ok(())
    }

    /// Residuals `d` of the relations, after `advance` up to [`Info::relation_stage`].
    ///
    /// A state relation is true when `d > 0`; `d` is scaled to order one; the residual of a
    /// relation that does not matter in the present mode is -1. For a time relation `d` is the
    /// instant from which it is true (infinity: never).
    fn relations(_e: &mut Env<'_, f64>, _d: &mut [f64]) -> Solved {
        Ok(())
    }

    /// One event iteration, after `advance` of all stages with settled relations: new values of
    /// discrete variables and states.
    fn event(_e: &mut Env<'_, f64>, _next: &mut Update<'_>) -> Solved {
        Ok(())
    }
}

/// What the run time must know about a model.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// FMI model name, which is also the model identifier.
    pub name: &'static str,
    /// The `guid` of modelDescription.xml.
    pub guid: &'static str,
    /// Lengths of the vectors of [`Env`].
    pub sizes: Sizes,
    /// Real variables; the index is the value reference.
    pub reals: &'static [Variable],
    /// Integer and enumeration variables; the index is the value reference.
    pub integers: &'static [Variable],
    /// Boolean variables; the index is the value reference.
    pub booleans: &'static [Variable],
    /// Initial values of `p`.
    pub parameters: &'static [f64],
    /// Start values of `u`.
    pub inputs: &'static [f64],
    /// Continuous states.
    pub states: &'static [State],
    /// Discrete variables.
    pub discretes: &'static [Discrete],
    /// Relations.
    pub relations: &'static [Relation],
    /// The stage after which the residuals of the relations can be computed.
    pub relation_stage: Stage,
    /// Relations that count, of those that [`System::initial`] reads, before the first event: in
    /// which modes the search for initial values begins.
    pub first_modes: &'static [u32],
    /// Nonlinear blocks.
    pub blocks: &'static [Block],
    /// What parameters and initial values must be like.
    pub requirements: &'static [Requirement],
    /// What can fail.
    pub fallible: Fallible,
    /// Tables of plain numbers.
    pub tables: &'static [Table],
    /// For each state the rows of `dx` that depend on it.
    pub jacobian: &'static [&'static [u32]],
    /// Where the solver finds its settings.
    pub solver: Option<SolverParameters>,
    /// `stopTime` and `tolerance` of DefaultExperiment.
    pub stop_time: f64,
    /// Relative tolerance used unless the importer or `solver.tolerance` says otherwise.
    pub tolerance: f64,
}

/// The last stages of which a computation can fail: a nonlinear block, a table with an end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fallible {
    /// Of what the derivatives need.
    pub advance: Option<Stage>,
    /// Of what only readers need.
    pub report: Option<Stage>,
}

/// Lengths of the vectors of [`Env`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// Length of `c`.
    pub calculated: usize,
    /// Length of `z` and `anchor`.
    pub unknowns: usize,
    /// Length of `w`.
    pub work: usize,
}

/// A variable that the importer can reach: one entry per value reference.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its name (the first one, where several share the value reference).
    pub name: &'static str,
    /// FMI causality.
    pub causality: Causality,
    /// FMI variability.
    pub variability: Variability,
    /// FMI `initial`; `None` for inputs and the independent variable.
    pub initial: Option<Initial>,
    /// Where its value is.
    pub source: Source,
    /// The element of `p` that holds its start value, where setting the variable before the end of
    /// initialization means setting its start value.
    pub start: Option<u32>,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// Smallest value that may be set.
    pub min: f64,
    /// Largest value that may be set.
    pub max: f64,
}

/// FMI causality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Causality {
    Parameter,
    CalculatedParameter,
    Input,
    Output,
    Local,
    Independent,
}

/// FMI variability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Variability {
    Constant,
    Fixed,
    Tunable,
    Discrete,
    Continuous,
}

/// FMI `initial`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Initial {
    Exact,
    Approx,
    Calculated,
}

/// Where the value of a variable is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// A constant.
    Constant(f64),
    /// Time.
    Time,
    /// An element of `p`.
    Parameter(u32),
    /// An element of `c`.
    Calculated(u32),
    /// An element of `m`.
    Discrete(u32),
    /// An element of `r`.
    Relation(u32),
    /// An element of `x`.
    State(u32),
    /// An element of `u`.
    Input(u32),
    /// An element of `dx`.
    Derivative(u32),
    /// An element of `w`, computed by `advance` of the stage.
    Advanced(u32, Stage),
    /// An element of `w`, computed by `report` of the stage.
    Reported(u32, Stage),
}

/// A continuous state.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Its name.
    pub name: &'static str,
    /// Its nominal value, positive.
    pub nominal: f64,
    /// True if its derivative is itself a state ([`Stage::Position`]).
    pub position: bool,
}

impl State {
    /// Beyond this many nominal values an importer's integration has diverged; up to its sixth
    /// power a value within is finite.
    const RANGE: f64 = 1e50;

    /// Whether a value is within the state's range; NaN is not.
    #[inline]
    pub(crate) fn is_in_range(&self, value: f64) -> bool {
        value.abs() <= State::RANGE * self.nominal
    }
}

/// A discrete variable.
#[derive(Clone, Copy, Debug)]
pub struct Discrete {
    /// Its name.
    pub name: &'static str,
    /// Its value before the first event iteration.
    pub start: f64,
    /// Names of its values, for the log; empty if they have none.
    pub labels: &'static [(i32, &'static str)],
}

/// A relation: a truth value that changes only at events.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// Its name.
    pub name: &'static str,
    /// What changes it.
    pub kind: RelationKind,
}

/// What a requirement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Parameters and start values alone.
    Parameters,
    /// Initial values as well.
    InitialValues,
}

/// What parameters and initial values must be like.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// What it is about.
    pub subject: Subject,
    /// Name, unit (empty if it has none) and place of each variable that the sentence names.
    pub of: &'static [(&'static str, &'static str, Source)],
    /// What is said after the variables and their values.
    pub sentence: &'static str,
}

/// A nonlinear block.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Its name.
    pub name: &'static str,
    /// What its equations are.
    pub kind: BlockKind,
    /// Where its part of `z` begins: its unknowns, the sign of its Jacobian's determinant, then
    /// what else it keeps for the next solution: of a loop that determinant first, how it moves
    /// last, zeros where that is not known.
    pub offset: u32,
    /// The number of its unknowns.
    pub size: u32,
}

/// A table of plain numbers: it never changes while an instance lives.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What it must be like.
    pub shape: Shape,
    /// Where its numbers are.
    pub data: Data,
}

/// Where the numbers of a table are.
#[derive(Clone, Copy, Debug)]
pub enum Data {
    /// Here, row after row.
    Rows(&'static [f64]),
    /// In a file of comma-separated values in the FMU's folder `resources`, read when an instance
    /// is made: it may be replaced by another of the same shape.
    File(&'static str),
}

/// Elements of `p` that hold the settings of the Co-Simulation solver.
#[derive(Clone, Copy, Debug)]
pub struct SolverParameters {
    /// 0 automatic, 1 Tsit5, 2 Rodas5P.
    pub method: u32,
    /// Relative tolerance; 0: the importer's, else DefaultExperiment's.
    pub tolerance: u32,
    /// Largest step in s; 0: no limit.
    pub max_step: u32,
}
