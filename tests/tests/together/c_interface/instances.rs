//! Tests of instances of every FMU: platform and version, instantiation, logging, memory,
//! independence.

use coupler_tests::harness::{Callbacks, Instantiation, bits};
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status};
use fmu_builder::model_description::Base;

// FMI: A001, A002, A009, A010, A011
#[test]
fn platform_is_default_and_version_2_0_before_any_instance() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        assert_eq!(harness.call("platform").words(), ["default", "2.0"], "{}", fmu.name());
    }
}

// FMI: A012, A013, A014, A015, A017, A020, A021
#[test]
fn instantiation_succeeds_exactly_with_a_name_the_right_guid_and_a_type_that_exists() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let guid = fmu.description.guid.as_str();
        let bare = guid.trim_matches(|c| c == '{' || c == '}');
        let wrong_case = guid.to_uppercase();
        // If there are no files to read, a folder that does not exist is accepted.
        let nowhere = "file:///a/folder%20that/is/not/there";
        let uri = if fmu.resource_folder().is_dir() { fmu.resources() } else { nowhere };
        let guids = [None, Some(""), Some("wrong"), Some(bare), Some(&wrong_case), Some(guid)];
        for name in [None, Some(""), Some("  "), Some("a name with %s and ü")] {
            for offered in guids {
                for fmu_type in [0, 1, 7] {
                    for callbacks in [Callbacks::None, Callbacks::All] {
                        let good = name.is_some_and(|n| !n.trim().is_empty())
                            && offered == Some(guid)
                            && fmu_type < 2
                            && matches!(callbacks, Callbacks::All);
                        let with = Instantiation {
                            fmu_type,
                            name,
                            guid: offered,
                            uri: Some(uri),
                            callbacks,
                            ..Instantiation::of(&fmu)
                        };
                        let instance = harness.try_instantiate(&fmu, &with);
                        assert_eq!(instance.is_some(), good, "{} {with:?}", fmu.name());
                        let log = harness.log();
                        if good {
                            instance.into_iter().for_each(Instance::free);
                        } else if matches!(callbacks, Callbacks::All) {
                            assert!(!log.is_empty(), "a refusal has a reason: {with:?}");
                        }
                    }
                }
            }
        }
        assert_eq!(harness.printed(), 0, "{}: nothing is printed", fmu.name());
    }
}

// FMI: A016, A028
#[test]
fn an_instance_without_a_logger_runs_silently_or_is_refused() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let callbacks = Callbacks::WithoutLogger;
        let with = Instantiation { callbacks, logging: true, ..Instantiation::of(&fmu) };
        if let Some(instance) = harness.try_instantiate(&fmu, &with) {
            instance.start(None, &[]).step(0.0, 0.01);
            assert_eq!(instance.call("exit_initialization", "").status(), Status::Error);
            instance.free();
        }
        assert_eq!(harness.call("free -").status(), Status::Ok, "freeing NULL has no effect");
    }
}

// FMI: A024, A043, C050, C054
#[test]
fn every_start_value_is_that_of_the_description() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
            let instance = harness.instantiate(&fmu, fmu_type);
            instance.setup(None, 0.0, None).then("enter_initialization");
            for v in fmu.description.variables.iter().filter(|v| v.initial() != Some("approx")) {
                let Some(start) = v.start_number() else { continue };
                // Values that are calculated from states may have rounding errors at the start.
                let apart = (instance.get(&v.name) - start).abs();
                let rounding = 16.0 * f64::EPSILON * start.abs().max(1.0);
                assert!(apart <= rounding, "{}: {}: {apart:e}", fmu.name(), v.name);
            }
            instance.free();
        }
    }
}

// FMI: A050, A053
#[test]
fn empty_lists_are_accepted_and_unknown_value_references_refused() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(None, &[]);
        for call in ["get_real", "get_integer", "get_boolean", "set_real", "set_integer"] {
            assert_eq!(instance.call(call, "0").status(), Status::Ok, "{call}");
        }
        for call in ["get_real", "get_integer", "get_boolean", "get_string"] {
            let other = harness.instantiate(&fmu, FmuType::CoSimulation);
            other.start(None, &[]);
            assert_eq!(other.call(call, "1 4000000000").status(), Status::Error, "{call}");
            other.free();
        }
        instance.free();
    }
}

/// Whether a call was refused.
fn refuses(status: Status) -> bool {
    !matches!(status, Status::Ok | Status::Warning)
}

#[test]
fn a_value_that_is_not_a_number_is_never_accepted() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        for value in [f64::NAN, f64::INFINITY] {
            for name in fmu.names(Base::Real, &["input", "parameter"]) {
                let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
                instance.setup(None, 0.0, None);
                let status = instance.try_set(name, value);
                assert!(refuses(status), "{}: {name} := {value}", fmu.name());
                instance.free();
            }
            let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
            instance.start(None, &[]);
            let arguments = format!("{} {}", bits(0.0), bits(value));
            assert!(refuses(instance.call("step", &arguments).status()));
            instance.free();
        }
    }
}

// FMI: A026, C016, canNotUseMemoryManagementFunctions
#[test]
fn nothing_allocates_between_initialization_and_the_end() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let cs = harness.instantiate(&fmu, FmuType::CoSimulation);
        cs.start(Some(fmu.tolerance()), fmu.starts());
        harness.taken();
        let run = Run::of(&fmu, 1e-2);
        run.steps_of(&cs);
        cs.everything();
        assert_eq!(harness.taken(), (0, 0), "{}: Co-Simulation", fmu.name());

        // The states are those of a Co-Simulation, because simple methods are not stable for stiff
        // equations.
        let guide = harness.instantiate(&fmu, FmuType::CoSimulation);
        guide.start(Some(fmu.tolerance()), fmu.starts());
        let states = fmu.reals(fmu.states());
        let me = harness.instantiate(&fmu, FmuType::ModelExchange);
        me.start(None, fmu.starts());
        harness.taken();
        let (n, z) = (fmu.states().len(), fmu.description.number_of_event_indicators);
        let mut next = me.iterate_events();
        me.then("enter_continuous");
        for i in 1..50 {
            let t = 1e-3 * f64::from(i);
            guide.step(1e-3 * f64::from(i - 1), t - 1e-3 * f64::from(i - 1));
            me.set_time(t);
            me.set_states(&guide.reals(&states));
            me.vector("get_derivatives", n);
            me.vector("get_indicators", z);
            me.ok("completed", "");
            if i % 10 == 0 || next.is_some_and(|next| next <= t) {
                me.then("enter_event");
                next = me.iterate_events();
                me.then("enter_continuous");
            }
        }
        me.everything();
        assert_eq!(harness.taken(), (0, 0), "{}: Model Exchange", fmu.name());
    }
}

// FMI: A003, A017, A018, A031, A034, A036
#[test]
fn messages_carry_a_declared_category_the_instance_and_its_name() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let with =
            Instantiation { logging: true, name: Some("%s %n #"), ..Instantiation::of(&fmu) };
        let instance = harness.try_instantiate(&fmu, &with).expect("it starts");
        instance.start(None, &[]);
        Run::of(&fmu, 0.05).steps_of(&instance);
        assert_eq!(instance.call("exit_initialization", "").status(), Status::Error);
        let log = harness.log();
        assert!(!log.is_empty(), "{}: an error is logged", fmu.name());
        for message in log {
            assert!(message.name_is_right && message.instance == 0, "{message:?}");
            let declared = &fmu.description.log_categories;
            assert!(declared.contains(&message.category), "{message:?}");
            assert!(!message.text.ends_with('|'), "no line feed at the end: {message:?}");
        }
        assert_eq!(harness.printed(), 0, "{}: nothing is printed", fmu.name());
        let unknown = instance.call("debug_logging", "1 1 =noSuchCategory").status();
        assert!(unknown != Status::Ok, "{}: {unknown:?}", fmu.name());
    }
}

// FMI: A005, A023
#[test]
fn instances_on_threads_give_the_bits_of_one_alone() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let steps = (fmu.stop_time().min(2.0) / 1e-3) as usize;
        assert_eq!(harness.threads_that_differ(&fmu, 8, 1e-3, steps), 0, "{}", fmu.name());
    }
}

// FMI: A049
#[test]
fn a_reset_instance_repeats_its_run_bit_for_bit() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        let run = Run::of(&fmu, 1e-2);
        instance.start(run.tolerance, run.starts);
        let first = run.steps_of(&instance).rows;
        instance.then("reset").start(run.tolerance, run.starts);
        let second = run.steps_of(&instance).rows;
        assert!(first == second, "{}", fmu.name());
    }
}

// FMI: A007
#[test]
fn a_library_can_be_loaded_and_unloaded_again_and_again() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        for _ in 0..20 {
            assert_eq!(harness.call("unload").status(), Status::Ok);
            let load = format!("load {}", fmu.library().display());
            assert_eq!(harness.call(&load).status(), Status::Ok);
            let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
            instance.start(None, &[]).step(0.0, 0.01);
            instance.free();
        }
    }
}
