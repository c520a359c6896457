//! The C types of FMI 2.0 and the signatures of its 44 functions, for the library and for hosts.
#![allow(
    non_camel_case_types,
    non_upper_case_globals,
    non_snake_case,
    reason = "the names are those of the C interface"
)]

use std::ffi::{c_char, c_double, c_int, c_uint, c_void};

/// An instance of an FMU.
pub type fmi2Component = *mut c_void;
/// The importer's pointer that every callback receives.
pub type fmi2ComponentEnvironment = *mut c_void;
/// A stored state of an instance.
pub type fmi2FMUstate = *mut c_void;
/// The handle of a variable, in the name space of its base type.
pub type fmi2ValueReference = c_uint;
/// Real number.
pub type fmi2Real = c_double;
/// Whole number, also the value of an enumeration.
pub type fmi2Integer = c_int;
/// Truth value: [`fmi2False`] or [`fmi2True`].
pub type fmi2Boolean = c_int;
/// A text in UTF-8 that ends in NUL.
pub type fmi2String = *const c_char;
/// A byte of a serialised state.
pub type fmi2Byte = c_char;

/// Truth value 0.
pub const fmi2False: fmi2Boolean = 0;
/// Truth value 1.
pub const fmi2True: fmi2Boolean = 1;

/// The result of a call.
pub type fmi2Status = c_int;
/// The call succeeded.
pub const fmi2OK: fmi2Status = 0;
/// Something is questionable, but the computation continues.
pub const fmi2Warning: fmi2Status = 1;
/// The call could not be carried out; a smaller step may succeed.
pub const fmi2Discard: fmi2Status = 2;
/// The instance cannot continue; it can be reset or set to a stored state.
pub const fmi2Error: fmi2Status = 3;
/// The instance is lost.
pub const fmi2Fatal: fmi2Status = 4;
/// The step is still being computed.
pub const fmi2Pending: fmi2Status = 5;

/// Whether an instance is used for Model Exchange or for Co-Simulation.
pub type fmi2Type = c_int;
/// Model Exchange.
pub const fmi2ModelExchange: fmi2Type = 0;
/// Co-Simulation.
pub const fmi2CoSimulation: fmi2Type = 1;

/// The kind of information that a status function returns.
pub type fmi2StatusKind = c_int;
/// The result of the step.
pub const fmi2DoStepStatus: fmi2StatusKind = 0;
/// A text about a pending step.
pub const fmi2PendingStatus: fmi2StatusKind = 1;
/// The time until which the last step succeeded.
pub const fmi2LastSuccessfulTime: fmi2StatusKind = 2;
/// Whether the model asked to end the simulation.
pub const fmi2Terminated: fmi2StatusKind = 3;

/// The importer's logger; `message` is a format of `printf`.
pub type fmi2CallbackLogger = unsafe extern "C" fn(
    environment: fmi2ComponentEnvironment,
    instance_name: fmi2String,
    status: fmi2Status,
    category: fmi2String,
    message: fmi2String,
    ...
);
/// The importer's allocator of zeroed memory.
pub type fmi2CallbackAllocateMemory =
    unsafe extern "C" fn(count: usize, size: usize) -> *mut c_void;
/// The importer's release of memory.
pub type fmi2CallbackFreeMemory = unsafe extern "C" fn(block: *mut c_void);
/// Called at the end of an asynchronous step.
pub type fmi2StepFinished =
    unsafe extern "C" fn(environment: fmi2ComponentEnvironment, status: fmi2Status);

/// The functions that the importer offers to an instance.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct fmi2CallbackFunctions {
    pub logger: Option<fmi2CallbackLogger>,
    pub allocateMemory: Option<fmi2CallbackAllocateMemory>,
    pub freeMemory: Option<fmi2CallbackFreeMemory>,
    pub stepFinished: Option<fmi2StepFinished>,
    pub componentEnvironment: fmi2ComponentEnvironment,
}

/// The result of one event iteration.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct fmi2EventInfo {
    pub newDiscreteStatesNeeded: fmi2Boolean,
    pub terminateSimulation: fmi2Boolean,
    pub nominalsOfContinuousStatesChanged: fmi2Boolean,
    pub valuesOfContinuousStatesChanged: fmi2Boolean,
    pub nextEventTimeDefined: fmi2Boolean,
    pub nextEventTime: fmi2Real,
}

/// Passes the signatures of all functions to a macro:
/// `then! { [extra tokens] fn name(..) -> ..; .. }`.
///
/// The types are named as in [`fmi2`](crate::fmi::fmi2) and must be in scope where the macro is
/// expanded. `fmi2Instantiate` comes first.
#[macro_export]
macro_rules! fmi2_functions {
    ([$($then:tt)+] [$($extra:tt)*]) => {
        $($then)+! {
            [$($extra)*]
            fn fmi2Instantiate(
                name: fmi2String, fmu_type: fmi2Type, guid: fmi2String, resources: fmi2String,
                functions: *const fmi2CallbackFunctions, visible: fmi2Boolean,
                logging_on: fmi2Boolean
            ) -> fmi2Component;
            fn fmi2FreeInstance(c: fmi2Component) -> ();
            fn fmi2GetTypesPlatform() -> fmi2String;
            fn fmi2GetVersion() -> fmi2String;
            fn fmi2SetDebugLogging(
                c: fmi2Component, logging_on: fmi2Boolean, n: usize,
                categories: *const fmi2String
            ) -> fmi2Status;
            fn fmi2SetupExperiment(
                c: fmi2Component, tolerance_defined: fmi2Boolean, tolerance: fmi2Real,
                start_time: fmi2Real, stop_time_defined: fmi2Boolean, stop_time: fmi2Real
            ) -> fmi2Status;
            fn fmi2EnterInitializationMode(c: fmi2Component) -> fmi2Status;
            fn fmi2ExitInitializationMode(c: fmi2Component) -> fmi2Status;
            fn fmi2Terminate(c: fmi2Component) -> fmi2Status;
            fn fmi2Reset(c: fmi2Component) -> fmi2Status;
            fn fmi2GetReal(
                c: fmi2Component, references: *const fmi2ValueReference, n: usize,
                values: *mut fmi2Real
            ) -> fmi2Status;
            fn fmi2GetInteger(
                c: fmi2Component, references: *const fmi2ValueReference, n: usize,
                values: *mut fmi2Integer
            ) -> fmi2Status;
            fn fmi2GetBoolean(
                c: fmi2Component, references: *const fmi2ValueReference, n: usize,
                values: *mut fmi2Boolean
            ) -> fmi2Status;
            fn fmi2GetString(
                c: fmi2Component, references: *const fmi2ValueReference, n: usize,
                values: *mut fmi2String
            ) -> fmi2Status;
            fn fmi2SetReal(
                c: fmi2Component, references: *const fmi2ValueReference, n: usize,
                values: *const fmi2Real
            ) -> fmi2Status;
            fn fmi2SetInteger(
                c: fmi2Component, references: *const fmi2ValueReference, n: usize,
                values: *const fmi2Integer
            ) -> fmi2Status;
            fn fmi2SetBoolean(
                c: fmi2Component, references: *const fmi2ValueReference, n: usize,
                values: *const fmi2Boolean
            ) -> fmi2Status;
            fn fmi2SetString(
                c: fmi2Component, references: *const fmi2ValueReference, n: usize,
                values: *const fmi2String
            ) -> fmi2Status;
            fn fmi2GetFMUstate(c: fmi2Component, state: *mut fmi2FMUstate) -> fmi2Status;
            fn fmi2SetFMUstate(c: fmi2Component, state: fmi2FMUstate) -> fmi2Status;
            fn fmi2FreeFMUstate(c: fmi2Component, state: *mut fmi2FMUstate) -> fmi2Status;
            fn fmi2SerializedFMUstateSize(
                c: fmi2Component, state: fmi2FMUstate, size: *mut usize
            ) -> fmi2Status;
            fn fmi2SerializeFMUstate(
                c: fmi2Component, state: fmi2FMUstate, bytes: *mut fmi2Byte, size: usize
            ) -> fmi2Status;
            fn fmi2DeSerializeFMUstate(
                c: fmi2Component, bytes: *const fmi2Byte, size: usize, state: *mut fmi2FMUstate
            ) -> fmi2Status;
            fn fmi2GetDirectionalDerivative(
                c: fmi2Component, unknowns: *const fmi2ValueReference, n_unknowns: usize,
                knowns: *const fmi2ValueReference, n_knowns: usize, seeds: *const fmi2Real,
                sensitivities: *mut fmi2Real
            ) -> fmi2Status;
            fn fmi2EnterEventMode(c: fmi2Component) -> fmi2Status;
            fn fmi2NewDiscreteStates(c: fmi2Component, info: *mut fmi2EventInfo) -> fmi2Status;
            fn fmi2EnterContinuousTimeMode(c: fmi2Component) -> fmi2Status;
            fn fmi2CompletedIntegratorStep(
                c: fmi2Component, no_set_state_prior: fmi2Boolean,
                enter_event_mode: *mut fmi2Boolean, terminate_simulation: *mut fmi2Boolean
            ) -> fmi2Status;
            fn fmi2SetTime(c: fmi2Component, time: fmi2Real) -> fmi2Status;
            fn fmi2SetContinuousStates(
                c: fmi2Component, x: *const fmi2Real, n: usize
            ) -> fmi2Status;
            fn fmi2GetDerivatives(
                c: fmi2Component, derivatives: *mut fmi2Real, n: usize
            ) -> fmi2Status;
            fn fmi2GetEventIndicators(
                c: fmi2Component, indicators: *mut fmi2Real, n: usize
            ) -> fmi2Status;
            fn fmi2GetContinuousStates(c: fmi2Component, x: *mut fmi2Real, n: usize) -> fmi2Status;
            fn fmi2GetNominalsOfContinuousStates(
                c: fmi2Component, nominals: *mut fmi2Real, n: usize
            ) -> fmi2Status;
            fn fmi2SetRealInputDerivatives(
                c: fmi2Component, references: *const fmi2ValueReference, n: usize,
                orders: *const fmi2Integer, values: *const fmi2Real
            ) -> fmi2Status;
            fn fmi2GetRealOutputDerivatives(
                c: fmi2Component, references: *const fmi2ValueReference, n: usize,
                orders: *const fmi2Integer, values: *mut fmi2Real
            ) -> fmi2Status;
            fn fmi2DoStep(
                c: fmi2Component, current_communication_point: fmi2Real,
                communication_step_size: fmi2Real, no_set_state_prior: fmi2Boolean
            ) -> fmi2Status;
            fn fmi2CancelStep(c: fmi2Component) -> fmi2Status;
            fn fmi2GetStatus(
                c: fmi2Component, kind: fmi2StatusKind, value: *mut fmi2Status
            ) -> fmi2Status;
            fn fmi2GetRealStatus(
                c: fmi2Component, kind: fmi2StatusKind, value: *mut fmi2Real
            ) -> fmi2Status;
            fn fmi2GetIntegerStatus(
                c: fmi2Component, kind: fmi2StatusKind, value: *mut fmi2Integer
            ) -> fmi2Status;
            fn fmi2GetBooleanStatus(
                c: fmi2Component, kind: fmi2StatusKind, value: *mut fmi2Boolean
            ) -> fmi2Status;
            fn fmi2GetStringStatus(
                c: fmi2Component, kind: fmi2StatusKind, value: *mut fmi2String
            ) -> fmi2Status;
        }
    };
}

macro_rules! functions {
    ([] $(fn $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        /// Pointers to the functions of a library, for a host.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, reason = "the names are self-explanatory")]
        pub struct Functions {
            $(pub $name: unsafe extern "C" fn($($argument: $type),*) -> $answer,)*
        }

        impl Functions {
            /// The names of the functions, in the order of the fields.
            pub const NAMES: [&str; 44] = [$(stringify!($name)),*];
        }
    };
}

fmi2_functions!([functions] []);

const _: () = {
    use std::mem::{offset_of, size_of};
    let word = size_of::<usize>();
    assert!(size_of::<fmi2CallbackFunctions>() == 5 * word);
    assert!(word != 8 || size_of::<fmi2EventInfo>() == 32);
    assert!(word != 8 || offset_of!(fmi2EventInfo, nextEventTime) == 24);
};
