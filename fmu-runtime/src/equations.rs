//! The equations of one model behind an object, so that the run time is compiled once for all.

use crate::system::{Env, Info, Solved, Stage, Subject, System, Update};
use kernels::Dual;
use std::marker::PhantomData;

/// [`System`] with its generic functions in the two numbers that the run time needs.
pub trait Equations: Send + Sync {
    /// See [`System::INFO`].
    fn info(&self) -> &'static Info;
    /// See [`System::required`].
    fn required(&self, subject: Subject, e: &mut Env<'_, f64>, met: &mut [bool]) -> Solved;
    /// See [`System::MODES_AT_START`].
    fn modes_at_start(&self) -> bool;
    /// See [`System::guessed`].
    fn guessed(&self, e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved;
    /// See [`System::initial`].
    fn initial(&self, e: &mut Env<'_, f64>) -> Solved;
    /// [`System::advance`] for some stages.
    fn advance(&self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved;
    /// [`System::report`] for some stages.
    fn report(&self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved;
    /// [`System::advance`] for some stages, then [`System::relations`].
    fn relations(&self, stages: &[Stage], e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved;
    /// See [`System::event`].
    fn event(&self, e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved;
    /// [`System::initial`] with tangents.
    fn initial_tangent(&self, e: &mut Env<'_, Dual>) -> Solved;
    /// [`System::advance`] for some stages with tangents.
    fn advance_tangent(&self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved;
    /// [`System::report`] for some stages with tangents.
    fn report_tangent(&self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved;
}

struct Of<T>(PhantomData<fn() -> T>);

impl<T: System> Of<T> {
    const EQUATIONS: &'static dyn Equations = &Of::<T>(PhantomData);
}

/// The equations of a model.
pub fn of<T: System>() -> &'static dyn Equations {
    Of::<T>::EQUATIONS
}

impl<T: System> Equations for Of<T> {
    fn info(&self) -> &'static Info {
        &T::INFO
    }
    fn required(&self, subject: Subject, e: &mut Env<'_, f64>, met: &mut [bool]) -> Solved {
        T::required(subject, e, met)
    }
    fn modes_at_start(&self) -> bool {
        T::MODES_AT_START
    }
    fn guessed(&self, e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved {
        T::guessed(e, truths)
    }
    fn initial(&self, e: &mut Env<'_, f64>) -> Solved {
        T::initial(e)
    }
    fn advance(&self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved {
        stages.iter().try_for_each(|&stage| T::advance(stage, e))
    }
    fn report(&self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved {
        stages.iter().try_for_each(|&stage| T::report(stage, e))
    }
    fn relations(&self, stages: &[Stage], e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        self.advance(stages, e)?;
        T::relations(e, d)
    }
    fn event(&self, e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        T::event(e, next)
    }
    fn initial_tangent(&self, e: &mut Env<'_, Dual>) -> Solved {
        T::initial(e)
    }
    fn advance_tangent(&self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved {
        stages.iter().try_for_each(|&stage| T::advance(stage, e))
    }
    fn report_tangent(&self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved {
        stages.iter().try_for_each(|&stage| T::report(stage, e))
    }
}
