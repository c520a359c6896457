//! Enumerations that the generator of a program and the run time share.

use crate::solver_count::SolverCount;

/// Stages of one evaluation, in the order in which they are realized.
///
/// The values of a stage depend on the quantities named here and on those of earlier stages;
/// changing a quantity invalidates its stage and all later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
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
    /// Inputs; the last values of this stage are the state derivatives.
    Dynamics,
}

impl Stage {
    /// All stages in the order of their realization.
    pub const ALL: [Stage; 6] = [
        Stage::Parameter,
        Stage::Discrete,
        Stage::Time,
        Stage::Position,
        Stage::Velocity,
        Stage::Dynamics,
    ];
}

/// The values that a requirement constrains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub enum Subject {
    /// Parameters and start values alone.
    Parameters,
    /// Initial values as well.
    InitialValues,
}

impl Subject {
    /// Both subjects, in the order in which they are checked.
    pub const ALL: [Subject; 2] = [Subject::Parameters, Subject::InitialValues];
}

/// Functions of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub enum Function {
    /// Initial values.
    Initial,
    /// The values of a stage that the derivatives need.
    Advance(Stage),
    /// The values of a stage that are only read.
    Report(Stage),
    /// Residuals of the relations.
    Relations,
    /// Residuals of the state relations, without values that only derivatives need.
    Indicators,
    /// The unknowns of the nonlinear blocks that neither derivatives nor events need.
    Unknowns,
    /// One pass of the event iteration.
    Event,
    /// Which requirements are met.
    Requirements(Subject),
    /// The truth values of the first modes at the guesses of the initial values.
    FirstModes,
    /// Which assertions hold.
    Assertions,
}

impl Function {
    /// The number of functions.
    pub const COUNT: usize = 2 * Stage::ALL.len() + Subject::ALL.len() + 7;

    /// All functions.
    pub fn all() -> impl Iterator<Item = Function> {
        let stages = Stage::ALL.into_iter();
        let of_stages = stages.clone().map(Function::Advance).chain(stages.map(Function::Report));
        let others = [
            Function::Initial,
            Function::Relations,
            Function::Event,
            Function::FirstModes,
            Function::Indicators,
            Function::Unknowns,
            Function::Assertions,
        ];
        of_stages.chain(Subject::ALL.into_iter().map(Function::Requirements)).chain(others)
    }

    /// Its index in the list of all functions.
    pub fn index(self) -> usize {
        let stages = Stage::ALL.len();
        match self {
            Function::Advance(stage) => stage as usize,
            Function::Report(stage) => stages + stage as usize,
            Function::Requirements(subject) => 2 * stages + subject as usize,
            Function::Initial => 2 * stages + 2,
            Function::Relations => 2 * stages + 3,
            Function::Event => 2 * stages + 4,
            Function::FirstModes => 2 * stages + 5,
            Function::Indicators => 2 * stages + 6,
            Function::Unknowns => 2 * stages + 7,
            Function::Assertions => 2 * stages + 8,
        }
    }
}

/// The base types of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum Base {
    Real,
    /// Enumerations are among them.
    Integer,
    Boolean,
}

impl Base {
    /// All base types, in the order of their value references.
    pub const ALL: [Base; 3] = [Base::Real, Base::Integer, Base::Boolean];

    /// The name in FMI.
    pub const fn name(self) -> &'static str {
        match self {
            Base::Real => "Real",
            Base::Integer => "Integer",
            Base::Boolean => "Boolean",
        }
    }
}

/// FMI causality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum Causality {
    Parameter,
    CalculatedParameter,
    Input,
    Output,
    Local,
    Independent,
}

/// FMI variability. There is no `constant`: the Modelica model that OpenModelica writes for an FMU
/// declares constants without their values and does not compile. They are fixed local variables
/// instead, and outputs that are constant are discrete or continuous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum Variability {
    Fixed,
    Tunable,
    Discrete,
    Continuous,
}

/// FMI `initial`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum Initial {
    Exact,
    Approx,
    Calculated,
}

/// The source of the value of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
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
    /// A count of the solver's work.
    Solver(SolverCount),
}
