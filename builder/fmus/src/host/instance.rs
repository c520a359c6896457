//! An instance of an FMU, and the functions of the standard that an importer calls.

use std::ffi::{CString, c_int};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use fmu_runtime::fmi2::*;

use super::library::FmuLibrary;
use super::log::{LivingLog, Message, allocate, release, variadic_logger};
use super::strings::c_string;
use crate::vocabulary::error::FailedCall;
use crate::vocabulary::fmi::{FmuType, Status};

/// The result of `fmi2NewDiscreteStates`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct EventInfo {
    pub new_discrete_states_needed: bool,
    pub terminate_simulation: bool,
    pub nominals_of_continuous_states_changed: bool,
    pub values_of_continuous_states_changed: bool,
    /// The time in s, if it is defined.
    pub next_event_time: Option<f64>,
}

/// The result of `fmi2CompletedIntegratorStep`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletedStep {
    /// Whether the importer must enter Event Mode.
    pub enter_event_mode: bool,
    /// Whether it must end the simulation.
    pub terminate: bool,
}

impl FmuLibrary {
    /// Creates an instance.
    ///
    /// # Errors
    /// If the FMU refuses; the error contains its messages.
    pub fn instantiate(
        &self,
        name: &str,
        fmu_type: FmuType,
        guid: &str,
        resources: &str,
        logging_on: bool,
    ) -> Result<Instance<'_>, FailedCall> {
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
                    c_int::from(fmu_type == FmuType::CoSimulation),
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
            return Err(FailedCall { function: "fmi2Instantiate", status: Status::Error, message });
        }
        Ok(instance)
    }
}

/// A value returned by a function that is not a status of the standard.
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

/// The first unknown status of each function in this process since the last call of
/// [`take_unknown_statuses`].
static UNKNOWN_STATUSES: Mutex<Vec<UnknownStatus>> = Mutex::new(Vec::new());

/// Values that functions of all libraries in this process have returned since the last call instead
/// of a status; for each function the first value.
pub fn take_unknown_statuses() -> Vec<UnknownStatus> {
    std::mem::take(&mut *UNKNOWN_STATUSES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// An FMU state, which belongs to its instance.
#[derive(Debug)]
pub struct FmuState(pub(super) fmi2FMUstate);

// SAFETY: only functions of its instance use it, and these are called by the thread that owns both.
unsafe impl Send for FmuState {}

/// An instance of an FMU, freed when dropped.
pub struct Instance<'l> {
    pub(super) library: &'l FmuLibrary,
    pub(super) component: fmi2Component,
    pub(super) log: LivingLog,
    fatal: bool,
    pub(super) callbacks: Box<fmi2CallbackFunctions>,
    pub(super) name: Vec<u8>,
}

// SAFETY: FMI forbids calls of one instance at the same time, not calls from different threads; an
// instance is used by the thread that owns it. Its log is behind locks, and its callbacks and its
// name do not change.
unsafe impl Send for Instance<'_> {}

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
        $instance.log.logged.store(false, std::sync::atomic::Ordering::Relaxed);
        let code = match $instance.library.functions.$name {
            // SAFETY: the component is alive, the slices are as long as stated, and the type of
            // the function is the standard's.
            Some(function) => unsafe { function($instance.component, $($argument),*) },
            None => 3,
        };
        $instance.judge(stringify!($name), code)
    }};
}

pub(super) use call;

/// The getter and the setter of a type.
macro_rules! access {
    ($get:ident, $set:ident, $type:ty, $fmi_get:ident, $fmi_set:ident) => {
        #[doc = concat!("`", stringify!($fmi_get), "`; `values` is as long as `references`.")]
        ///
        /// # Errors
        /// If the status is neither OK nor Warning.
        pub fn $get(&mut self, references: &[u32], values: &mut [$type]) -> Result<(), FailedCall> {
            let n = references.len().min(values.len());
            call!(self.$fmi_get(references.as_ptr(), n, values.as_mut_ptr()))
        }

        #[doc = concat!("`", stringify!($fmi_set), "`; `values` is as long as `references`.")]
        ///
        /// # Errors
        /// If the status is neither OK nor Warning.
        pub fn $set(&mut self, references: &[u32], values: &[$type]) -> Result<(), FailedCall> {
            let n = references.len().min(values.len());
            call!(self.$fmi_set(references.as_ptr(), n, values.as_ptr()))
        }
    };
}

/// The functions of the standard; each fails with a [`FailedCall`] if the status is neither
/// OK nor Warning.
impl Instance<'_> {
    access!(get_real, set_real, f64, fmi2GetReal, fmi2SetReal);
    access!(get_integer, set_integer, i32, fmi2GetInteger, fmi2SetInteger);
    access!(get_boolean, set_boolean, i32, fmi2GetBoolean, fmi2SetBoolean);

    /// `fmi2SetString`.
    pub fn set_string(&mut self, references: &[u32], values: &[&str]) -> Result<(), FailedCall> {
        let values: Vec<CString> = values.iter().map(|v| c_string(v)).collect();
        let pointers: Vec<fmi2String> = values.iter().map(|v| v.as_ptr()).collect();
        let n = references.len().min(pointers.len());
        call!(self.fmi2SetString(references.as_ptr(), n, pointers.as_ptr()))
    }

    /// `fmi2SetDebugLogging`; no categories means all.
    pub fn set_debug_logging(&mut self, on: bool, categories: &[&str]) -> Result<(), FailedCall> {
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
    ) -> Result<(), FailedCall> {
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
    pub fn enter_initialization_mode(&mut self) -> Result<(), FailedCall> {
        call!(self.fmi2EnterInitializationMode())
    }

    /// `fmi2ExitInitializationMode`.
    pub fn exit_initialization_mode(&mut self) -> Result<(), FailedCall> {
        call!(self.fmi2ExitInitializationMode())
    }

    /// `fmi2Terminate`.
    pub fn terminate(&mut self) -> Result<(), FailedCall> {
        call!(self.fmi2Terminate())
    }

    /// `fmi2Reset`.
    pub fn reset(&mut self) -> Result<(), FailedCall> {
        call!(self.fmi2Reset())
    }

    /// `fmi2EnterEventMode`.
    pub fn enter_event_mode(&mut self) -> Result<(), FailedCall> {
        call!(self.fmi2EnterEventMode())
    }

    /// `fmi2NewDiscreteStates`.
    pub fn new_discrete_states(&mut self) -> Result<EventInfo, FailedCall> {
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
    pub fn enter_continuous_time_mode(&mut self) -> Result<(), FailedCall> {
        call!(self.fmi2EnterContinuousTimeMode())
    }

    /// `fmi2CompletedIntegratorStep`.
    pub fn completed_integrator_step(&mut self) -> Result<CompletedStep, FailedCall> {
        let (mut enter, mut terminate) = (0, 0);
        call!(self.fmi2CompletedIntegratorStep(1, &raw mut enter, &raw mut terminate))?;
        Ok(CompletedStep { enter_event_mode: enter != 0, terminate: terminate != 0 })
    }

    /// `fmi2SetTime`, in s.
    pub fn set_time(&mut self, time: f64) -> Result<(), FailedCall> {
        call!(self.fmi2SetTime(time))
    }

    /// `fmi2SetContinuousStates`.
    pub fn set_continuous_states(&mut self, x: &[f64]) -> Result<(), FailedCall> {
        call!(self.fmi2SetContinuousStates(x.as_ptr(), x.len()))
    }

    /// `fmi2GetContinuousStates`.
    pub fn get_continuous_states(&mut self, x: &mut [f64]) -> Result<(), FailedCall> {
        call!(self.fmi2GetContinuousStates(x.as_mut_ptr(), x.len()))
    }

    /// `fmi2GetNominalsOfContinuousStates`.
    pub fn get_nominals(&mut self, nominals: &mut [f64]) -> Result<(), FailedCall> {
        call!(self.fmi2GetNominalsOfContinuousStates(nominals.as_mut_ptr(), nominals.len()))
    }

    /// `fmi2GetDerivatives`.
    pub fn get_derivatives(&mut self, dx: &mut [f64]) -> Result<(), FailedCall> {
        call!(self.fmi2GetDerivatives(dx.as_mut_ptr(), dx.len()))
    }

    /// `fmi2GetEventIndicators`.
    pub fn get_event_indicators(&mut self, z: &mut [f64]) -> Result<(), FailedCall> {
        call!(self.fmi2GetEventIndicators(z.as_mut_ptr(), z.len()))
    }

    /// `fmi2SetRealInputDerivatives` of the first order, in units of the input per s.
    pub fn set_input_slopes(
        &mut self,
        references: &[u32],
        slopes: &[f64],
    ) -> Result<(), FailedCall> {
        let orders = vec![1; references.len()];
        let n = references.len().min(slopes.len());
        call!(self.fmi2SetRealInputDerivatives(
            references.as_ptr(),
            n,
            orders.as_ptr(),
            slopes.as_ptr()
        ))
    }

    /// `fmi2SetRealInputDerivatives`; all slices have the same length.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn set_input_derivatives(
        &mut self,
        references: &[u32],
        orders: &[i32],
        values: &[f64],
    ) -> Result<(), FailedCall> {
        let n = references.len().min(orders.len()).min(values.len());
        call!(self.fmi2SetRealInputDerivatives(
            references.as_ptr(),
            n,
            orders.as_ptr(),
            values.as_ptr()
        ))
    }

    /// `fmi2GetRealOutputDerivatives`; all slices have the same length.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn get_output_derivatives(
        &mut self,
        references: &[u32],
        orders: &[i32],
        values: &mut [f64],
    ) -> Result<(), FailedCall> {
        let n = references.len().min(orders.len()).min(values.len());
        call!(self.fmi2GetRealOutputDerivatives(
            references.as_ptr(),
            n,
            orders.as_ptr(),
            values.as_mut_ptr()
        ))
    }

    /// `fmi2GetFMUstate`; the copy is released by [`Instance::free_state`].
    pub fn get_state(&mut self) -> Result<FmuState, FailedCall> {
        let mut state = std::ptr::null_mut();
        call!(self.fmi2GetFMUstate(&raw mut state))?;
        Ok(FmuState(state))
    }

    /// `fmi2SetFMUstate`.
    pub fn set_state(&mut self, state: &FmuState) -> Result<(), FailedCall> {
        call!(self.fmi2SetFMUstate(state.0))
    }

    /// `fmi2FreeFMUstate`.
    pub fn free_state(&mut self, mut state: FmuState) -> Result<(), FailedCall> {
        call!(self.fmi2FreeFMUstate(&raw mut state.0))
    }

    /// `fmi2DeSerializeFMUstate`.
    pub fn deserialize(&mut self, bytes: &[u8]) -> Result<FmuState, FailedCall> {
        let mut state = std::ptr::null_mut();
        call!(self.fmi2DeSerializeFMUstate(bytes.as_ptr().cast(), bytes.len(), &raw mut state))?;
        Ok(FmuState(state))
    }

    /// `fmi2GetDirectionalDerivative`: the derivatives of the unknowns in the direction `seed` of
    /// the knowns.
    pub fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
    ) -> Result<Vec<f64>, FailedCall> {
        // Elements that the library does not write stay NaN.
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
    pub fn do_step(&mut self, time: f64, step: f64) -> Result<(), FailedCall> {
        call!(self.fmi2DoStep(time, step, 1))
    }

    /// `fmi2GetBooleanStatus(fmi2Terminated)` after a discarded step.
    pub fn is_terminated(&mut self) -> Result<bool, FailedCall> {
        let mut value = 0;
        call!(self.fmi2GetBooleanStatus(3, &raw mut value))?;
        Ok(value != 0)
    }

    /// `fmi2GetRealStatus(fmi2LastSuccessfulTime)` after a discarded step, in s.
    pub fn last_successful_time(&mut self) -> Result<f64, FailedCall> {
        let mut value = 0.0;
        call!(self.fmi2GetRealStatus(2, &raw mut value))?;
        Ok(value)
    }

    /// The messages since the last call; from here on, all messages are stored.
    pub fn take_messages(&mut self) -> Vec<Message> {
        let mut log = self.log.content();
        log.keep = true;
        std::mem::take(&mut log.messages)
    }

    /// The first different warnings of the instance.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log.content().warnings)
    }

    /// Converts a status to a result. A code that is not a status has no meaning, as from a
    /// function without `return`: it is stored for [`take_unknown_statuses`], and the call counts
    /// as successful.
    pub(super) fn judge(&mut self, function: &'static str, code: c_int) -> Result<(), FailedCall> {
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
                Err(FailedCall { function, status, message: self.log.last() })
            }
        }
    }
}
