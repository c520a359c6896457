//! The equations of a model behind a trait object, so that the run time is compiled once for all
//! models.

use crate::model::system::{Env, Info, Solved, Stage, Subject, System, Update};
use kernels::Dual;
use program::{Function, Program, Results, Workspace};
use std::ffi::CStr;
use std::marker::PhantomData;
use std::sync::Arc;

/// A model of which instances can be made.
pub trait RunnableModel: Send + Sync {
    /// Its declarations for the run time.
    fn info(&self) -> &'static Info;
    /// Its equations for one instance.
    fn equations(&self) -> Box<dyn Equations>;
}

/// The functions of a [`System`] for the two number types that the run time needs, with the work
/// space of one instance.
pub trait Equations: Send {
    /// See [`System::requirements`].
    fn requirements(&mut self, subject: Subject, e: &mut Env<'_, f64>, met: &mut [bool]) -> Solved;
    /// See [`System::assertions`].
    fn assertions(&mut self, e: &mut Env<'_, f64>, hold: &mut [bool]) -> Solved;
    /// See [`System::MODES_AT_START`].
    fn modes_at_start(&self) -> bool;
    /// See [`System::first_modes`].
    fn first_modes(&mut self, e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved;
    /// See [`System::initial`].
    fn initial(&mut self, e: &mut Env<'_, f64>) -> Solved;
    /// [`System::advance`] for some stages.
    fn advance(&mut self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved;
    /// [`System::report`] for some stages.
    fn report(&mut self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved;
    /// [`System::advance`] for some stages, then [`System::relations`].
    fn relations(&mut self, stages: &[Stage], e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved;
    /// See [`System::indicators`].
    fn indicators(&mut self, e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved;
    /// See [`System::unknowns`].
    fn unknowns(&mut self, e: &mut Env<'_, f64>) -> Solved;
    /// See [`System::event`].
    fn event(&mut self, e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved;
    /// [`System::initial`] with tangents.
    fn initial_tangent(&mut self, e: &mut Env<'_, Dual>) -> Solved;
    /// [`System::advance`] for some stages with tangents.
    fn advance_tangent(&mut self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved;
    /// [`System::report`] for some stages with tangents.
    fn report_tangent(&mut self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved;
}

/// A model, and its origin: its name, or that of a file.
pub struct LoadedModel {
    /// The model.
    pub model: &'static dyn RunnableModel,
    /// The name of this origin in messages.
    pub place: String,
}

/// A library, which provides the model for its instances.
pub trait ModelLoader {
    /// The model; `resources` is the URI of the FMU's folder of resources, if the importer gives
    /// one.
    ///
    /// # Errors
    /// A message that says why there is no model.
    fn model(resources: Option<&CStr>) -> Result<LoadedModel, String>;
}

impl<T: System> ModelLoader for T {
    fn model(_: Option<&CStr>) -> Result<LoadedModel, String> {
        Ok(LoadedModel { model: system_model::<T>(), place: T::INFO.name.to_owned() })
    }
}

struct SystemModel<T>(PhantomData<fn() -> T>);

impl<T: System> SystemModel<T> {
    const MODEL: &'static dyn RunnableModel = &SystemModel::<T>(PhantomData);
}

/// The model of a system.
pub fn system_model<T: System>() -> &'static dyn RunnableModel {
    SystemModel::<T>::MODEL
}

impl<T: System> RunnableModel for SystemModel<T> {
    fn info(&self) -> &'static Info {
        &T::INFO
    }
    fn equations(&self) -> Box<dyn Equations> {
        Box::new(SystemModel::<T>(PhantomData))
    }
}

/// A system with more declarations than [`System::INFO`].
struct Described<T> {
    info: &'static Info,
    system: PhantomData<fn() -> T>,
}

/// The model of the system that a function returns, with another `Info`: that of the system, with
/// additional variables for the same values.
pub fn described<T: System>(_: impl FnOnce() -> T, info: &'static Info) -> Box<dyn RunnableModel> {
    Box::new(Described::<T> { info, system: PhantomData })
}

impl<T: System> RunnableModel for Described<T> {
    fn info(&self) -> &'static Info {
        self.info
    }
    fn equations(&self) -> Box<dyn Equations> {
        Box::new(SystemModel::<T>(PhantomData))
    }
}

impl<T: System> Equations for SystemModel<T> {
    fn requirements(&mut self, subject: Subject, e: &mut Env<'_, f64>, met: &mut [bool]) -> Solved {
        T::requirements(subject, e, met)
    }
    fn assertions(&mut self, e: &mut Env<'_, f64>, hold: &mut [bool]) -> Solved {
        T::assertions(e, hold)
    }
    fn modes_at_start(&self) -> bool {
        T::MODES_AT_START
    }
    fn first_modes(&mut self, e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved {
        T::first_modes(e, truths)
    }
    fn initial(&mut self, e: &mut Env<'_, f64>) -> Solved {
        T::initial(e)
    }
    fn advance(&mut self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved {
        stages.iter().try_for_each(|&stage| T::advance(stage, e))
    }
    fn report(&mut self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved {
        stages.iter().try_for_each(|&stage| T::report(stage, e))
    }
    fn relations(&mut self, stages: &[Stage], e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        self.advance(stages, e)?;
        T::relations(e, d)
    }
    fn indicators(&mut self, e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        T::indicators(e, d)
    }
    fn unknowns(&mut self, e: &mut Env<'_, f64>) -> Solved {
        T::unknowns(e)
    }
    fn event(&mut self, e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        T::event(e, next)
    }
    fn initial_tangent(&mut self, e: &mut Env<'_, Dual>) -> Solved {
        T::initial(e)
    }
    fn advance_tangent(&mut self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved {
        stages.iter().try_for_each(|&stage| T::advance(stage, e))
    }
    fn report_tangent(&mut self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved {
        stages.iter().try_for_each(|&stage| T::report(stage, e))
    }
}

impl RunnableModel for Arc<Program> {
    fn info(&self) -> &'static Info {
        self.info
    }
    fn equations(&self) -> Box<dyn Equations> {
        Box::new(Tape {
            program: Arc::clone(self),
            plain: Workspace::new(&self.tape),
            tangent: Workspace::new(&self.tape),
        })
    }
}

/// The tape of a program with the registers of one instance.
struct Tape {
    program: Arc<Program>,
    plain: Workspace<f64>,
    tangent: Workspace<Dual>,
}

impl Tape {
    fn run(&mut self, function: Function, e: &mut Env<'_, f64>) -> Solved {
        self.run_for(function, e, &mut Results::default())
    }

    fn run_for(
        &mut self,
        function: Function,
        e: &mut Env<'_, f64>,
        results: &mut Results<'_>,
    ) -> Solved {
        self.program.tape.run(function, e, &mut self.plain, results)
    }

    fn run_tangent(&mut self, function: Function, e: &mut Env<'_, Dual>) -> Solved {
        self.program.tape.run_tangent(function, e, &mut self.tangent)
    }
}

impl Equations for Tape {
    fn requirements(&mut self, subject: Subject, e: &mut Env<'_, f64>, met: &mut [bool]) -> Solved {
        let mut results = Results { truths: met, ..Results::default() };
        self.run_for(Function::Requirements(subject), e, &mut results)
    }
    fn assertions(&mut self, e: &mut Env<'_, f64>, hold: &mut [bool]) -> Solved {
        let mut results = Results { truths: hold, ..Results::default() };
        self.run_for(Function::Assertions, e, &mut results)
    }
    fn modes_at_start(&self) -> bool {
        self.program.modes_at_start
    }
    fn first_modes(&mut self, e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved {
        let mut results = Results { truths, ..Results::default() };
        self.run_for(Function::FirstModes, e, &mut results)
    }
    fn initial(&mut self, e: &mut Env<'_, f64>) -> Solved {
        self.run(Function::Initial, e)
    }
    fn advance(&mut self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved {
        stages.iter().try_for_each(|&stage| self.run(Function::Advance(stage), e))
    }
    fn report(&mut self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved {
        stages.iter().try_for_each(|&stage| self.run(Function::Report(stage), e))
    }
    fn relations(&mut self, stages: &[Stage], e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        self.advance(stages, e)?;
        self.run_for(Function::Relations, e, &mut Results { d, ..Results::default() })
    }
    fn indicators(&mut self, e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        self.run_for(Function::Indicators, e, &mut Results { d, ..Results::default() })
    }
    fn unknowns(&mut self, e: &mut Env<'_, f64>) -> Solved {
        self.run(Function::Unknowns, e)
    }
    fn event(&mut self, e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        let mut results = Results { m: next.m, x: next.x, ..Results::default() };
        let done = self.run_for(Function::Event, e, &mut results);
        next.terminate |= results.terminate;
        done
    }
    fn initial_tangent(&mut self, e: &mut Env<'_, Dual>) -> Solved {
        self.run_tangent(Function::Initial, e)
    }
    fn advance_tangent(&mut self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved {
        stages.iter().try_for_each(|&stage| self.run_tangent(Function::Advance(stage), e))
    }
    fn report_tangent(&mut self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved {
        stages.iter().try_for_each(|&stage| self.run_tangent(Function::Report(stage), e))
    }
}
