//! The data that the code of a program reads and writes.

use kernels::Scalar;
use kernels::newton::Failure;
use kernels::rows::Rows;

/// Everything that the equations read and write during one evaluation.
///
/// Slices have the lengths of [`Sizes`](crate::Sizes). Only initialization writes `x` and `c`.
pub struct Env<'a, S: Scalar> {
    /// Time in s.
    pub t: S,
    /// True while initial values are being determined.
    pub initial: bool,
    /// Parameters and start values.
    pub p: &'a [S],
    /// Values fixed by initialization (calculated parameters).
    pub c: &'a mut [S],
    /// Discrete variables: their values before the present event iteration.
    pub m: &'a [f64],
    /// Relations, frozen.
    pub r: &'a [bool],
    /// Continuous states.
    pub x: &'a mut [S],
    /// Inputs (Boolean ones as 0 or 1, Integer ones as whole numbers).
    pub u: &'a [S],
    /// The tables of [`Info::tables`](crate::Info::tables).
    pub tables: &'a [Rows],
    /// Unknowns of the nonlinear blocks at the last accepted point, from which iterations start.
    pub anchor: &'a [f64],
    /// Unknowns of the nonlinear blocks that this evaluation finds.
    pub z: &'a mut [f64],
    /// Computed values.
    pub w: &'a mut [S],
    /// Derivatives of `x`.
    pub dx: &'a mut [S],
}

/// The values that an event changes; they are initialised with the present values.
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
