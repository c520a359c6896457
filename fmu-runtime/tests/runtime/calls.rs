//! Tests of the call order: every function in every state that can be reached.
#![allow(unsafe_code, reason = "it calls the C interface")]

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::abi;
use fmu_runtime::calls::{FmiFunction, FmuType, InstanceState};
use fmu_runtime::fmi2::*;
use std::ptr::{null, null_mut};

/// An instance of a model with one state and no input in the given state of the call order.
fn in_state(fmu_type: FmuType, state: InstanceState) -> Option<Fmu> {
    let fmu = match fmu_type {
        FmuType::ModelExchange => Fmu::me::<Clock>(),
        FmuType::CoSimulation => Fmu::cs::<Clock>(),
    };
    let initialized = || fmu.initialize(0.0, &[(Clock::STOP, 0.05)]);
    match (state, fmu_type) {
        (InstanceState::Instantiated, _) => {
            fmu.setup(0.0, None);
        }
        (InstanceState::Initialization, _) => {
            fmu.setup(0.0, None);
            fmu.enter_initialization_mode();
        }
        (InstanceState::FirstEvent, FmuType::ModelExchange)
        | (InstanceState::StepComplete, FmuType::CoSimulation) => {
            initialized();
        }
        (InstanceState::Event, FmuType::ModelExchange) => {
            initialized();
            assert_eq!(fmu.enter_event_mode(), fmi2OK);
        }
        (InstanceState::EventLeft, FmuType::ModelExchange) => {
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
fn call(fmu: &Fmu, function: FmiFunction) -> Option<fmi2Status> {
    let mut state = null_mut();
    // A state of the same mode, if the mode has one, which is stored, serialised and set.
    fmu.get_state_into(&mut state);
    let size = fmu.serialized_size(state).1;
    let bytes = if state.is_null() { Vec::new() } else { fmu.serialize(state, size).1 };
    fmu.clear_messages();
    let c = fmu.c;
    Some(match function {
        FmiFunction::GetBoolean => unsafe { abi::fmi2GetBoolean(c, null(), 0, null_mut()) },
        FmiFunction::GetString => unsafe { abi::fmi2GetString(c, null(), 0, null_mut()) },
        FmiFunction::SetInteger => unsafe { abi::fmi2SetInteger(c, null(), 0, null()) },
        FmiFunction::SetBoolean => unsafe { abi::fmi2SetBoolean(c, null(), 0, null()) },
        FmiFunction::SetString => unsafe { abi::fmi2SetString(c, null(), 0, null()) },
        FmiFunction::SetFMUstate => fmu.set_state(state),
        FmiFunction::SerializedFMUstateSize => fmu.serialized_size(state).0,
        FmiFunction::SerializeFMUstate => fmu.serialize(state, size).0,
        FmiFunction::DeSerializeFMUstate => fmu.deserialize(&bytes).0,
        FmiFunction::SetRealInputDerivatives => unsafe {
            abi::fmi2SetRealInputDerivatives(c, null(), 0, null(), null())
        },
        FmiFunction::GetRealOutputDerivatives => unsafe {
            abi::fmi2GetRealOutputDerivatives(c, null(), 0, null(), null_mut())
        },
        FmiFunction::GetStatus => unsafe { abi::fmi2GetStatus(c, fmi2DoStepStatus, &mut 0) },
        FmiFunction::SetDebugLogging => fmu.set_debug_logging(true, &[]),
        FmiFunction::SetupExperiment => fmu.setup(0.0, None),
        FmiFunction::EnterInitializationMode => fmu.enter_initialization_mode(),
        FmiFunction::ExitInitializationMode => fmu.exit_initialization_mode(),
        FmiFunction::Terminate => fmu.terminate(),
        FmiFunction::Reset => fmu.reset(),
        FmiFunction::GetReal => fmu.get_real(Clock::X).0,
        FmiFunction::GetInteger => fmu.get_integer(Clock::COUNT).0,
        FmiFunction::SetReal => fmu.set_real(&[], &[]),
        FmiFunction::GetFMUstate => fmu.get_state_into(&mut null_mut()),
        FmiFunction::FreeFMUstate => fmu.free_state(&mut null_mut()),
        FmiFunction::GetDirectionalDerivative => fmu.directional(&[], &[], &[]).0,
        FmiFunction::EnterEventMode => fmu.enter_event_mode(),
        FmiFunction::NewDiscreteStates => fmu.new_discrete_states().0,
        FmiFunction::EnterContinuousTimeMode => fmu.enter_continuous_time_mode(),
        FmiFunction::CompletedIntegratorStep => fmu.completed_integrator_step().0,
        FmiFunction::SetTime => fmu.set_time(0.0),
        FmiFunction::SetContinuousStates => fmu.set_states(&[0.0]),
        FmiFunction::GetDerivatives => fmu.derivatives(1).0,
        FmiFunction::GetEventIndicators => fmu.indicators(0).0,
        FmiFunction::GetContinuousStates => fmu.states(1).0,
        FmiFunction::GetNominals => fmu.nominals(1).0,
        FmiFunction::DoStep => fmu.step(0.0, 0.01),
        FmiFunction::CancelStep => fmu.cancel_step(),
        FmiFunction::GetRealStatus => fmu.last_successful_time().0,
        FmiFunction::GetBooleanStatus => fmu.terminated().0,
        _ => return None,
    })
}

// FMI: A065, A030, A047, A048, A066, A089
#[test]
fn functions_answer_ok_where_the_table_allows_them_and_error_elsewhere() {
    let mut checked = 0;
    for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
        for state in InstanceState::ALL {
            for &function in FmiFunction::ALL {
                let Some(fmu) = in_state(fmu_type, state) else { continue };
                let Some(status) = call(&fmu, function) else { continue };
                let expected = if function.allowed(fmu_type, state) { fmi2OK } else { fmi2Error };
                let name = function.name();
                assert_eq!(status, expected, "{name} in {state:?} of {fmu_type:?}");
                let errors = fmu.messages().iter().filter(|m| m.status == fmi2Error).count();
                assert_eq!(errors, usize::from(status == fmi2Error), "{name}: one message");
                assert_eq!(fmu.reset(), fmi2OK, "reset after {name} in {state:?} of {fmu_type:?}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 38 * 14, "functions times states");
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
        (FmiFunction::SetupExperiment, FmuType::CoSimulation, &[Instantiated][..]),
        (FmiFunction::ExitInitializationMode, FmuType::ModelExchange, &[Initialization]),
        (
            FmiFunction::Terminate,
            FmuType::ModelExchange,
            &[Event, ContinuousTime, EventLeft, FirstEvent, Error],
        ),
        (FmiFunction::Terminate, FmuType::CoSimulation, &[StepComplete, StepFailed, Error]),
        (FmiFunction::NewDiscreteStates, FmuType::ModelExchange, &[Event, EventLeft, FirstEvent]),
        (FmiFunction::CompletedIntegratorStep, FmuType::ModelExchange, &[ContinuousTime]),
        (
            FmiFunction::SetContinuousStates,
            FmuType::ModelExchange,
            &[Event, ContinuousTime, EventLeft, FirstEvent],
        ),
        (
            FmiFunction::SetTime,
            FmuType::ModelExchange,
            &[Event, ContinuousTime, EventLeft, FirstEvent],
        ),
        (FmiFunction::DoStep, FmuType::CoSimulation, &[StepComplete]),
        (FmiFunction::DoStep, FmuType::ModelExchange, &[]),
        (FmiFunction::CancelStep, FmuType::CoSimulation, &[StepInProgress]),
        (
            FmiFunction::SetReal,
            FmuType::CoSimulation,
            &[Instantiated, Initialization, StepComplete],
        ),
        (
            FmiFunction::SetRealInputDerivatives,
            FmuType::CoSimulation,
            &[Instantiated, Initialization, StepComplete],
        ),
        (
            FmiFunction::GetNominals,
            FmuType::ModelExchange,
            &[
                Instantiated,
                Initialization,
                Event,
                ContinuousTime,
                EventLeft,
                FirstEvent,
                Terminated,
                Error,
            ],
        ),
        (
            FmiFunction::GetStatus,
            FmuType::CoSimulation,
            &[StepComplete, StepInProgress, StepFailed, Terminated],
        ),
    ];
    for (function, fmu_type, states) in rows {
        for state in InstanceState::ALL {
            let expected = states.contains(&state);
            assert_eq!(
                function.allowed(fmu_type, state),
                expected,
                "{function:?} {fmu_type:?} {state:?}"
            );
        }
    }
    let functions = FmiFunction::ALL.len();
    assert_eq!(functions + 3, Functions::NAMES.len(), "all but those without an instance");
    for function in FmiFunction::ALL {
        assert!(Functions::NAMES.contains(&function.name()));
    }
}
