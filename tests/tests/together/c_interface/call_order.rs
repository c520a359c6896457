//! Tests of the call order: the standard's tables with the leniencies, the run time's table, and
//! the FMUs agree.

use coupler_tests::harness::{bits, bits_of, references_text};
use coupler_tests::leniencies::{LENIENCIES, Leniency};
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status};
use fmu_runtime::calls::{self, FmiFunction, InstanceState};

/// The tables of FMI 2.0.5 (Model Exchange, then Co-Simulation), written down from its text and
/// not from the run time: C names without prefix, and the states in which each may be called: I
/// instantiated, N initialization, E event, C continuous time; S step complete, P in progress,
/// F failed, X canceled; T terminated, R error.
const STANDARD: &[(&str, &str, &str)] = &[
    ("SetDebugLogging", "INECTR", "INSPFXTR"),
    ("FreeInstance Reset", "INECTR", "INSFXTR"),
    ("SetupExperiment EnterInitializationMode", "I", "I"),
    ("ExitInitializationMode", "N", "N"),
    ("Terminate", "EC", "SF"),
    ("GetReal GetInteger GetBoolean GetString", "NECTR", "NSFXTR"),
    ("SetReal", "INEC", "INS"),
    ("SetInteger SetBoolean SetString", "INE", "INS"),
    ("GetFMUstate SetFMUstate FreeFMUstate", "INECTR", "INSFXTR"),
    ("SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate", "INECTR", "INSFXTR"),
    ("GetDirectionalDerivative", "NECTR", "NSFXTR"),
    ("EnterEventMode", "EC", ""),
    ("NewDiscreteStates EnterContinuousTimeMode", "E", ""),
    ("CompletedIntegratorStep SetContinuousStates", "C", ""),
    ("SetTime", "EC", ""),
    ("GetDerivatives GetEventIndicators GetContinuousStates", "NECTR", ""),
    ("GetNominalsOfContinuousStates", "INECTR", ""),
    ("SetRealInputDerivatives", "", "INS"),
    ("GetRealOutputDerivatives", "", "SFXTR"),
    ("DoStep", "", "S"),
    ("CancelStep", "", "P"),
    ("GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus", "", "SPFT"),
];

const STATES: [(char, InstanceState); 13] = [
    ('I', InstanceState::Instantiated),
    ('N', InstanceState::Initialization),
    ('E', InstanceState::Event),
    ('C', InstanceState::ContinuousTime),
    ('S', InstanceState::StepComplete),
    ('P', InstanceState::StepInProgress),
    ('F', InstanceState::StepFailed),
    ('X', InstanceState::StepCanceled),
    ('T', InstanceState::Terminated),
    ('R', InstanceState::Error),
    ('!', InstanceState::Fatal),
    ('L', InstanceState::EventLeft),
    ('B', InstanceState::FirstEvent),
];

/// Whether the standard, or the list of leniencies, allows a call. `L`: Event Mode, left by setting
/// time or states; `B`: Event Mode before its first call.
fn allowed(function: &str, fmu_type: FmuType, state: char) -> bool {
    let state = if "LB".contains(state) { 'E' } else { state };
    let names = |row: &str| row.split(' ').any(|name| name == function);
    let mut rows = STANDARD.iter().filter(|(row, _, _)| names(row));
    let (_, me, cs) = rows.next().unwrap_or_else(|| panic!("{function} stands in the table"));
    assert!(rows.next().is_none(), "{function} stands once in the table");
    let model_exchange = fmu_type == FmuType::ModelExchange;
    let standard = if model_exchange { me } else { cs };
    if "EC".contains(state) && !model_exchange {
        return false;
    }
    let here = STATES.into_iter().find(|(letter, _)| *letter == state).map(|(_, state)| state);
    let lenient = |leniency: &Leniency| {
        leniency.states.iter().any(|s| Some(*s) == here)
            && leniency.functions.iter().any(|f| name(*f) == function)
    };
    standard.contains(state) || LENIENCIES.iter().any(lenient)
}

fn name(function: FmiFunction) -> &'static str {
    function.name().strip_prefix("fmi2").expect("a function of FMI")
}

// FMI: A030, A047, A048, A065, A066, A079, A089
#[test]
fn the_table_of_the_run_time_is_that_of_the_standard_widened_for_importers() {
    for (fmu_type, ours) in [
        (FmuType::ModelExchange, calls::FmuType::ModelExchange),
        (FmuType::CoSimulation, calls::FmuType::CoSimulation),
    ] {
        for &function in FmiFunction::ALL {
            for (letter, state) in STATES {
                let standard = allowed(name(function), fmu_type, letter);
                let table = function.allowed(ours, state);
                assert_eq!(table, standard, "{} of {fmu_type:?}: {state:?}", function.name());
            }
        }
    }
    let listed: usize = STANDARD.iter().map(|(row, _, _)| row.split(' ').count()).sum();
    assert_eq!(listed, FmiFunction::ALL.len(), "the same functions in both tables");
    assert_eq!(listed + 3, 44, "all but fmi2GetTypesPlatform, fmi2GetVersion, fmi2Instantiate");
}

/// Brings a new instance to a state; returns whether that is possible for this FMU.
fn reach(instance: &Instance, state: char) -> bool {
    if state == 'I' {
        return true;
    }
    instance.setup(None, 0.0, None).then("enter_initialization");
    if state == 'N' {
        return true;
    }
    instance.then("exit_initialization");
    match state {
        'E' => {
            instance.then("enter_event");
        }
        'C' => {
            instance.iterate_events();
            instance.then("enter_continuous");
        }
        'L' => {
            instance.set_time(1e-9);
        }
        'F' => return fail(instance),
        'T' => {
            instance.then("terminate");
        }
        'R' => {
            assert_eq!(instance.call("get_real", "1 4000000000").status(), Status::Error);
        }
        _ => {}
    }
    true
}

/// Makes a step fail, by integrator steps below the resolution of time; returns whether it does.
fn fail(instance: &Instance) -> bool {
    instance.then("reset").setup(None, 1e9, None);
    instance.set("solver.max_step", 1e-12);
    instance.then("enter_initialization").then("exit_initialization");
    instance.call("step", &format!("{} {}", bits(1e9), bits(0.01))).status() == Status::Discard
}

/// The harness' command for a function, with arguments that are valid if the call is allowed.
fn command(fmu: &Fmu, function: FmiFunction) -> (&'static str, String) {
    let nx = fmu.states().len();
    let file = state_file(fmu);
    let plain = |command| (command, String::new());
    let empty = |command| (command, "0".to_owned());
    match function {
        FmiFunction::SetDebugLogging => ("debug_logging", "0 0".to_owned()),
        FmiFunction::FreeInstance => plain("free"),
        FmiFunction::SetupExperiment => ("setup", "0 0 0 0 0".to_owned()),
        FmiFunction::EnterInitializationMode => plain("enter_initialization"),
        FmiFunction::ExitInitializationMode => plain("exit_initialization"),
        FmiFunction::Terminate => plain("terminate"),
        FmiFunction::Reset => plain("reset"),
        FmiFunction::GetReal => empty("get_real"),
        FmiFunction::GetInteger => empty("get_integer"),
        FmiFunction::GetBoolean => empty("get_boolean"),
        FmiFunction::GetString => empty("get_string"),
        FmiFunction::SetReal => empty("set_real"),
        FmiFunction::SetInteger => empty("set_integer"),
        FmiFunction::SetBoolean => empty("set_boolean"),
        FmiFunction::SetString => empty("set_string"),
        FmiFunction::GetFMUstate => ("get_state", "1".to_owned()),
        FmiFunction::SetFMUstate => ("set_state", "0".to_owned()),
        FmiFunction::FreeFMUstate => ("free_state", "2".to_owned()),
        // Both functions have the same command.
        FmiFunction::SerializedFMUstateSize | FmiFunction::SerializeFMUstate => {
            ("serialize", format!("0 ={file}"))
        }
        FmiFunction::DeSerializeFMUstate => ("deserialize", format!("3 ={file}")),
        FmiFunction::GetDirectionalDerivative => ("directional", "0 0".to_owned()),
        FmiFunction::EnterEventMode => plain("enter_event"),
        FmiFunction::NewDiscreteStates => plain("new_discrete_states"),
        FmiFunction::EnterContinuousTimeMode => plain("enter_continuous"),
        FmiFunction::CompletedIntegratorStep => plain("completed"),
        FmiFunction::SetTime => ("set_time", bits(0.0)),
        FmiFunction::SetContinuousStates => {
            ("set_states", format!("{nx} {}", bits_of(&vec![0.25; nx])))
        }
        FmiFunction::GetDerivatives => ("get_derivatives", nx.to_string()),
        FmiFunction::GetEventIndicators => {
            ("get_indicators", fmu.description.number_of_event_indicators.to_string())
        }
        FmiFunction::GetContinuousStates => ("get_states", nx.to_string()),
        FmiFunction::GetNominals => ("get_nominals", nx.to_string()),
        FmiFunction::SetRealInputDerivatives => empty("set_input_derivatives"),
        FmiFunction::GetRealOutputDerivatives => empty("get_output_derivatives"),
        FmiFunction::DoStep => ("step", format!("{} {}", bits(0.0), bits(0.01))),
        FmiFunction::CancelStep => plain("cancel"),
        // The five functions have the same command.
        FmiFunction::GetStatus
        | FmiFunction::GetRealStatus
        | FmiFunction::GetIntegerStatus
        | FmiFunction::GetBooleanStatus
        | FmiFunction::GetStringStatus => plain("status"),
    }
}

// FMI: A015, A030, A036, A047, A048, A062, A065, A066, A079, A089, A094, B003, B030
#[test]
fn a_function_works_exactly_in_the_states_of_the_table_and_reset_repairs_everything() {
    let mut failed_steps = 0;
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        // Every call has a state and its bytes available, from another instance.
        let donor = harness.instantiate(&fmu, FmuType::CoSimulation);
        donor.ok("get_state", "4000");
        donor.ok("serialize", &format!("4000 ={}", state_file(&fmu)));
        for (fmu_type, states) in
            [(FmuType::ModelExchange, "INBELCTR"), (FmuType::CoSimulation, "INSFTR")]
        {
            for &function in FmiFunction::ALL {
                for state in states.chars() {
                    let instance = harness.instantiate(&fmu, fmu_type);
                    instance.ok("get_state", "0");
                    if !reach(&instance, state) {
                        instance.free();
                        continue;
                    }
                    failed_steps += usize::from(state == 'F');
                    if state == 'I' && function == FmiFunction::EnterInitializationMode {
                        instance.setup(None, 0.0, None);
                    }
                    let (command, arguments) = command(&fmu, function);
                    harness.log();
                    let status = instance.call(command, &arguments).status();
                    let what =
                        format!("{} {fmu_type:?} {} in {state}", fmu.name(), function.name());
                    if function == FmiFunction::FreeInstance {
                        assert_eq!(status, Status::Ok, "{what}");
                        continue;
                    }
                    let expected = allowed(name(function), fmu_type, state);
                    // Only a status function without an answer is discarded.
                    let done =
                        status == Status::Ok || status == Status::Discard && command == "status";
                    assert_eq!(done, expected, "{what}: {status:?}");
                    if !expected {
                        assert_eq!(status, Status::Error, "{what}");
                        let log = harness.log();
                        assert!(log.iter().any(|m| m.status == 3), "{what}: a reason: {log:?}");
                    }
                    instance.then("reset").start(None, &[]);
                    instance.free();
                }
            }
        }
        donor.free();
    }
    assert!(failed_steps > 100, "only {failed_steps} calls after a step that failed");
}

/// A file of a test, which has a thread of its own, in the folder of the unpacked FMU, which all
/// tests share.
fn state_file(fmu: &Fmu) -> String {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("tests").replace("::", "-");
    fmu.resource_folder().with_extension(test).display().to_string()
}

// FMI: A028, A065
#[test]
fn a_call_without_an_instance_is_an_error() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let donor = harness.instantiate(&fmu, FmuType::CoSimulation);
        donor.ok("get_state", "0");
        donor.ok("serialize", &format!("0 ={}", state_file(&fmu)));
        for &function in FmiFunction::ALL {
            let (command, arguments) = command(&fmu, function);
            let status = harness.call(format!("{command} - {arguments}").trim_end()).status();
            let expected =
                if function == FmiFunction::FreeInstance { Status::Ok } else { Status::Error };
            assert_eq!(status, expected, "{} {}", fmu.name(), function.name());
        }
        donor.start(None, &[]).step(0.0, 0.01);
        donor.free();
    }
}

// FMI: A053, A065
#[test]
fn a_refused_call_changes_nothing_that_was_computed() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(None, fmu.starts()).step(0.0, 0.01);
        let before = instance.everything();
        for &function in FmiFunction::ALL {
            if allowed(name(function), FmuType::CoSimulation, 'S') {
                continue;
            }
            let (command, arguments) = command(&fmu, function);
            assert_eq!(instance.call(command, &arguments).status(), Status::Error);
            assert!(instance.everything() == before, "{} {command}", fmu.name());
        }
        let unknown = references_text(&[4_000_000_000]);
        let status = instance.call("set_real", &format!("{unknown} {}", bits(1.0))).status();
        assert_eq!(status, Status::Error, "{}", fmu.name());
        assert!(instance.everything() == before, "{}", fmu.name());
        instance.free();
    }
}
