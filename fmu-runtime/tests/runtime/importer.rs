//! An importer: one instance, its messages, and its functions with Rust's types.
#![allow(unsafe_code, reason = "it calls the C interface")]

use fmu_runtime::abi;
use fmu_runtime::equations::ModelLoader;
use fmu_runtime::fmi2::*;
use fmu_runtime::system::System;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};

/// A message as the importer received it.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub instance: String,
    pub status: fmi2Status,
    pub category: String,
    pub format: String,
    pub text: String,
}

/// Receives the text as the sixth argument, where the calling conventions of the tested platforms
/// place the first variadic argument.
unsafe extern "C" fn receive(
    environment: fmi2ComponentEnvironment,
    instance: fmi2String,
    status: fmi2Status,
    category: fmi2String,
    format: fmi2String,
    text: fmi2String,
) {
    let string = |text: fmi2String| unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned();
    let messages = unsafe { &*environment.cast::<RefCell<Vec<Message>>>() };
    messages.borrow_mut().push(Message {
        instance: string(instance),
        status,
        category: string(category),
        format: string(format),
        text: string(text),
    });
}

type Fixed = unsafe extern "C" fn(
    fmi2ComponentEnvironment,
    fmi2String,
    fmi2Status,
    fmi2String,
    fmi2String,
    fmi2String,
);

/// The logger with the variadic type that FMI prescribes.
pub fn logger() -> fmi2CallbackLogger {
    unsafe { std::mem::transmute::<Fixed, fmi2CallbackLogger>(receive) }
}

/// One instance.
pub struct Fmu {
    pub c: fmi2Component,
    messages: Box<RefCell<Vec<Message>>>,
}

/// The status of a call and its result; the caller states which status it expects.
pub type Answer<T> = (fmi2Status, T);

impl Fmu {
    pub fn me<T: System>() -> Fmu {
        Fmu::new::<T>(fmi2ModelExchange)
    }

    pub fn cs<T: System>() -> Fmu {
        Fmu::new::<T>(fmi2CoSimulation)
    }

    pub fn new<T: System>(fmu_type: fmi2Type) -> Fmu {
        let fmu = Fmu::try_new::<T>(Some(c"test"), fmu_type, Some(T::INFO.guid), true);
        assert!(!fmu.c.is_null());
        fmu
    }

    pub fn try_new<T: System>(
        name: Option<&CStr>,
        fmu_type: fmi2Type,
        guid: Option<&str>,
        logging_on: bool,
    ) -> Fmu {
        Fmu::instantiate::<T>(name, fmu_type, guid, None, logging_on)
    }

    /// An instance of the model that a library finds at a resource location; its component may be
    /// null.
    pub fn instantiate<L: ModelLoader>(
        name: Option<&CStr>,
        fmu_type: fmi2Type,
        guid: Option<&str>,
        resources: Option<&CStr>,
        logging_on: bool,
    ) -> Fmu {
        let messages = Box::new(RefCell::new(Vec::new()));
        let functions = fmi2CallbackFunctions {
            logger: Some(logger()),
            allocateMemory: None,
            freeMemory: None,
            stepFinished: None,
            componentEnvironment: (&raw const *messages).cast_mut().cast::<c_void>(),
        };
        let guid = guid.map(|guid| CString::new(guid).unwrap());
        let c = unsafe {
            abi::fmi2Instantiate::<L>(
                name.map_or(null(), CStr::as_ptr),
                fmu_type,
                guid.as_deref().map_or(null(), CStr::as_ptr),
                resources.map_or(null(), CStr::as_ptr),
                &functions,
                fmi2False,
                i32::from(logging_on),
            )
        };
        Fmu { c, messages }
    }

    /// An instance for Co-Simulation after initialization.
    pub fn cs_from<T: System>(start: f64, set: &[(u32, f64)]) -> Fmu {
        let fmu = Fmu::cs::<T>();
        fmu.initialize(start, set);
        fmu
    }

    /// An instance for Model Exchange in Continuous-Time Mode.
    pub fn me_from<T: System>(start: f64, set: &[(u32, f64)]) -> Fmu {
        let fmu = Fmu::me::<T>();
        fmu.initialize(start, set);
        fmu.iterate_events();
        assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
        fmu
    }

    pub fn initialize(&self, start: f64, set: &[(u32, f64)]) {
        assert_eq!(self.setup(start, None), fmi2OK);
        for &(reference, value) in set {
            assert_eq!(self.set_real(&[reference], &[value]), fmi2OK);
        }
        assert_eq!(self.enter_initialization_mode(), fmi2OK);
        assert_eq!(self.exit_initialization_mode(), fmi2OK);
    }

    /// Iterates events until no iteration is needed; returns the last information, and whether
    /// states changed.
    pub fn iterate_events(&self) -> (fmi2EventInfo, bool) {
        let mut states_changed = false;
        loop {
            let (status, event) = self.new_discrete_states();
            assert_eq!(status, fmi2OK);
            states_changed |= event.valuesOfContinuousStatesChanged != 0;
            if event.newDiscreteStatesNeeded == 0 {
                return (event, states_changed);
            }
        }
    }

    pub fn messages(&self) -> Vec<Message> {
        self.messages.borrow().clone()
    }

    pub fn clear_messages(&self) {
        self.messages.borrow_mut().clear();
    }

    /// The text of the last message.
    pub fn last_text(&self) -> String {
        self.messages.borrow().last().map_or(String::new(), |message| message.text.clone())
    }

    pub fn setup(&self, start: f64, stop: Option<f64>) -> fmi2Status {
        self.setup_with(None, start, stop)
    }

    pub fn setup_with(&self, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> fmi2Status {
        unsafe {
            abi::fmi2SetupExperiment(
                self.c,
                i32::from(tolerance.is_some()),
                tolerance.unwrap_or(f64::NAN),
                start,
                i32::from(stop.is_some()),
                stop.unwrap_or(f64::NAN),
            )
        }
    }

    pub fn set_debug_logging(&self, on: bool, categories: &[Option<&CStr>]) -> fmi2Status {
        let names: Vec<_> =
            categories.iter().map(|name| name.map_or(null(), CStr::as_ptr)).collect();
        unsafe { abi::fmi2SetDebugLogging(self.c, i32::from(on), names.len(), names.as_ptr()) }
    }

    pub fn real(&self, reference: u32) -> f64 {
        let (status, value) = self.get_real(reference);
        assert_eq!(status, fmi2OK, "{}", self.last_text());
        value
    }

    pub fn get_real(&self, reference: u32) -> Answer<f64> {
        let mut value = f64::MAX;
        (unsafe { abi::fmi2GetReal(self.c, &reference, 1, &mut value) }, value)
    }

    pub fn get_integer(&self, reference: u32) -> Answer<i32> {
        let mut value = i32::MAX;
        (unsafe { abi::fmi2GetInteger(self.c, &reference, 1, &mut value) }, value)
    }

    pub fn get_boolean(&self, reference: u32) -> Answer<i32> {
        let mut value = i32::MAX;
        (unsafe { abi::fmi2GetBoolean(self.c, &reference, 1, &mut value) }, value)
    }

    pub fn get_string(&self, reference: u32) -> fmi2Status {
        unsafe { abi::fmi2GetString(self.c, &reference, 1, &mut std::ptr::null()) }
    }

    pub fn set_real(&self, references: &[u32], values: &[f64]) -> fmi2Status {
        let n = references.len();
        unsafe { abi::fmi2SetReal(self.c, references.as_ptr(), n, values.as_ptr()) }
    }

    pub fn set_integer(&self, reference: u32, value: i32) -> fmi2Status {
        unsafe { abi::fmi2SetInteger(self.c, &reference, 1, &value) }
    }

    pub fn set_boolean(&self, reference: u32, value: i32) -> fmi2Status {
        unsafe { abi::fmi2SetBoolean(self.c, &reference, 1, &value) }
    }

    pub fn set_slope(&self, reference: u32, order: i32, value: f64) -> fmi2Status {
        unsafe { abi::fmi2SetRealInputDerivatives(self.c, &reference, 1, &order, &value) }
    }

    pub fn slope(&self, reference: u32, order: i32) -> Answer<f64> {
        let mut value = f64::MAX;
        let status =
            unsafe { abi::fmi2GetRealOutputDerivatives(self.c, &reference, 1, &order, &mut value) };
        (status, value)
    }

    pub fn output_derivatives(&self, references: &[u32], orders: &[i32]) -> Answer<Vec<f64>> {
        let mut values = vec![f64::MAX; references.len()];
        let (n, target) = (references.len(), values.as_mut_ptr());
        let (references, orders) = (references.as_ptr(), orders.as_ptr());
        let status =
            unsafe { abi::fmi2GetRealOutputDerivatives(self.c, references, n, orders, target) };
        (status, values)
    }

    pub fn new_discrete_states(&self) -> Answer<fmi2EventInfo> {
        let mut event = fmi2EventInfo {
            newDiscreteStatesNeeded: 0x2a2a,
            terminateSimulation: 0x2a2a,
            nominalsOfContinuousStatesChanged: 0x2a2a,
            valuesOfContinuousStatesChanged: 0x2a2a,
            nextEventTimeDefined: 0x2a2a,
            nextEventTime: f64::NAN,
        };
        (unsafe { abi::fmi2NewDiscreteStates(self.c, &mut event) }, event)
    }

    pub fn completed_integrator_step(&self) -> Answer<(fmi2Boolean, fmi2Boolean)> {
        let (mut enter, mut terminate) = (7, 7);
        let status = unsafe {
            abi::fmi2CompletedIntegratorStep(self.c, fmi2True, &mut enter, &mut terminate)
        };
        (status, (enter, terminate))
    }

    pub fn set_time(&self, t: f64) -> fmi2Status {
        unsafe { abi::fmi2SetTime(self.c, t) }
    }

    pub fn set_states(&self, x: &[f64]) -> fmi2Status {
        unsafe { abi::fmi2SetContinuousStates(self.c, x.as_ptr(), x.len()) }
    }

    pub fn states(&self, n: usize) -> Answer<Vec<f64>> {
        let mut x = vec![f64::MAX; n];
        (unsafe { abi::fmi2GetContinuousStates(self.c, x.as_mut_ptr(), n) }, x)
    }

    pub fn derivatives(&self, n: usize) -> Answer<Vec<f64>> {
        let mut dx = vec![f64::MAX; n];
        (unsafe { abi::fmi2GetDerivatives(self.c, dx.as_mut_ptr(), n) }, dx)
    }

    pub fn indicators(&self, n: usize) -> Answer<Vec<f64>> {
        let mut z = vec![f64::MAX; n];
        (unsafe { abi::fmi2GetEventIndicators(self.c, z.as_mut_ptr(), n) }, z)
    }

    pub fn nominals(&self, n: usize) -> Answer<Vec<f64>> {
        let mut nominals = vec![f64::MAX; n];
        let status =
            unsafe { abi::fmi2GetNominalsOfContinuousStates(self.c, nominals.as_mut_ptr(), n) };
        (status, nominals)
    }

    pub fn step(&self, t: f64, h: f64) -> fmi2Status {
        unsafe { abi::fmi2DoStep(self.c, t, h, fmi2True) }
    }

    /// Makes steps of length `h` from `t` on, all of which must succeed, and returns the time
    /// reached.
    pub fn steps(&self, t: f64, h: f64, count: usize) -> f64 {
        for i in 0..count {
            let status = self.step(t + i as f64 * h, h);
            assert_eq!(status, fmi2OK, "{}", self.last_text());
        }
        t + count as f64 * h
    }

    pub fn directional(&self, unknowns: &[u32], knowns: &[u32], seeds: &[f64]) -> Answer<Vec<f64>> {
        let mut values = vec![f64::MAX; unknowns.len()];
        let status = unsafe {
            abi::fmi2GetDirectionalDerivative(
                self.c,
                unknowns.as_ptr(),
                unknowns.len(),
                knowns.as_ptr(),
                knowns.len(),
                seeds.as_ptr(),
                values.as_mut_ptr(),
            )
        };
        (status, values)
    }

    pub fn last_successful_time(&self) -> Answer<f64> {
        let mut value = f64::NAN;
        let status = unsafe { abi::fmi2GetRealStatus(self.c, fmi2LastSuccessfulTime, &mut value) };
        (status, value)
    }

    pub fn terminated(&self) -> Answer<fmi2Boolean> {
        let mut value = 7;
        (unsafe { abi::fmi2GetBooleanStatus(self.c, fmi2Terminated, &mut value) }, value)
    }

    pub fn get_state(&self) -> fmi2FMUstate {
        let mut state = null_mut();
        assert_eq!(self.get_state_into(&mut state), fmi2OK);
        state
    }

    pub fn get_state_into(&self, state: &mut fmi2FMUstate) -> fmi2Status {
        unsafe { abi::fmi2GetFMUstate(self.c, state) }
    }

    pub fn set_state(&self, state: fmi2FMUstate) -> fmi2Status {
        unsafe { abi::fmi2SetFMUstate(self.c, state) }
    }

    pub fn free_state(&self, state: &mut fmi2FMUstate) -> fmi2Status {
        unsafe { abi::fmi2FreeFMUstate(self.c, state) }
    }

    pub fn serialized_size(&self, state: fmi2FMUstate) -> Answer<usize> {
        let mut size = usize::MAX;
        (unsafe { abi::fmi2SerializedFMUstateSize(self.c, state, &mut size) }, size)
    }

    pub fn serialize(&self, state: fmi2FMUstate, size: usize) -> Answer<Vec<u8>> {
        let mut bytes = vec![0_u8; size];
        let status =
            unsafe { abi::fmi2SerializeFMUstate(self.c, state, bytes.as_mut_ptr().cast(), size) };
        (status, bytes)
    }

    pub fn deserialize(&self, bytes: &[u8]) -> Answer<fmi2FMUstate> {
        let mut state = null_mut();
        (self.deserialize_into(bytes, &mut state), state)
    }

    pub fn deserialize_into(&self, bytes: &[u8], state: &mut fmi2FMUstate) -> fmi2Status {
        unsafe { abi::fmi2DeSerializeFMUstate(self.c, bytes.as_ptr().cast(), bytes.len(), state) }
    }
}

/// Functions whose only argument is the instance.
macro_rules! plain {
    ($($name:ident $function:ident)*) => {
        impl Fmu {
            $(pub fn $name(&self) -> fmi2Status {
                unsafe { abi::$function(self.c) }
            })*
        }
    };
}

plain! {
    enter_initialization_mode fmi2EnterInitializationMode
    exit_initialization_mode fmi2ExitInitializationMode
    terminate fmi2Terminate
    reset fmi2Reset
    enter_event_mode fmi2EnterEventMode
    enter_continuous_time_mode fmi2EnterContinuousTimeMode
    cancel_step fmi2CancelStep
}

impl Drop for Fmu {
    fn drop(&mut self) {
        unsafe { abi::fmi2FreeInstance(self.c) }
    }
}
