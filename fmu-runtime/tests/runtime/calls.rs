//! Tests of the call order: every function in every state that can be reached.
#![allow(unsafe_code, reason = "it calls the C interface")]

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::abi;
use fmu_runtime::calls::{FmuType, Function, InstanceState};
use fmu_runtime::fmi2::*;
use std::ptr::{null, null_mut};

/// An instance of a model with one state and no input in the given state of the call order.
fn in_state(kind: FmuType, state: InstanceState) -> Option<Fmu> {
    let fmu = match kind {
        FmuType::ModelExchange => Fmu::me::<Clock>(),
        FmuType::CoSimulation => Fmu::cs::<Clock>(),
    };
    let initialized = || fmu.initialize(0.0, &[(Clock::STOP, 0.05)]);
    match (state, kind) {
        (InstanceState::Instantiated, _) => {
            fmu.setup(0.0, None);
        }
        (InstanceState::Initialization, _) => {
            fmu.setup(0.0, None);
            fmu.enter_initialization_mode();
        }
        (InstanceState::Event, FmuType::ModelExchange)
        | (InstanceState::StepComplete, FmuType::CoSimulation) => {
            initialized();
        }
        (InstanceState::Moved, FmuType::ModelExchange) => {
            initialized();
            assert_eq!(fmu.set_time(0.01), fmi2OK);
        }
        (InstanceState::ContinuousTime, FmuType::ModelExchange) => {
            initialized();
            fmu.iterate_events();
            fmu.enter_continuous_time_mode();
        }
        (InstanceState::StepFailed, FmuType::CoSimulation) => {
            initialized();
            assert_eq!(fmu.step(0.0, 0.1), fmi2Discard);
        }
        (InstanceState::Terminated, _) => {
            initialized();
            assert_eq!(fmu.terminate(), fmi2OK);
        }
        (InstanceState::Error, _) => {
            initialized();
            assert_eq!(fmu.get_real(999).0, fmi2Error);
        }
        _ => return None,
    }
    fmu.clear_messages();
    Some(fmu)
}

/// Calls a function with arguments that are valid for the model, and returns its status.
fn call(fmu: &Fmu, function: Function) -> Option<fmi2Status> {
    let mut state = null_mut();
    // A state of the same mode, if the mode has one, which is stored, serialised and set.
    fmu.get_state_into(&mut state);
    let size = fmu.serialized_size(state).1;
    let bytes = if state.is_null() { Vec::new() } else { fmu.serialize(state, size).1 };
    fmu.clear_messages();
    let c = fmu.c;
    Some(match function {
        Function::GetBoolean => unsafe { abi::fmi2GetBoolean(c, null(), 0, null_mut()) },
        Function::GetString => unsafe { abi::fmi2GetString(c, null(), 0, null_mut()) },
        Function::SetInteger => unsafe { abi::fmi2SetInteger(c, null(), 0, null()) },
        Function::SetBoolean => unsafe { abi::fmi2SetBoolean(c, null(), 0, null()) },
        Function::SetString => unsafe { abi::fmi2SetString(c, null(), 0, null()) },
        Function::SetFMUstate => fmu.set_state(state),
        Function::SerializedFMUstateSize => fmu.serialized_size(state).0,
        Function::SerializeFMUstate => fmu.serialize(state, size).0,
        Function::DeSerializeFMUstate => fmu.deserialize(&bytes).0,
        Function::SetRealInputDerivatives => unsafe {
            abi::fmi2SetRealInputDerivatives(c, null(), 0, null(), null())
        },
        Function::GetRealOutputDerivatives => unsafe {
            abi::fmi2GetRealOutputDerivatives(c, null(), 0, null(), null_mut())
        },
        Function::GetStatus => unsafe { abi::fmi2GetStatus(c, fmi2DoStepStatus, &mut 0) },
        Function::SetDebugLogging => fmu.set_debug_logging(true, &[]),
        Function::SetupExperiment => fmu.setup(0.0, None),
        Function::EnterInitializationMode => fmu.enter_initialization_mode(),
        Function::ExitInitializationMode => fmu.exit_initialization_mode(),
        Function::Terminate => fmu.terminate(),
        Function::Reset => fmu.reset(),
        Function::GetReal => fmu.get_real(Clock::X).0,
        Function::GetInteger => fmu.get_integer(Clock::COUNT).0,
        Function::SetReal => fmu.set_real(&[], &[]),
        Function::GetFMUstate => fmu.get_state_into(&mut null_mut()),
        Function::FreeFMUstate => fmu.free_state(&mut null_mut()),
        Function::GetDirectionalDerivative => fmu.directional(&[], &[], &[]).0,
        Function::EnterEventMode => fmu.enter_event_mode(),
        Function::NewDiscreteStates => fmu.new_discrete_states().0,
        Function::EnterContinuousTimeMode => fmu.enter_continuous_time_mode(),
        Function::CompletedIntegratorStep => fmu.completed_integrator_step().0,
        Function::SetTime => fmu.set_time(0.0),
        Function::SetContinuousStates => fmu.set_states(&[0.0]),
        Function::GetDerivatives => fmu.derivatives(1).0,
        Function::GetEventIndicators => fmu.indicators(0).0,
        Function::GetContinuousStates => fmu.states(1).0,
        Function::GetNominals => fmu.nominals(1).0,
        Function::DoStep => fmu.step(0.0, 0.01),
        Function::CancelStep => fmu.cancel_step(),
        Function::GetRealStatus => fmu.last_successful_time().0,
        Function::GetBooleanStatus => fmu.terminated().0,
        _ => return None,
    })
}

// FMI: A065, A030, A047, A048, A066, A089
#[test]
fn functions_answer_ok_where_the_table_allows_them_and_error_elsewhere() {
    let mut checked = 0;
    for kind in [FmuType::ModelExchange, FmuType::CoSimulation] {
        for state in InstanceState::ALL {
            for &function in Function::ALL {
                let Some(fmu) = in_state(kind, state) else { continue };
                let Some(status) = call(&fmu, function) else { continue };
                let expected = if function.allowed(kind, state) { fmi2OK } else { fmi2Error };
                let name = function.name();
                assert_eq!(status, expected, "{name} in {state:?} of {kind:?}");
                let errors = fmu.messages().iter().filter(|m| m.status == fmi2Error).count();
                assert_eq!(errors, usize::from(status == fmi2Error), "{name}: one message");
                assert_eq!(fmu.reset(), fmi2OK, "reset after {name} in {state:?} of {kind:?}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 38 * 13, "functions times states");
}

// FMI: A065
#[test]
fn a_call_out_of_order_changes_nothing() {
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[]);
    assert_eq!(fmu.exit_initialization_mode(), fmi2Error);
    assert_eq!(fmu.set_time(1.0), fmi2Error);
    assert_eq!(fmu.cancel_step(), fmi2Error);
    assert_eq!(fmu.set_real(&[Oscillator::SIZE], &[1.5]), fmi2Error);
    assert_eq!(fmu.step(0.0, 0.1), fmi2OK);
}

#[test]
fn the_table_holds_the_rows_of_the_standard_and_of_importers() {
    use InstanceState::*;
    let rows = [
        (Function::SetupExperiment, FmuType::CoSimulation, &[Instantiated][..]),
        (Function::ExitInitializationMode, FmuType::ModelExchange, &[Initialization]),
        (Function::Terminate, FmuType::ModelExchange, &[Event, ContinuousTime, Moved, Error]),
        (Function::Terminate, FmuType::CoSimulation, &[StepComplete, StepFailed, Error]),
        (Function::NewDiscreteStates, FmuType::ModelExchange, &[Event, Moved]),
        (Function::CompletedIntegratorStep, FmuType::ModelExchange, &[ContinuousTime]),
        (Function::SetContinuousStates, FmuType::ModelExchange, &[Event, ContinuousTime, Moved]),
        (Function::SetTime, FmuType::ModelExchange, &[Event, ContinuousTime, Moved]),
        (Function::DoStep, FmuType::CoSimulation, &[StepComplete]),
        (Function::DoStep, FmuType::ModelExchange, &[]),
        (Function::CancelStep, FmuType::CoSimulation, &[StepInProgress]),
        (Function::SetReal, FmuType::CoSimulation, &[Instantiated, Initialization, StepComplete]),
        (
            Function::SetRealInputDerivatives,
            FmuType::CoSimulation,
            &[Instantiated, Initialization, StepComplete],
        ),
        (
            Function::GetNominals,
            FmuType::ModelExchange,
            &[Instantiated, Initialization, Event, ContinuousTime, Moved, Terminated, Error],
        ),
        (
            Function::GetStatus,
            FmuType::CoSimulation,
            &[StepComplete, StepInProgress, StepFailed, Terminated],
        ),
    ];
    for (function, kind, states) in rows {
        for state in InstanceState::ALL {
            let expected = states.contains(&state);
            assert_eq!(function.allowed(kind, state), expected, "{function:?} {kind:?} {state:?}");
        }
    }
    let functions = Function::ALL.len();
    assert_eq!(functions + 3, Functions::NAMES.len(), "all but those without an instance");
    for function in Function::ALL {
        assert!(Functions::NAMES.contains(&function.name()));
    }
}
