//! The interface of a model: one trait, [`System`], implemented by emitted code or by hand.

pub use kernels::Scalar;
pub use kernels::newton::{BlockKind, Failure, FailureKind};
pub use kernels::relations::RelationKind;
pub use program::{
    Block, Causality, Data, Discrete, Env, Fallible, Info, Initial, OwnedEnv, Relation,
    Requirement, Sizes, Solved, SolverParameters, Source, Stage, State, Subject, Table, Update,
    Variability, Variable,
};

/// The equations of a model.
///
/// `advance` computes what the state derivatives need, stage by stage; `report` computes the other
/// variables of a stage (it is called when one of them is read, after `advance` of the same
/// stage and `report` of the stages before it). Values of a stage whose quantities did not change
/// are not computed again. A model written by hand may do all its work in
/// `advance(Stage::Dynamics, ..)`.
pub trait System: Send + Sync + Sized + 'static {
    /// What the run time must know about the model.
    const INFO: Info;

    /// Whether initial values depend on relations that depend on them: then [`System::initial`]
    /// reads `r` and `m`, and is repeated until they no longer change.
    const MODES_AT_START: bool = false;

    /// The truth values of [`Info::first_modes`] from which initial values are determined first.
    fn first_modes(_e: &mut Env<'_, f64>, _truths: &mut [bool]) -> Solved {
        Ok(())
    }

    /// Which of [`Info::requirements`] on a subject are met: those on parameters before
    /// [`System::initial`], those on initial values after it. `w` and `dx` mean nothing.
    fn requirements(_subject: Subject, _e: &mut Env<'_, f64>, _met: &mut [bool]) -> Solved {
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

    /// One pass of the event iteration, after `advance` of all stages with consistent relations:
    /// new values of discrete variables and states.
    fn event(_e: &mut Env<'_, f64>, _next: &mut Update<'_>) -> Solved {
        Ok(())
    }
}
