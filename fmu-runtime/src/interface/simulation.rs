//! A Co-Simulation in this process: the calls that an importer makes to an FMU, without the C
//! interface.

use crate::data::snapshot::Snapshot;
use crate::fmi::calls::{FmiFunction, FmuType};
use crate::fmi::fmi2::{fmi2Boolean, fmi2Error, fmi2Integer, fmi2OK, fmi2Status, fmi2Warning};
use crate::fmi::log::{Log, Sink};
use crate::instance::Instance;
use crate::instance::solver::StepGoal;
use crate::integrate::Integrator;
use crate::model::equations::RunnableModel;
use crate::model::resources;
use crate::model::system::Info;
use crate::model::system::{Base, Variable};
use kernels::rows::Rows;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A message of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its category, one of [`LOG_CATEGORIES`](crate::LOG_CATEGORIES).
    pub category: String,
    /// One line.
    pub text: String,
}

/// A message about the failure of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

#[derive(Clone, Default)]
struct Messages(Arc<Mutex<Vec<Message>>>);

impl Sink for Messages {
    fn log(&self, _status: fmi2Status, category: &CStr, text: &CStr) {
        let owned = |text: &CStr| text.to_string_lossy().into_owned();
        let message = Message { category: owned(category), text: owned(text) };
        self.all().push(message);
    }
}

impl Messages {
    fn all(&self) -> MutexGuard<'_, Vec<Message>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A model that the solver of Co-Simulation simulates.
///
/// Values are set before [`Simulation::start`], inputs and tunable parameters also between steps;
/// such values take effect with the next step, which may have length zero. The settings of the
/// solver are parameters like others, for example `solver.tolerance`.
///
/// # Example
/// A bouncing ball: `der(h) = v`, `der(v) = -g`, and `v` becomes `-e v` on the floor.
///
/// ```
/// # use fmu_runtime::system::*;
/// use fmu_runtime::{Simulation, equations};
///
/// # struct Ball;
/// # impl System for Ball {
/// #     const INFO: Info = Info::new("Ball")
/// #         .parameters(&[1.0])
/// #         .states(&[State::new("h").position(), State::new("v")])
/// #         .relations(&[Relation::new("h < 0")])
/// #         .reals(&[
/// #             Variable::new("h", Source::State(0)).start(0).unit("m"),
/// #             Variable::new("v", Source::State(1)).unit("m/s"),
/// #         ]);
/// #     fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
/// #         (e.x[0], e.x[1]) = (e.p[0], S::from(0.0));
/// #         Ok(())
/// #     }
/// #     fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
/// #         if stage == Stage::Dynamics {
/// #             (e.dx[0], e.dx[1]) = (e.x[1], S::from(-9.81));
/// #         }
/// #         Ok(())
/// #     }
/// #     fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
/// #         d[0] = -e.x[0];
/// #         Ok(())
/// #     }
/// #     fn event(e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
/// #         if e.r[0] && e.x[1] < 0.0 {
/// #             next.x[1] = -0.5 * e.x[1];
/// #         }
/// #         Ok(())
/// #     }
/// # }
/// # fn main() -> Result<(), fmu_runtime::simulation::Error> {
/// let mut ball = Simulation::of(equations::system_model::<Ball>())?;
/// ball.set("h", 5.0)?;
/// ball.start(Some(1e-9))?;
/// assert!(ball.run_to_event(2.0)?, "it hits the floor before 2 s");
/// assert!((ball.time() - (2.0 * 5.0 / 9.81_f64).sqrt()).abs() < 1e-8);
/// assert!((ball.read("v")? - 0.5 * (2.0 * 9.81 * 5.0_f64).sqrt()).abs() < 1e-6);
/// assert!(ball.messages().iter().any(|message| message.text.contains("v: -9.9")));
///
/// // Evaluate the equations at another point, in the present modes.
/// ball.move_to(0.0, &[7.0, 3.0])?;
/// assert_eq!(ball.derivatives()?, [3.0, -9.81]);
/// ball.run_to(0.5)?;
/// assert!((ball.read("h")? - (7.0 + 3.0 * 0.5 - 9.81 / 2.0 * 0.25)).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
pub struct Simulation {
    instance: Instance,
    info: &'static Info,
    names: BTreeMap<Cow<'static, str>, (Base, u32)>,
    messages: Messages,
}

/// The arguments of the equations at the present point, as in [`Env`](crate::model::system::Env).
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of `Env`")]
pub struct Point<'a> {
    pub t: f64,
    pub p: &'a [f64],
    pub c: &'a [f64],
    pub m: &'a [f64],
    pub r: &'a [bool],
    pub x: &'a [f64],
    pub u: &'a [f64],
    pub anchor: &'a [f64],
}

/// Everything about a simulation that changes: a copy of its FMU state.
#[derive(Clone, Debug)]
pub struct FmuState(Snapshot);

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (model, t) = (self.info.name, self.time());
        f.debug_struct("Simulation").field("model", &model).field("t", &t).finish_non_exhaustive()
    }
}

impl Simulation {
    /// An instance of a model, before its initialization.
    ///
    /// # Errors
    /// If a table is in a file, because there is no folder of resources.
    pub fn of(model: &dyn RunnableModel) -> Result<Simulation, Error> {
        Simulation::with_tables(model, resources::load(model.info(), None))
    }

    /// An instance of a model whose tables in files are in a folder.
    ///
    /// # Errors
    /// A message about a file of a table.
    pub fn with_resources(model: &dyn RunnableModel, folder: &Path) -> Result<Simulation, Error> {
        let folder = |_: &str| Ok(folder.to_owned());
        Simulation::with_tables(model, resources::load_from(model.info(), folder))
    }

    fn with_tables(
        model: &dyn RunnableModel,
        tables: Result<Box<[Rows]>, String>,
    ) -> Result<Simulation, Error> {
        let info = model.info();
        let messages = Messages::default();
        let log = Log::new(Box::new(messages.clone()), true);
        let instance = Instance::new(model, tables.map_err(Error)?, FmuType::CoSimulation, log);
        let place = |(base, reference, variable): (Base, u32, &'static Variable)| {
            (Cow::Borrowed(variable.name), (base, reference))
        };
        let names = info.all_variables().map(place).collect();
        Ok(Simulation { instance, info, names, messages })
    }

    /// The same with further names of variables: pairs of such a name and the name in [`Info`],
    /// which is the first of those that share a value.
    pub fn with_aliases<'a>(
        mut self,
        aliases: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Simulation {
        for (alias, name) in aliases {
            if let Some(&place) = self.names.get(name) {
                self.names.insert(Cow::Owned(alias.to_owned()), place);
            }
        }
        self
    }

    /// The declarations of the model.
    pub fn info(&self) -> &'static Info {
        self.info
    }

    /// The names of all variables.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }

    /// Initializes at 0 s, with a relative tolerance of the solver; `None` for the model's own.
    ///
    /// # Errors
    /// If values are not possible, or equations have no solution.
    pub fn start(&mut self, tolerance: Option<f64>) -> Result<(), Error> {
        self.start_at(0.0, tolerance)
    }

    /// [`Simulation::start`] at another time in s.
    ///
    /// # Errors
    /// If values are not possible, or equations have no solution.
    pub fn start_at(&mut self, t: f64, tolerance: Option<f64>) -> Result<(), Error> {
        self.enter_initialization_mode(t, tolerance)?;
        self.exit_initialization_mode()
    }

    /// The first half of [`Simulation::start_at`]; values that are read then are those of
    /// Initialization Mode.
    ///
    /// # Errors
    /// If the time is not finite, or if the simulation has begun already.
    pub fn enter_initialization_mode(
        &mut self,
        t: f64,
        tolerance: Option<f64>,
    ) -> Result<(), Error> {
        self.call(FmiFunction::SetupExperiment, |i| i.setup_experiment(tolerance, t, None))?;
        self.call(FmiFunction::EnterInitializationMode, Instance::enter_initialization_mode)
    }

    /// The second half of [`Simulation::start_at`].
    ///
    /// # Errors
    /// If values are not possible, or equations have no solution.
    pub fn exit_initialization_mode(&mut self) -> Result<(), Error> {
        self.call(FmiFunction::ExitInitializationMode, Instance::exit_initialization_mode)
    }

    /// Simulates to a time in s, in one communication step.
    ///
    /// # Errors
    /// If the solver cannot continue; then [`Simulation::time`] is the last successful time.
    pub fn run_to(&mut self, t: f64) -> Result<(), Error> {
        let now = self.time();
        self.call(FmiFunction::DoStep, |i| i.do_step(now, t - now))
    }

    /// Simulates to a time in s, or to the end of the first event before it; returns whether there
    /// was one.
    ///
    /// # Errors
    /// If the solver cannot continue; then [`Simulation::time`] is the last successful time.
    pub fn run_to_event(&mut self, t: f64) -> Result<bool, Error> {
        let (now, mut at_event) = (self.time(), false);
        self.call(FmiFunction::DoStep, |i| {
            let step = i.do_step_until(now, t - now, StepGoal::FirstEvent);
            at_event = step.at_event;
            step.status
        })?;
        Ok(at_event)
    }

    /// The instant of the next time event in s; infinite if none is known.
    ///
    /// # Errors
    /// A message about the value that cannot be computed.
    pub fn next_event_time(&mut self) -> Result<f64, Error> {
        let mut next = f64::INFINITY;
        self.call(FmiFunction::GetReal, |i| {
            let found = i.evaluation.realize_next_time_event().map(|t| next = t);
            i.status(found, fmi2Error)
        })?;
        Ok(next)
    }

    /// Ends the simulation; the solver logs its statistics.
    ///
    /// # Errors
    /// If it has not begun.
    pub fn terminate(&mut self) -> Result<(), Error> {
        self.call(FmiFunction::Terminate, Instance::terminate)
    }

    /// Returns to the state before initialization; all variables have the start values of the
    /// model.
    ///
    /// # Errors
    /// If a panic has occurred.
    pub fn reset(&mut self) -> Result<(), Error> {
        self.call(FmiFunction::Reset, Instance::reset)
    }

    /// The work of the solver so far, in evaluations of the derivatives: the count by which the
    /// solver chooses its method.
    pub fn work(&self) -> f64 {
        let Instance { integrator_state, implicit_work, .. } = &self.instance;
        Integrator::work(integrator_state, *implicit_work)
    }

    /// The time reached in s.
    pub fn time(&self) -> f64 {
        self.instance.evaluation.time()
    }

    /// The values on which the equations depend, for evaluation by other means.
    pub fn point(&self) -> Point<'_> {
        let memory = &self.instance.evaluation.memory;
        Point {
            t: memory.time(),
            p: memory.p(),
            c: memory.c(),
            m: memory.m(),
            r: &memory.relations,
            x: memory.x(),
            u: memory.u(),
            anchor: memory.anchor(),
        }
    }

    /// The continuous states, in the order of [`Info::states`].
    pub fn continuous_states(&self) -> &[f64] {
        self.instance.evaluation.memory.x()
    }

    /// The derivatives of the continuous states.
    ///
    /// # Errors
    /// A message about the value that cannot be computed.
    pub fn derivatives(&mut self) -> Result<Vec<f64>, Error> {
        let mut dx = vec![0.0; self.info.states.len()];
        self.call(FmiFunction::GetReal, |instance| instance.get_derivatives(&mut dx))?;
        Ok(dx)
    }

    /// Moves to another time in s and other continuous states, between steps, to evaluate the
    /// equations there in the present modes. The next step starts there with an event.
    ///
    /// # Errors
    /// If there is no solution there; then the point does not change.
    pub fn move_to(&mut self, t: f64, states: &[f64]) -> Result<(), Error> {
        self.call(FmiFunction::DoStep, |instance| instance.move_to(t, states))
    }

    /// Sets a variable; truth values are 0 and 1.
    ///
    /// # Errors
    /// If the name is unknown, the value is not possible, or the variable cannot be set in the
    /// present state.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let (base, i) = self.place(name)?;
        match base {
            Base::Real => self.call(FmiFunction::SetReal, |x| x.set_real(&[i], &[value])),
            Base::Integer => {
                let whole = value as fmi2Integer;
                if f64::from(whole) != value {
                    return Err(Error(format!(
                        "{name} = {value}: must be a whole number of 32 bits"
                    )));
                }
                self.call(FmiFunction::SetInteger, |x| x.set_integer(&[i], &[whole]))
            }
            Base::Boolean => {
                if value != 0.0 && value != 1.0 {
                    return Err(Error(format!("{name} = {value}: must be 0 or 1")));
                }
                let value = fmi2Boolean::from(value != 0.0);
                self.call(FmiFunction::SetBoolean, |x| x.set_boolean(&[i], &[value]))
            }
        }
    }

    /// The value of a variable; truth values are 0 and 1.
    ///
    /// # Errors
    /// If the name is unknown, or the value cannot be computed.
    pub fn read(&mut self, name: &str) -> Result<f64, Error> {
        let (base, i) = self.place(name)?;
        let (mut real, mut whole) = ([0.0], [0]);
        match base {
            Base::Real => self.call(FmiFunction::GetReal, |x| x.get_real(&[i], &mut real))?,
            Base::Integer => {
                self.call(FmiFunction::GetInteger, |x| x.get_integer(&[i], &mut whole))?
            }
            Base::Boolean => {
                self.call(FmiFunction::GetBoolean, |x| x.get_boolean(&[i], &mut whole))?
            }
        }
        Ok(if base == Base::Real { real[0] } else { f64::from(whole[0]) })
    }

    /// A copy of everything that changes.
    pub fn fmu_state(&self) -> FmuState {
        FmuState(self.instance.snapshot())
    }

    /// Restores a copy from this or another simulation of the same model.
    ///
    /// # Errors
    /// If the copy belongs to another model.
    pub fn set_fmu_state(&mut self, state: &FmuState) -> Result<(), Error> {
        if self.instance.restore(&state.0) {
            return Ok(());
        }
        Err(Error(format!("{}: the state is one of another model", self.info.name)))
    }

    /// The messages of the instance: events, difficulties, errors.
    pub fn messages(&self) -> Vec<Message> {
        self.messages.all().clone()
    }

    fn call(
        &mut self,
        function: FmiFunction,
        body: impl FnOnce(&mut Instance) -> fmi2Status,
    ) -> Result<(), Error> {
        let before = self.messages.all().len();
        let status = self.instance.perform(function, body);
        // Its other methods read the states without a call.
        self.instance.complete_states();
        match status {
            fmi2OK | fmi2Warning => Ok(()),
            _ => {
                let last_message =
                    self.messages.all()[before..].last().map(|last| last.text.clone());
                Err(Error(last_message.unwrap_or_else(|| format!("{} failed", function.name()))))
            }
        }
    }

    /// Base type and value reference of a variable.
    fn place(&self, name: &str) -> Result<(Base, u32), Error> {
        let known = self.names.get(name).copied();
        known.ok_or_else(|| Error(format!("{} has no variable {name}", self.info.name)))
    }
}
