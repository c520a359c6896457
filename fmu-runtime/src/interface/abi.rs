//! The C interface: the 44 functions, the checks around each of them, and the `export!` macro.
//!
//! This is the only module with `unsafe`. Every function refuses a null instance and calls out of
//! order, turns pointers and lengths into slices, and catches panics. The meaning of a call is
//! implemented by the methods of `Instance`.
#![allow(
    unsafe_code,
    non_snake_case,
    clippy::missing_safety_doc,
    clippy::too_many_arguments,
    reason = "the C interface dictates names, pointers and argument lists; only here is code unsafe"
)]

use crate::fmi::calls::{FmiFunction, FmuType};
use crate::fmi::fmi2::*;
use crate::fmi::log::{Category, Log, Sink};
use crate::instance::Instance;
use crate::interface::handles;
use crate::model::equations::{LoadedModel, ModelLoader};
use crate::model::resources;
use std::ffi::{CStr, CString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// Exports an FMI 2.0 library: a [`System`](crate::system::System), emitted or written by hand, or
/// the model that another [`ModelLoader`](crate::equations::ModelLoader) finds.
#[macro_export]
macro_rules! export {
    ($model:ty) => {
        $crate::fmi2_functions!([$crate::fmi2_exports][$model]);
    };
}

/// The exported functions: thunks to the functions of the same name in [`abi`](crate::abi).
#[doc(hidden)]
#[macro_export]
macro_rules! fmi2_exports {
    (
        [$model:ty]
        fn fmi2Instantiate($($a:ident: $type:ty),*) -> $component:ty;
        $(fn $name:ident($($argument:ident: $argument_type:ty),*) -> $answer:ty;)*
    ) => {
        #[allow(
            unsafe_code,
            non_snake_case,
            missing_docs,
            reason = "names and signatures are those of the C interface"
        )]
        const _: () = {
            use $crate::fmi2::*;

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2Instantiate($($a: $type),*) -> $component {
                unsafe { $crate::abi::fmi2Instantiate::<$model>($($a),*) }
            }

            $(
                #[unsafe(no_mangle)]
                pub unsafe extern "C" fn $name($($argument: $argument_type),*) -> $answer {
                    unsafe { $crate::abi::$name($($argument),*) }
                }
            )*
        };
    };
}

macro_rules! table {
    (
        []
        fn fmi2Instantiate($($a:ident: $type:ty),*) -> $component:ty;
        $(fn $name:ident($($argument:ident: $argument_type:ty),*) -> $answer:ty;)*
    ) => {
        /// The functions of a library, for a host in the same process that does not load one.
        pub const fn functions<L: ModelLoader>() -> Functions {
            Functions { fmi2Instantiate: fmi2Instantiate::<L>, $($name),* }
        }
    };
}

crate::fmi2_functions!([table] []);

/// The part of the importer that an instance stores: its logger.
#[derive(Clone)]
pub(crate) struct Callbacks {
    logger: Option<fmi2CallbackLogger>,
    environment: fmi2ComponentEnvironment,
    instance_name: CString,
}

impl Sink for Callbacks {
    /// Sends a message; the text is the argument of a fixed format.
    fn log(&self, status: fmi2Status, category: &CStr, text: &CStr) {
        if let Some(logger) = self.logger {
            // SAFETY: the importer's function, called with the types that FMI prescribes; all
            // strings end in NUL and live during the call.
            unsafe {
                logger(
                    self.environment,
                    self.instance_name.as_ptr(),
                    status,
                    category.as_ptr(),
                    c"%s".as_ptr(),
                    text.as_ptr(),
                );
            }
        }
    }
}

/// Runs the body of a function if the instance exists and its state allows the call.
#[inline(always)]
fn guard(
    c: fmi2Component,
    function: FmiFunction,
    body: impl FnOnce(&mut Instance) -> fmi2Status,
) -> fmi2Status {
    guard_with(c, function, || Some(()), |instance, ()| body(instance))
}

/// The same for a function with pointers, which are `None` if one of them is null.
#[inline(always)]
fn guard_with<P>(
    c: fmi2Component,
    function: FmiFunction,
    pointers: impl FnOnce() -> Option<P>,
    body: impl FnOnce(&mut Instance, P) -> fmi2Status,
) -> fmi2Status {
    // SAFETY: an instance in the table exists; the importer does not use one instance from two
    // threads at the same time.
    let Some(instance) = (unsafe { handles::find(c).as_mut() }) else {
        return fmi2Error;
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| match pointers() {
        Some(pointers) => instance.perform(function, |instance| body(instance, pointers)),
        None => instance.refuse_null_pointer(function),
    }));
    match outcome {
        Ok(status) => status,
        Err(payload) => {
            let text = panic_text(payload.as_ref());
            // The panic may have come from the logger.
            let _ = catch_unwind(AssertUnwindSafe(|| instance.poison(function, text)));
            fmi2Fatal
        }
    }
}

fn panic_text(payload: &(dyn std::any::Any + Send)) -> &str {
    match payload.downcast_ref::<&str>() {
        Some(text) => text,
        None => payload.downcast_ref::<String>().map_or("unknown reason", String::as_str),
    }
}

/// A slice from a pointer and a length; `None` for a null pointer with a length.
unsafe fn slice<'a, T>(pointer: *const T, n: usize) -> Option<&'a [T]> {
    if n == 0 {
        Some(&[])
    } else if pointer.is_null() {
        None
    } else {
        // SAFETY: the importer promises `n` readable elements.
        Some(unsafe { from_raw_parts(pointer, n) })
    }
}

/// A mutable slice from a pointer and a length; `None` for a null pointer with a length.
unsafe fn slice_mut<'a, T>(pointer: *mut T, n: usize) -> Option<&'a mut [T]> {
    if n == 0 {
        Some(&mut [])
    } else if pointer.is_null() {
        None
    } else {
        // SAFETY: the importer promises `n` writable elements that it does not touch meanwhile.
        Some(unsafe { from_raw_parts_mut(pointer, n) })
    }
}

/// A text from a pointer; `None` for null.
unsafe fn text<'a>(pointer: fmi2String) -> Option<&'a CStr> {
    // SAFETY: the importer promises a text that ends in NUL.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

/// A [`guard`] whose body has every pointer argument as slice or reference.
macro_rules! with_pointers {
    ($c:ident, $function:ident, $($name:ident = $value:expr),+ => |$instance:ident| $body:expr) => {
        guard_with(
            $c,
            FmiFunction::$function,
            || match ($(unsafe { $value },)+) {
                ($(Some($name),)+) => Some(($($name,)+)),
                _ => None,
            },
            |$instance, ($($name,)+)| $body,
        )
    };
}

pub unsafe extern "C" fn fmi2GetTypesPlatform() -> fmi2String {
    c"default".as_ptr()
}

pub unsafe extern "C" fn fmi2GetVersion() -> fmi2String {
    c"2.0".as_ptr()
}

pub unsafe extern "C" fn fmi2Instantiate<L: ModelLoader>(
    name: fmi2String,
    fmu_type: fmi2Type,
    guid: fmi2String,
    resources: fmi2String,
    functions: *const fmi2CallbackFunctions,
    _visible: fmi2Boolean,
    logging_on: fmi2Boolean,
) -> fmi2Component {
    // SAFETY: null or a callback structure that lives during the call.
    let Some(functions) = (unsafe { functions.as_ref() }) else {
        return null_mut();
    };
    let (name, guid) = unsafe { (text(name), text(guid)) };
    let name = name.filter(|name| name.to_bytes().iter().any(|byte| !byte.is_ascii_whitespace()));
    let callbacks = Callbacks {
        logger: functions.logger,
        environment: functions.componentEnvironment,
        instance_name: name.unwrap_or(c"unnamed").to_owned(),
    };
    let for_panics = callbacks.clone();
    let created = catch_unwind(AssertUnwindSafe(|| {
        let mut log = Log::new(Box::new(callbacks), logging_on != fmi2False);
        let resources = unsafe { text(resources) };
        let LoadedModel { model, place } = match L::model(resources) {
            Ok(origin) => origin,
            Err(reason) => {
                log.send(fmi2Error, Category::StatusError, format_args!("{reason}"));
                return None;
            }
        };
        let info = model.info();
        let fmu_type = match fmu_type {
            fmi2ModelExchange => Some(FmuType::ModelExchange),
            fmi2CoSimulation => Some(FmuType::CoSimulation),
            _ => None,
        };
        let refuse = |log: &mut Log, reason: std::fmt::Arguments| {
            log.send(fmi2Error, Category::StatusError, format_args!("{}: {reason}", info.name));
            None
        };
        let Some(fmu_type) = fmu_type.filter(|_| name.is_some()) else {
            return match name {
                None => refuse(&mut log, format_args!("the instance name is missing or blank")),
                _ => refuse(
                    &mut log,
                    format_args!("neither Model Exchange nor Co-Simulation was asked for"),
                ),
            };
        };
        if guid.map(CStr::to_bytes) != Some(info.guid.as_bytes()) {
            let given = guid.unwrap_or_default().to_string_lossy();
            let reason =
                format_args!("{place}: the GUID is {}, but {given} was asked for", info.guid);
            log.send(fmi2Error, Category::StatusError, reason);
            return None;
        }
        match resources::load(info, resources) {
            Ok(tables) => {
                Some(handles::register(Box::new(Instance::new(model, tables, fmu_type, log))))
            }
            Err(reason) => refuse(&mut log, format_args!("{reason}")),
        }
    }));
    let instance = created.unwrap_or_else(|payload| {
        let text = panic_text(payload.as_ref());
        let reason = format_args!("fmi2Instantiate: internal fault: {text}");
        // The panic may have come from the logger.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            Log::new(Box::new(for_panics), true).send(fmi2Fatal, Category::StatusFatal, reason);
        }));
        None
    });
    instance.unwrap_or(null_mut())
}

pub unsafe extern "C" fn fmi2FreeInstance(c: fmi2Component) {
    let instance = handles::remove(c);
    if !instance.is_null() {
        // SAFETY: a box that `fmi2Instantiate` gave to the table, and that no other call can find.
        let instance = unsafe { Box::from_raw(instance) };
        let _ = catch_unwind(AssertUnwindSafe(|| drop(instance)));
    }
}

pub unsafe extern "C" fn fmi2SetDebugLogging(
    c: fmi2Component,
    logging_on: fmi2Boolean,
    n: usize,
    categories: *const fmi2String,
) -> fmi2Status {
    with_pointers!(c, SetDebugLogging, names = slice(categories, n) => |instance| {
        let names = names.iter().map(|&name| unsafe { text(name) });
        instance.set_debug_logging(logging_on != fmi2False, names)
    })
}

pub unsafe extern "C" fn fmi2SetupExperiment(
    c: fmi2Component,
    tolerance_defined: fmi2Boolean,
    tolerance: fmi2Real,
    start_time: fmi2Real,
    stop_time_defined: fmi2Boolean,
    stop_time: fmi2Real,
) -> fmi2Status {
    guard(c, FmiFunction::SetupExperiment, |instance| {
        instance.setup_experiment(
            (tolerance_defined != fmi2False).then_some(tolerance),
            start_time,
            (stop_time_defined != fmi2False).then_some(stop_time),
        )
    })
}

/// Functions whose only argument is the instance.
macro_rules! plain {
    ($($name:ident $function:ident $method:ident;)*) => {
        $(pub unsafe extern "C" fn $name(c: fmi2Component) -> fmi2Status {
            guard(c, FmiFunction::$function, |instance| instance.$method())
        })*
    };
}

plain! {
    fmi2EnterInitializationMode EnterInitializationMode enter_initialization_mode;
    fmi2ExitInitializationMode ExitInitializationMode exit_initialization_mode;
    fmi2Terminate Terminate terminate;
    fmi2Reset Reset reset;
    fmi2EnterEventMode EnterEventMode enter_event_mode;
    fmi2EnterContinuousTimeMode EnterContinuousTimeMode enter_continuous_time_mode;
}

/// Steps are synchronous, so the call table never allows this function.
pub unsafe extern "C" fn fmi2CancelStep(c: fmi2Component) -> fmi2Status {
    guard(c, FmiFunction::CancelStep, |instance| instance.refuse(FmiFunction::CancelStep))
}

/// Functions that read values into an array by value reference.
macro_rules! getters {
    ($($name:ident $function:ident $method:ident $type:ty;)*) => {
        $(pub unsafe extern "C" fn $name(
            c: fmi2Component,
            references: *const fmi2ValueReference,
            n: usize,
            values: *mut $type,
        ) -> fmi2Status {
            with_pointers!(c, $function,
                references = slice(references, n), values = slice_mut(values, n)
                => |instance| instance.$method(references, values))
        })*
    };
}

getters! {
    fmi2GetReal GetReal get_real fmi2Real;
    fmi2GetInteger GetInteger get_integer fmi2Integer;
    fmi2GetBoolean GetBoolean get_boolean fmi2Boolean;
    fmi2GetString GetString get_string fmi2String;
}

/// Functions that set values from an array by value reference.
macro_rules! setters {
    ($($name:ident $function:ident $method:ident $type:ty;)*) => {
        $(pub unsafe extern "C" fn $name(
            c: fmi2Component,
            references: *const fmi2ValueReference,
            n: usize,
            values: *const $type,
        ) -> fmi2Status {
            with_pointers!(c, $function,
                references = slice(references, n), values = slice(values, n)
                => |instance| instance.$method(references, values))
        })*
    };
}

setters! {
    fmi2SetReal SetReal set_real fmi2Real;
    fmi2SetInteger SetInteger set_integer fmi2Integer;
    fmi2SetBoolean SetBoolean set_boolean fmi2Boolean;
    fmi2SetString SetString set_string fmi2String;
}

pub unsafe extern "C" fn fmi2GetFMUstate(c: fmi2Component, state: *mut fmi2FMUstate) -> fmi2Status {
    with_pointers!(c, GetFMUstate, state = state.as_mut() =>
        |instance| instance.get_fmu_state(state))
}

pub unsafe extern "C" fn fmi2SetFMUstate(c: fmi2Component, state: fmi2FMUstate) -> fmi2Status {
    guard(c, FmiFunction::SetFMUstate, |instance| instance.set_fmu_state(state))
}

pub unsafe extern "C" fn fmi2FreeFMUstate(
    c: fmi2Component,
    state: *mut fmi2FMUstate,
) -> fmi2Status {
    guard(c, FmiFunction::FreeFMUstate, |instance| {
        // SAFETY: null or the importer's variable.
        match unsafe { state.as_mut() } {
            Some(state) => instance.free_fmu_state(state),
            None => fmi2OK,
        }
    })
}

pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
    c: fmi2Component,
    state: fmi2FMUstate,
    size: *mut usize,
) -> fmi2Status {
    with_pointers!(c, SerializedFMUstateSize, size = size.as_mut() =>
        |instance| instance.serialized_fmu_state_size(state, size))
}

pub unsafe extern "C" fn fmi2SerializeFMUstate(
    c: fmi2Component,
    state: fmi2FMUstate,
    bytes: *mut fmi2Byte,
    size: usize,
) -> fmi2Status {
    with_pointers!(c, SerializeFMUstate, bytes = slice_mut(bytes.cast::<u8>(), size) =>
        |instance| instance.serialize_fmu_state(state, bytes))
}

pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    c: fmi2Component,
    bytes: *const fmi2Byte,
    size: usize,
    state: *mut fmi2FMUstate,
) -> fmi2Status {
    with_pointers!(c, DeSerializeFMUstate,
        bytes = slice(bytes.cast::<u8>(), size), state = state.as_mut()
        => |instance| instance.deserialize_fmu_state(bytes, state))
}

pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    c: fmi2Component,
    unknowns: *const fmi2ValueReference,
    n_unknowns: usize,
    knowns: *const fmi2ValueReference,
    n_knowns: usize,
    seeds: *const fmi2Real,
    sensitivities: *mut fmi2Real,
) -> fmi2Status {
    with_pointers!(c, GetDirectionalDerivative,
        unknowns = slice(unknowns, n_unknowns),
        sensitivities = slice_mut(sensitivities, n_unknowns),
        knowns = slice(knowns, n_knowns),
        seeds = slice(seeds, n_knowns)
        => |instance| instance.get_directional_derivative(unknowns, knowns, seeds, sensitivities))
}

pub unsafe extern "C" fn fmi2NewDiscreteStates(
    c: fmi2Component,
    info: *mut fmi2EventInfo,
) -> fmi2Status {
    with_pointers!(c, NewDiscreteStates, info = info.as_mut() =>
        |instance| instance.new_discrete_states(info))
}

pub unsafe extern "C" fn fmi2CompletedIntegratorStep(
    c: fmi2Component,
    _no_set_state_prior: fmi2Boolean,
    enter_event_mode: *mut fmi2Boolean,
    terminate_simulation: *mut fmi2Boolean,
) -> fmi2Status {
    with_pointers!(c, CompletedIntegratorStep,
    enter = enter_event_mode.as_mut(), terminate = terminate_simulation.as_mut()
    => |instance| {
        *enter = fmi2False;
        *terminate = fmi2False;
        instance.completed_integrator_step(enter)
    })
}

pub unsafe extern "C" fn fmi2SetTime(c: fmi2Component, time: fmi2Real) -> fmi2Status {
    guard(c, FmiFunction::SetTime, |instance| instance.set_time(time))
}

pub unsafe extern "C" fn fmi2SetContinuousStates(
    c: fmi2Component,
    x: *const fmi2Real,
    n: usize,
) -> fmi2Status {
    with_pointers!(c, SetContinuousStates, x = slice(x, n) =>
        |instance| instance.set_continuous_states(x))
}

/// Functions that fill a vector of the whole model.
macro_rules! vectors {
    ($($name:ident $function:ident $method:ident;)*) => {
        $(pub unsafe extern "C" fn $name(c: fmi2Component, values: *mut fmi2Real, n: usize) -> fmi2Status {
            with_pointers!(c, $function, values = slice_mut(values, n) =>
                |instance| instance.$method(values))
        })*
    };
}

vectors! {
    fmi2GetDerivatives GetDerivatives get_derivatives;
    fmi2GetEventIndicators GetEventIndicators get_event_indicators;
    fmi2GetContinuousStates GetContinuousStates get_continuous_states;
    fmi2GetNominalsOfContinuousStates GetNominals get_nominals;
}

pub unsafe extern "C" fn fmi2SetRealInputDerivatives(
    c: fmi2Component,
    references: *const fmi2ValueReference,
    n: usize,
    orders: *const fmi2Integer,
    values: *const fmi2Real,
) -> fmi2Status {
    with_pointers!(c, SetRealInputDerivatives,
        references = slice(references, n), orders = slice(orders, n), values = slice(values, n)
        => |instance| instance.set_real_input_derivatives(references, orders, values))
}

pub unsafe extern "C" fn fmi2GetRealOutputDerivatives(
    c: fmi2Component,
    references: *const fmi2ValueReference,
    n: usize,
    orders: *const fmi2Integer,
    values: *mut fmi2Real,
) -> fmi2Status {
    with_pointers!(c, GetRealOutputDerivatives,
        references = slice(references, n), orders = slice(orders, n), values = slice_mut(values, n)
        => |instance| instance.get_real_output_derivatives(references, orders, values))
}

pub unsafe extern "C" fn fmi2DoStep(
    c: fmi2Component,
    current_communication_point: fmi2Real,
    communication_step_size: fmi2Real,
    _no_set_state_prior: fmi2Boolean,
) -> fmi2Status {
    guard(c, FmiFunction::DoStep, |instance| {
        instance.do_step(current_communication_point, communication_step_size)
    })
}

/// Functions that answer a question about the last step.
macro_rules! questions {
    ($($name:ident $function:ident $method:ident $type:ty;)*) => {
        $(pub unsafe extern "C" fn $name(
            c: fmi2Component,
            kind: fmi2StatusKind,
            value: *mut $type,
        ) -> fmi2Status {
            with_pointers!(c, $function, value = value.as_mut() =>
                |instance| instance.$method(kind, value))
        })*
    };
}

questions! {
    fmi2GetStatus GetStatus get_status fmi2Status;
    fmi2GetRealStatus GetRealStatus get_real_status fmi2Real;
    fmi2GetIntegerStatus GetIntegerStatus get_integer_status fmi2Integer;
    fmi2GetBooleanStatus GetBooleanStatus get_boolean_status fmi2Boolean;
}

pub unsafe extern "C" fn fmi2GetStringStatus(
    c: fmi2Component,
    kind: fmi2StatusKind,
    _value: *mut fmi2String,
) -> fmi2Status {
    guard(c, FmiFunction::GetStringStatus, |instance| instance.no_such_status(kind))
}
