//! A Co-Simulation in this process: what an importer does with an FMU, without C.

use crate::calls::{Function, Kind};
use crate::equations::Model;
use crate::fmi2::{fmi2Boolean, fmi2Integer, fmi2OK, fmi2Real, fmi2Status, fmi2Warning};
use crate::instance::Instance;
use crate::log::{Log, Sink};
use crate::resources;
use crate::system::{Info, Variable};
use std::ffi::CStr;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What an instance said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its category, one of [`LOG_CATEGORIES`](crate::LOG_CATEGORIES).
    pub category: String,
    /// One line.
    pub text: String,
}

/// Why something could not be done, in a sentence.
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

/// A model that is simulated by the solver of its Co-Simulation.
///
/// Values are set before [`Simulation::start`], inputs and tunable parameters also between steps.
/// Names are those of [`Info`]: the first one, where several variables share a value.
pub struct Simulation {
    instance: Instance,
    info: &'static Info,
    messages: Messages,
}

impl Simulation {
    /// An instance of a model, before its initialization.
    ///
    /// # Errors
    /// A table in a file: there is no folder of resources.
    pub fn of(model: &dyn Model) -> Result<Simulation, Error> {
        let info = model.info();
        let tables = resources::load(info, None).map_err(Error)?;
        let messages = Messages::default();
        let log = Log::new(Box::new(messages.clone()), true);
        let instance = Instance::new(model, tables, Kind::CoSimulation, log);
        Ok(Simulation { instance, info, messages })
    }

    /// Initializes at 0 s, with a relative tolerance of the solver; `None` for the model's own.
    ///
    /// # Errors
    /// Values that are not possible; equations without solution.
    pub fn start(&mut self, tolerance: Option<f64>) -> Result<(), Error> {
        self.call(Function::SetupExperiment, |i| i.setup_experiment(tolerance, 0.0, None))?;
        self.call(Function::EnterInitializationMode, Instance::enter_initialization_mode)?;
        self.call(Function::ExitInitializationMode, Instance::exit_initialization_mode)
    }

    /// Goes on to a time in s, in one communication step.
    ///
    /// # Errors
    /// Why the solver could not go on; then [`Simulation::time`] is the last successful time.
    pub fn run_to(&mut self, t: f64) -> Result<(), Error> {
        let now = self.time();
        self.call(Function::DoStep, |i| i.do_step(now, t - now))
    }

    /// The time reached in s.
    pub fn time(&self) -> f64 {
        self.instance.evaluation.memory.now.t
    }

    /// Sets a variable; truth values are 0 and 1.
    ///
    /// # Errors
    /// An unknown name; a value that is not possible; a variable that cannot be set now.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let info = self.info;
        if let Some(i) = place(info.reals, name) {
            self.call(Function::SetReal, |instance| instance.set_real(&[i], &[value]))
        } else if let Some(i) = place(info.integers, name) {
            let whole = value as fmi2Integer;
            if f64::from(whole) != value {
                return Err(Error(format!("{name} = {value}: must be a whole number of 32 bits")));
            }
            self.call(Function::SetInteger, |instance| instance.set_integer(&[i], &[whole]))
        } else if let Some(i) = place(info.booleans, name) {
            if value != 0.0 && value != 1.0 {
                return Err(Error(format!("{name} = {value}: must be 0 or 1")));
            }
            let value = fmi2Boolean::from(value != 0.0);
            self.call(Function::SetBoolean, |instance| instance.set_boolean(&[i], &[value]))
        } else {
            Err(self.unknown(name))
        }
    }

    /// The value of a variable; truth values are 0 and 1.
    ///
    /// # Errors
    /// An unknown name; a value that cannot be computed.
    pub fn read(&mut self, name: &str) -> Result<f64, Error> {
        let info = self.info;
        if let Some(i) = place(info.reals, name) {
            let mut value: [fmi2Real; 1] = [0.0];
            self.call(Function::GetReal, |instance| instance.get_real(&[i], &mut value))?;
            Ok(value[0])
        } else if let Some(i) = place(info.integers, name) {
            let mut value: [fmi2Integer; 1] = [0];
            self.call(Function::GetInteger, |instance| instance.get_integer(&[i], &mut value))?;
            Ok(f64::from(value[0]))
        } else if let Some(i) = place(info.booleans, name) {
            let mut value: [fmi2Boolean; 1] = [0];
            self.call(Function::GetBoolean, |instance| instance.get_boolean(&[i], &mut value))?;
            Ok(f64::from(value[0]))
        } else {
            Err(self.unknown(name))
        }
    }

    /// What the instance has said: events, difficulties, errors.
    pub fn messages(&self) -> Vec<Message> {
        self.messages.all().clone()
    }

    fn call(
        &mut self,
        function: Function,
        body: impl FnOnce(&mut Instance) -> fmi2Status,
    ) -> Result<(), Error> {
        let before = self.messages.all().len();
        match self.instance.perform(function, body) {
            fmi2OK | fmi2Warning => Ok(()),
            _ => {
                let said = self.messages.all()[before..].last().map(|last| last.text.clone());
                Err(Error(said.unwrap_or_else(|| format!("{} failed", function.name()))))
            }
        }
    }

    fn unknown(&self, name: &str) -> Error {
        Error(format!("{} has no variable {name} with a value of its own", self.info.name))
    }
}

/// The value reference of a variable.
fn place(variables: &[Variable], name: &str) -> Option<u32> {
    variables.iter().position(|variable| variable.name == name).map(|i| i as u32)
}
