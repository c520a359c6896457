//! The interface of a model: one trait, [`System`], implemented by emitted code or by hand.

pub use kernels::Scalar;
pub use kernels::newton::{BlockKind, Failure, FailureKind};
pub use kernels::relations::RelationKind;
pub use program::{
    AffineResidual, Assertion, Base, Block, Causality, Controller, Data, Delay, Discrete, Env,
    Fallible, Info, Initial, OwnedEnv, Relation, Requirement, Sizes, Solved, SolverCount,
    SolverParameters, Source, Stage, State, Subject, Table, Update, Variability, Variable,
};

/// The equations of a model.
///
/// `advance` computes what the state derivatives need, stage by stage. `report` computes the other
/// variables of a stage. It is called when one of these variables is read, after `advance` of the
/// same stage and `report` of all earlier stages. Values of a stage whose quantities did not change
/// are not computed again. A model written by hand may do all its work in
/// `advance(Stage::Dynamics, ..)`.
pub trait System: Send + Sync + Sized + 'static {
    /// The declarations of the model.
    const INFO: Info;

    /// Whether initial values depend on relations that in turn depend on them. Then
    /// [`System::initial`] reads `r` and `m`, and is repeated until they no longer change.
    const MODES_AT_START: bool = false;

    /// Computes the truth values of [`Info::first_modes`] with which initial values are determined
    /// first.
    fn first_modes(_e: &mut Env<'_, f64>, _truths: &mut [bool]) -> Solved {
        Ok(())
    }

    /// Determines which of [`Info::requirements`] on a subject are met. It is called for parameters
    /// before [`System::initial`], and for initial values after it; `w` and `dx` are not valid.
    fn requirements(_subject: Subject, _e: &mut Env<'_, f64>, _met: &mut [bool]) -> Solved {
        Ok(())
    }

    /// Determines which of [`Info::assertions`] hold, in a pass of an event iteration, after
    /// `advance`.
    fn assertions(_e: &mut Env<'_, f64>, _hold: &mut [bool]) -> Solved {
        Ok(())
    }

    /// Determines initial values: writes `x`, `c` and the unknowns `z` of the nonlinear blocks. `w`
    /// and `dx` may be used as work space; `anchor` is not valid yet.
    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved;

    /// Computes `w`, and the elements of `dx` that depend on values of this stage and of earlier
    /// ones only. All of `dx` may also be written in the last stage.
    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved;

    /// Computes the variables of a stage that the state derivatives do not need.
    fn report<S: Scalar>(_stage: Stage, _e: &mut Env<'_, S>) -> Solved {
        Ok(())
    }

    /// Computes the residuals `d` of the relations, after `advance` up to [`Info::relation_stage`].
    ///
    /// A state relation is true if `d > 0`; `d` is scaled to order one. The residual of a relation
    /// that does not matter in the present mode is -1. For a time relation, `d` is the instant in s
    /// from which it is true (infinity: never).
    fn relations(_e: &mut Env<'_, f64>, _d: &mut [f64]) -> Solved {
        Ok(())
    }

    /// Computes the residuals `d` of the state relations, with the bits of [`System::relations`],
    /// from values of the stages up to [`Stage::Discrete`] only; it is called if
    /// [`Info::indicators_apart`] is set. It may change `w` where its values are out of date.
    fn indicators(_e: &mut Env<'_, f64>, _d: &mut [f64]) -> Solved {
        Ok(())
    }

    /// Computes the unknowns `z` of the deferred blocks, after `advance` up to [`Info::deferred`].
    /// This function is called at accepted points, where `z` becomes the anchor. `report` solves
    /// the same blocks for dependent variables, without storing `z`.
    fn unknowns(_e: &mut Env<'_, f64>) -> Solved {
        Ok(())
    }

    /// Makes one pass of the event iteration, after `advance` of all stages with consistent
    /// relations: it computes new values of discrete variables and states.
    fn event(_e: &mut Env<'_, f64>, _next: &mut Update<'_>) -> Solved {
        Ok(())
    }
}
