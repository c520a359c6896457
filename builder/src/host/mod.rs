//! Loads the library of an FMU and calls it as an importer does.
#![allow(unsafe_code, reason = "it calls the C interface")]

use std::ffi::{CStr, CString, c_int, c_void};
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use fmu_runtime::fmi2::*;
use object::{FileKind, Object, ObjectSection, ObjectSegment};

use crate::error::{Attempt, Call, Error};

mod log;
mod printf;
pub mod process;

pub use log::{Callbacks, Message, callbacks};
use log::{LivingLog, allocate, late_variadic_logger, release, variadic_logger};

/// What a function of an FMU returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Status {
    Ok,
    Warning,
    Discard,
    Error,
    Fatal,
    Pending,
}

impl Status {
    /// The status of a code; none where the standard has none.
    fn of(code: c_int) -> Option<Status> {
        Some(match code {
            0 => Status::Ok,
            1 => Status::Warning,
            2 => Status::Discard,
            3 => Status::Error,
            4 => Status::Fatal,
            5 => Status::Pending,
            _ => return None,
        })
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fmi2{self:?}")
    }
}

/// The two kinds of an FMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Kind {
    ModelExchange,
    CoSimulation,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::ModelExchange => "Model Exchange",
            Kind::CoSimulation => "Co-Simulation",
        })
    }
}

/// What an event iteration says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct EventInfo {
    pub new_discrete_states_needed: bool,
    pub terminate_simulation: bool,
    pub nominals_of_continuous_states_changed: bool,
    pub values_of_continuous_states_changed: bool,
    /// In s, where it is defined.
    pub next_event_time: Option<f64>,
}

/// Declares the functions as they are found in a library: ME-only and CS-only libraries lack some.
macro_rules! found_functions {
    ([] $(fn $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        // The table is the standard's; this program does not call all of it.
        #[allow(non_snake_case, dead_code, reason = "the fields are named after the functions; some are only required to exist")]
        struct Found {
            $($name: Option<unsafe extern "C" fn($($type),*) -> $answer>,)*
        }

        impl Found {
            fn in_library(library: &libloading::Library) -> Found {
                Found {
                    // SAFETY: the type is the one the standard gives to the function of this name.
                    $($name: unsafe {
                        library.get(concat!(stringify!($name), "\0").as_bytes()).ok().map(|f| *f)
                    },)*
                }
            }
        }

        impl From<Functions> for Found {
            fn from(functions: Functions) -> Found {
                Found { $($name: Some(functions.$name),)* }
            }
        }

        /// Names of the functions of the standard.
        pub const FUNCTIONS: &[&str] = &[$(stringify!($name)),*];
    };
}

fmu_runtime::fmi2_functions!([found_functions] []);

/// The functions that a library without Model Exchange need not have.
const MODEL_EXCHANGE: &[&str] = &[
    "fmi2EnterEventMode",
    "fmi2NewDiscreteStates",
    "fmi2EnterContinuousTimeMode",
    "fmi2CompletedIntegratorStep",
    "fmi2SetTime",
    "fmi2SetContinuousStates",
    "fmi2GetDerivatives",
    "fmi2GetEventIndicators",
    "fmi2GetContinuousStates",
    "fmi2GetNominalsOfContinuousStates",
];

/// The functions that a library without Co-Simulation need not have.
const CO_SIMULATION: &[&str] = &[
    "fmi2SetRealInputDerivatives",
    "fmi2GetRealOutputDerivatives",
    "fmi2DoStep",
    "fmi2CancelStep",
    "fmi2GetStatus",
    "fmi2GetRealStatus",
    "fmi2GetIntegerStatus",
    "fmi2GetBooleanStatus",
    "fmi2GetStringStatus",
];

/// The functions that nobody calls unless a capability flag promises what they do.
const PROMISED: &[&str] = &[
    "fmi2GetFMUstate",
    "fmi2SetFMUstate",
    "fmi2FreeFMUstate",
    "fmi2SerializedFMUstateSize",
    "fmi2SerializeFMUstate",
    "fmi2DeSerializeFMUstate",
    "fmi2GetDirectionalDerivative",
    "fmi2SetRealInputDerivatives",
    "fmi2GetRealOutputDerivatives",
];

/// The functions that a library for a kind must export.
pub fn required_functions(kind: Kind) -> impl Iterator<Item = &'static str> {
    let other = if kind == Kind::ModelExchange { CO_SIMULATION } else { MODEL_EXCHANGE };
    FUNCTIONS.iter().copied().filter(move |name| !other.contains(name))
}

/// The library of an FMU.
pub struct Library {
    functions: Found,
    // Declared last, so that it outlives the functions; none for those of this program.
    _library: Option<libloading::Library>,
}

impl From<Functions> for Library {
    fn from(functions: Functions) -> Library {
        Library { functions: functions.into(), _library: None }
    }
}

impl Library {
    /// Loads a library for a kind of FMU. It may lack functions that need not be called; they must
    /// be there all the same, but that is for a check to say.
    ///
    /// # Errors
    /// The system cannot load the library, or a function is missing that is always called.
    pub fn load(path: &Path, kind: Kind) -> Result<Library, Error> {
        let fail = |reason: String| Error::Library { path: path.to_owned(), reason };
        let bytes = fs::read(path).attempt("read", path)?;
        complete(&bytes).map_err(|e| fail(format!("the library cannot be loaded: {e}")))?;
        drop(bytes);
        // SAFETY: whoever names an FMU to be run wants its code to be run; the initialisers of a
        // library are part of that.
        let library = unsafe { libloading::Library::new(path) }
            .map_err(|e| fail(format!("the library cannot be loaded: {}", cause(&e))))?;
        for name in required_functions(kind).filter(|name| !PROMISED.contains(name)) {
            // SAFETY: the symbol is only looked up, not used.
            let found = unsafe { library.get::<*const c_void>(format!("{name}\0").as_bytes()) };
            if found.is_err() {
                return Err(fail(format!("the library does not export {name}")));
            }
        }
        Ok(Library { functions: Found::in_library(&library), _library: Some(library) })
    }

    /// `fmi2GetTypesPlatform` and `fmi2GetVersion`.
    pub fn platform_and_version(&self) -> (String, String) {
        // SAFETY: both functions may be called at any time and return static strings.
        let text = |f: Option<unsafe extern "C" fn() -> fmi2String>| match f {
            Some(f) => unsafe { string(f()) },
            None => String::new(),
        };
        (text(self.functions.fmi2GetTypesPlatform), text(self.functions.fmi2GetVersion))
    }

    /// `fmi2FreeInstance` without an instance.
    pub fn free_nothing(&self) {
        if let Some(free) = self.functions.fmi2FreeInstance {
            // SAFETY: the standard allows null.
            unsafe { free(std::ptr::null_mut()) }
        }
    }

    /// Creates an instance.
    ///
    /// # Errors
    /// The FMU refuses, with what it logged.
    pub fn instantiate(
        &self,
        name: &str,
        kind: Kind,
        guid: &str,
        resources: &str,
        logging_on: bool,
    ) -> Result<Instance<'_>, Call> {
        let log = LivingLog::of(&name.replace('\0', ""));
        let callbacks = Box::new(fmi2CallbackFunctions {
            logger: Some(variadic_logger()),
            allocateMemory: Some(allocate),
            freeMemory: Some(release),
            stepFinished: None,
            componentEnvironment: log.environment(),
        });
        let name = c_string(name).into_bytes_with_nul();
        let (guid, resources) = (c_string(guid), c_string(resources));
        let component = match self.functions.fmi2Instantiate {
            // SAFETY: all pointers are valid during the call; callbacks and log live on in the
            // instance, for FMUs that keep pointers to them.
            Some(instantiate) => unsafe {
                instantiate(
                    name.as_ptr().cast(),
                    c_int::from(kind == Kind::CoSimulation),
                    guid.as_ptr(),
                    resources.as_ptr(),
                    &raw const *callbacks,
                    0,
                    c_int::from(logging_on),
                )
            },
            None => std::ptr::null_mut(),
        };
        let fatal = false;
        let instance = Instance { library: self, component, log, fatal, callbacks, name };
        if component.is_null() {
            let message = instance.log.last();
            return Err(Call { function: "fmi2Instantiate", status: Status::Error, message });
        }
        Ok(instance)
    }
}

/// What a function returned that is not a status of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownStatus {
    /// Name of the function.
    pub function: &'static str,
    /// What it returned.
    pub code: c_int,
}

impl fmt::Display for UnknownStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} returned {}, which is not a status of FMI", self.function, self.code)
    }
}

/// The first unknown status of each function in this process since they were last taken.
static UNKNOWN_STATUSES: Mutex<Vec<UnknownStatus>> = Mutex::new(Vec::new());

/// What functions of all libraries in this process returned that is not a status, since the last
/// time: the first of each function.
pub fn take_unknown_statuses() -> Vec<UnknownStatus> {
    std::mem::take(&mut *UNKNOWN_STATUSES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A copy of the state of an instance, which belongs to that instance.
#[derive(Debug)]
pub struct State(fmi2FMUstate);

/// An instance of an FMU, freed when dropped.
pub struct Instance<'l> {
    library: &'l Library,
    component: fmi2Component,
    log: LivingLog,
    fatal: bool,
    callbacks: Box<fmi2CallbackFunctions>,
    name: Vec<u8>,
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        // After fmi2Fatal no function of the instance may be called.
        let alive = !self.fatal && !self.component.is_null();
        if let Some(free) = self.library.functions.fmi2FreeInstance.filter(|_| alive) {
            // SAFETY: the component came from fmi2Instantiate of this library.
            unsafe { free(self.component) }
        }
    }
}

/// Calls a function with the component as its first argument and judges the status.
macro_rules! call {
    ($instance:ident . $name:ident ( $($argument:expr),* )) => {{
        $instance.log.said.store(false, Ordering::Relaxed);
        let code = match $instance.library.functions.$name {
            // SAFETY: the component is alive, the slices are as long as stated, and the type of
            // the function is the standard's.
            Some(function) => unsafe { function($instance.component, $($argument),*) },
            None => 3,
        };
        $instance.judge(stringify!($name), code)
    }};
}

/// One getter and one setter of a type.
macro_rules! access {
    ($get:ident, $set:ident, $type:ty, $fmi_get:ident, $fmi_set:ident) => {
        #[doc = concat!("`", stringify!($fmi_get), "`; `values` is as long as `references`.")]
        ///
        /// # Errors
        /// The status is neither OK nor Warning.
        pub fn $get(&mut self, references: &[u32], values: &mut [$type]) -> Result<(), Call> {
            let n = references.len().min(values.len());
            call!(self.$fmi_get(references.as_ptr(), n, values.as_mut_ptr()))
        }

        #[doc = concat!("`", stringify!($fmi_set), "`; `values` is as long as `references`.")]
        ///
        /// # Errors
        /// The status is neither OK nor Warning.
        pub fn $set(&mut self, references: &[u32], values: &[$type]) -> Result<(), Call> {
            let n = references.len().min(values.len());
            call!(self.$fmi_set(references.as_ptr(), n, values.as_ptr()))
        }
    };
}

mod probe;

pub use probe::{Array, Written};

/// The functions of the standard; each fails with its [`Call`] where the status is neither OK nor
/// Warning.
impl Instance<'_> {
    access!(get_real, set_real, f64, fmi2GetReal, fmi2SetReal);
    access!(get_integer, set_integer, i32, fmi2GetInteger, fmi2SetInteger);
    access!(get_boolean, set_boolean, i32, fmi2GetBoolean, fmi2SetBoolean);

    /// `fmi2SetString`.
    pub fn set_string(&mut self, references: &[u32], values: &[&str]) -> Result<(), Call> {
        let values: Vec<CString> = values.iter().map(|v| c_string(v)).collect();
        let pointers: Vec<fmi2String> = values.iter().map(|v| v.as_ptr()).collect();
        let n = references.len().min(pointers.len());
        call!(self.fmi2SetString(references.as_ptr(), n, pointers.as_ptr()))
    }

    /// `fmi2SetDebugLogging`; no categories means all.
    pub fn set_debug_logging(&mut self, on: bool, categories: &[&str]) -> Result<(), Call> {
        let names: Vec<CString> = categories.iter().map(|c| c_string(c)).collect();
        let pointers: Vec<fmi2String> = names.iter().map(|n| n.as_ptr()).collect();
        call!(self.fmi2SetDebugLogging(c_int::from(on), pointers.len(), pointers.as_ptr()))
    }

    /// `fmi2SetupExperiment`; times in s.
    pub fn setup_experiment(
        &mut self,
        tolerance: Option<f64>,
        start: f64,
        stop: Option<f64>,
    ) -> Result<(), Call> {
        let defined = |value: Option<f64>| c_int::from(value.is_some());
        call!(self.fmi2SetupExperiment(
            defined(tolerance),
            tolerance.unwrap_or(0.0),
            start,
            defined(stop),
            stop.unwrap_or(0.0)
        ))
    }

    /// `fmi2EnterInitializationMode`.
    pub fn enter_initialization_mode(&mut self) -> Result<(), Call> {
        call!(self.fmi2EnterInitializationMode())
    }

    /// `fmi2ExitInitializationMode`.
    pub fn exit_initialization_mode(&mut self) -> Result<(), Call> {
        call!(self.fmi2ExitInitializationMode())
    }

    /// `fmi2Terminate`.
    pub fn terminate(&mut self) -> Result<(), Call> {
        call!(self.fmi2Terminate())
    }

    /// `fmi2Reset`.
    pub fn reset(&mut self) -> Result<(), Call> {
        call!(self.fmi2Reset())
    }

    /// `fmi2EnterEventMode`.
    pub fn enter_event_mode(&mut self) -> Result<(), Call> {
        call!(self.fmi2EnterEventMode())
    }

    /// `fmi2NewDiscreteStates`.
    pub fn new_discrete_states(&mut self) -> Result<EventInfo, Call> {
        let mut raw = fmi2EventInfo::default();
        call!(self.fmi2NewDiscreteStates(&raw mut raw))?;
        Ok(EventInfo {
            new_discrete_states_needed: raw.newDiscreteStatesNeeded != 0,
            terminate_simulation: raw.terminateSimulation != 0,
            nominals_of_continuous_states_changed: raw.nominalsOfContinuousStatesChanged != 0,
            values_of_continuous_states_changed: raw.valuesOfContinuousStatesChanged != 0,
            next_event_time: (raw.nextEventTimeDefined != 0).then_some(raw.nextEventTime),
        })
    }

    /// `fmi2EnterContinuousTimeMode`.
    pub fn enter_continuous_time_mode(&mut self) -> Result<(), Call> {
        call!(self.fmi2EnterContinuousTimeMode())
    }

    /// `fmi2CompletedIntegratorStep`: whether to enter Event Mode, whether to terminate.
    pub fn completed_integrator_step(&mut self) -> Result<(bool, bool), Call> {
        let (mut event, mut terminate) = (0, 0);
        call!(self.fmi2CompletedIntegratorStep(1, &raw mut event, &raw mut terminate))?;
        Ok((event != 0, terminate != 0))
    }

    /// `fmi2SetTime`, in s.
    pub fn set_time(&mut self, time: f64) -> Result<(), Call> {
        call!(self.fmi2SetTime(time))
    }

    /// `fmi2SetContinuousStates`.
    pub fn set_continuous_states(&mut self, x: &[f64]) -> Result<(), Call> {
        call!(self.fmi2SetContinuousStates(x.as_ptr(), x.len()))
    }

    /// `fmi2GetContinuousStates`.
    pub fn get_continuous_states(&mut self, x: &mut [f64]) -> Result<(), Call> {
        call!(self.fmi2GetContinuousStates(x.as_mut_ptr(), x.len()))
    }

    /// `fmi2GetNominalsOfContinuousStates`.
    pub fn get_nominals(&mut self, nominals: &mut [f64]) -> Result<(), Call> {
        call!(self.fmi2GetNominalsOfContinuousStates(nominals.as_mut_ptr(), nominals.len()))
    }

    /// `fmi2GetDerivatives`.
    pub fn get_derivatives(&mut self, dx: &mut [f64]) -> Result<(), Call> {
        call!(self.fmi2GetDerivatives(dx.as_mut_ptr(), dx.len()))
    }

    /// `fmi2GetEventIndicators`.
    pub fn get_event_indicators(&mut self, z: &mut [f64]) -> Result<(), Call> {
        call!(self.fmi2GetEventIndicators(z.as_mut_ptr(), z.len()))
    }

    /// `fmi2SetRealInputDerivatives` of the first order, in units of the input per s.
    pub fn set_input_slopes(&mut self, references: &[u32], slopes: &[f64]) -> Result<(), Call> {
        let orders = vec![1; references.len()];
        let n = references.len().min(slopes.len());
        call!(self.fmi2SetRealInputDerivatives(
            references.as_ptr(),
            n,
            orders.as_ptr(),
            slopes.as_ptr()
        ))
    }

    /// `fmi2GetFMUstate`; the copy is released by [`Instance::free_state`].
    pub fn get_state(&mut self) -> Result<State, Call> {
        let mut state = std::ptr::null_mut();
        call!(self.fmi2GetFMUstate(&raw mut state))?;
        Ok(State(state))
    }

    /// `fmi2SetFMUstate`.
    pub fn set_state(&mut self, state: &State) -> Result<(), Call> {
        call!(self.fmi2SetFMUstate(state.0))
    }

    /// `fmi2FreeFMUstate`.
    pub fn free_state(&mut self, mut state: State) -> Result<(), Call> {
        call!(self.fmi2FreeFMUstate(&raw mut state.0))
    }

    /// `fmi2DeSerializeFMUstate`.
    pub fn deserialize(&mut self, bytes: &[u8]) -> Result<State, Call> {
        let mut state = std::ptr::null_mut();
        call!(self.fmi2DeSerializeFMUstate(bytes.as_ptr().cast(), bytes.len(), &raw mut state))?;
        Ok(State(state))
    }

    /// `fmi2GetDirectionalDerivative`: how the unknowns move with the knowns that move by `seed`.
    pub fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
    ) -> Result<Vec<f64>, Call> {
        // What the library does not write is no number.
        let mut values = vec![f64::NAN; unknowns.len()];
        let n = knowns.len().min(seed.len());
        call!(self.fmi2GetDirectionalDerivative(
            unknowns.as_ptr(),
            unknowns.len(),
            knowns.as_ptr(),
            n,
            seed.as_ptr(),
            values.as_mut_ptr()
        ))?;
        Ok(values)
    }

    /// `fmi2DoStep`; times in s.
    pub fn do_step(&mut self, time: f64, step: f64) -> Result<(), Call> {
        call!(self.fmi2DoStep(time, step, 1))
    }

    /// `fmi2GetBooleanStatus(fmi2Terminated)` after a discarded step.
    pub fn is_terminated(&mut self) -> Result<bool, Call> {
        let mut value = 0;
        call!(self.fmi2GetBooleanStatus(3, &raw mut value))?;
        Ok(value != 0)
    }

    /// `fmi2GetRealStatus(fmi2LastSuccessfulTime)` after a discarded step, in s.
    pub fn last_successful_time(&mut self) -> Result<f64, Call> {
        let mut value = 0.0;
        call!(self.fmi2GetRealStatus(2, &raw mut value))?;
        Ok(value)
    }

    /// The messages since the last time, and from now on all of them.
    pub fn take_messages(&mut self) -> Vec<Message> {
        let mut log = self.log.content();
        log.keep = true;
        std::mem::take(&mut log.messages)
    }

    /// A code that is not a status says nothing, as from a function without a `return`: it is kept
    /// for [`take_unknown_statuses`], and the call counts as done.
    fn judge(&mut self, function: &'static str, code: c_int) -> Result<(), Call> {
        match Status::of(code) {
            None => {
                let mut unknown = UNKNOWN_STATUSES.lock().unwrap_or_else(PoisonError::into_inner);
                if unknown.iter().all(|u| u.function != function) {
                    unknown.push(UnknownStatus { function, code });
                }
                Ok(())
            }
            Some(Status::Ok | Status::Warning) => Ok(()),
            Some(status) => {
                self.fatal |= status == Status::Fatal;
                Err(Call { function, status, message: self.log.last() })
            }
        }
    }
}

/// Whether all of a library is there: the system's loader ends the process where a part is missing.
fn complete(library: &[u8]) -> Result<(), object::Error> {
    if matches!(FileKind::parse(library)?, FileKind::MachOFat32 | FileKind::MachOFat64) {
        // Several libraries in one file, of which the loader takes one.
        return Ok(());
    }
    let file = object::File::parse(library)?;
    file.segments().try_for_each(|segment| segment.data().map(|_| ()))?;
    file.sections().try_for_each(|section| section.data().map(|_| ()))
}

/// A copy of a string of the FMU; empty for null.
///
/// # Safety
/// The pointer is null or points to a string that ends in NUL.
unsafe fn string(text: fmi2String) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// What the system's loader said.
fn cause(error: &libloading::Error) -> String {
    let source = std::error::Error::source(error);
    source.map_or_else(|| error.to_string(), ToString::to_string)
}
