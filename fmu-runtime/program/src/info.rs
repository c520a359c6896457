//! The declarations of a program: what the run time must know beside its code.

use crate::vocabulary::{Causality, Initial, Source, Stage, Subject, Variability};
use kernels::newton::BlockKind;
use kernels::relations::RelationKind;
use kernels::rows::Shape;

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
    /// Integer and enumeration variables; the index is the value reference.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub integers: &'static [Variable],
    /// Boolean variables; the index is the value reference.
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
    /// The relations, of those that initial values depend on, whose truth values before the first
    /// event matter: the modes from which initial values are determined.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub first_modes: &'static [u32],
    /// Nonlinear blocks.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub blocks: &'static [Block],
    /// What parameters and initial values must be like.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub requirements: &'static [Requirement],
    /// What can fail.
    pub fallible: Fallible,
    /// Tables of plain numbers.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub tables: &'static [Table],
    /// For each state the rows of `dx` that depend on it.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_lists"))]
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
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Fallible {
    /// Of what the derivatives need.
    pub advance: Option<Stage>,
    /// Of what only readers need.
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
    /// Operations in one evaluation of the derivatives, about; 0: not known.
    pub operations: usize,
}

/// A variable that the importer can reach: one entry per value reference.
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
    /// Where its value is.
    pub source: Source,
    /// The element of `p` that holds its start value, where setting the variable before the end of
    /// initialization means setting its start value.
    pub start: Option<u32>,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// One line for modelDescription.xml, of a system written by hand; the run time does not need
    /// it, and programs do not carry it.
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
    /// True if its derivative is itself a state ([`Stage::Position`]).
    pub position: bool,
}

impl State {
    /// Beyond this many nominal values an importer's integration has diverged; up to its sixth
    /// power a value within is finite.
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
}

/// What parameters and initial values must be like.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Requirement {
    /// What it is about.
    pub subject: Subject,
    /// Name, unit (empty if it has none) and place of each variable that the sentence names.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
    pub of: &'static [(&'static str, &'static str, Source)],
    /// The sentence after the variables and their values.
    pub sentence: &'static str,
}

/// A nonlinear block.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Block {
    /// Its name.
    pub name: &'static str,
    /// What its equations are.
    #[cfg_attr(feature = "file", serde(with = "crate::encoding::BlockKindEncoding"))]
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
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What it must be like.
    #[cfg_attr(feature = "file", serde(with = "crate::encoding::ShapeEncoding"))]
    pub shape: Shape,
    /// Where its numbers are.
    pub data: Data,
}

/// Where the numbers of a table are.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub enum Data {
    /// Here, row after row.
    Rows(
        #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::static_list"))]
        &'static [f64],
    ),
    /// In a file of comma-separated values in the FMU's folder `resources`, read when an instance
    /// is made: it may be replaced by another of the same shape.
    File(&'static str),
}

/// Elements of `p` that hold the settings of the Co-Simulation solver.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct SolverParameters {
    /// 0 automatic, 1 Tsit5, 2 Rodas5P.
    pub method: u32,
    /// Relative tolerance; 0: the importer's, else DefaultExperiment's.
    pub tolerance: u32,
    /// Largest step in s; 0: no limit.
    pub max_step: u32,
}
