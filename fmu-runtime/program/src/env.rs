//! The data that the code of a program reads and writes.

use kernels::Scalar;
use kernels::newton::Failure;
use kernels::rows::Rows;

use crate::info::Info;

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
    /// The histories of the delays of [`Info::delays`](crate::Info::delays), one after the other.
    pub histories: &'a [f64],
    /// Unknowns of the nonlinear blocks at the last accepted point, from which iterations start.
    pub anchor: &'a [f64],
    /// Unknowns of the nonlinear blocks that this evaluation finds.
    pub z: &'a mut [f64],
    /// The number of iterations of Newton's method so far.
    pub iterations: &'a mut u64,
    /// Computed values.
    pub w: &'a mut [S],
    /// Derivatives of `x`.
    pub dx: &'a mut [S],
}

/// An [`Env`] that owns its vectors.
#[derive(Clone, Debug)]
pub struct OwnedEnv<S> {
    /// Time in s.
    pub t: S,
    /// True while initial values are being determined.
    pub initial: bool,
    /// Parameters and start values.
    pub p: Vec<S>,
    /// Calculated parameters.
    pub c: Vec<S>,
    /// Discrete variables.
    pub m: Vec<f64>,
    /// Relations.
    pub r: Vec<bool>,
    /// Continuous states.
    pub x: Vec<S>,
    /// Inputs.
    pub u: Vec<S>,
    /// Tables of plain numbers.
    pub tables: Vec<Rows>,
    /// The histories of the delays.
    pub histories: Vec<f64>,
    /// Unknowns of the nonlinear blocks at the last accepted point.
    pub anchor: Vec<f64>,
    /// Unknowns found.
    pub z: Vec<f64>,
    /// The number of iterations of Newton's method.
    pub iterations: u64,
    /// Computed values.
    pub w: Vec<S>,
    /// Derivatives of the states.
    pub dx: Vec<S>,
}

impl<S: Scalar> OwnedEnv<S> {
    /// The vectors before initialization at time 0: parameters, inputs and discrete variables have
    /// their start values, `anchor` and `z` are zero, and everything that the equations compute has
    /// the value `not_written`.
    pub fn at_start(info: &Info, tables: Vec<Rows>, not_written: S) -> OwnedEnv<S> {
        let scalars = |values: &[f64]| values.iter().map(|&value| value.into()).collect();
        OwnedEnv {
            t: 0.0.into(),
            initial: true,
            p: scalars(info.parameters),
            c: vec![not_written; info.sizes.calculated],
            m: info.discretes.iter().map(|discrete| discrete.start).collect(),
            r: vec![false; info.relations.len()],
            x: vec![not_written; info.states.len()],
            u: scalars(info.inputs),
            tables,
            histories: vec![0.0; info.histories()],
            anchor: vec![0.0; info.sizes.unknowns],
            z: vec![0.0; info.sizes.unknowns],
            iterations: 0,
            w: vec![not_written; info.sizes.work],
            dx: vec![not_written; info.states.len()],
        }
    }

    /// The vectors as equations work on them.
    pub fn env(&mut self) -> Env<'_, S> {
        Env {
            t: self.t,
            initial: self.initial,
            p: &self.p,
            c: &mut self.c,
            m: &self.m,
            r: &self.r,
            x: &mut self.x,
            u: &self.u,
            tables: &self.tables,
            histories: &self.histories,
            anchor: &self.anchor,
            z: &mut self.z,
            iterations: &mut self.iterations,
            w: &mut self.w,
            dx: &mut self.dx,
        }
    }
}

/// What an event changes; they are initialised with the present values.
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
