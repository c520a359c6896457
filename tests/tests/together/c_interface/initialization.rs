//! Tests from instantiation to the first step: values that are set and read, and calls that are
//! omitted or repeated.

use coupler_tests::harness::bits;
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status};
use fmu_builder::model_description::Base;

const FMU_TYPES: [FmuType; 2] = [FmuType::ModelExchange, FmuType::CoSimulation];

/// Values near the start values for some of the variables that may be set during initialization.
fn choices(fmu: &Fmu) -> Vec<(&str, f64)> {
    let settable = fmu.description.variables.iter().filter(|v| {
        let exact = v.causality == "input" || v.initial() == Some("exact");
        v.base == Base::Real && exact && v.variability != "constant"
    });
    let moved = settable.filter_map(|v| {
        let start = v.start_number()?;
        Some((v.name.as_str(), start + 1e-9 * (1.0 + start.abs())))
    });
    moved.collect()
}

/// Sets the variables for which the value is legal, and counts these variables. A parameter at its
/// limit keeps its value.
fn set(instance: &Instance, choices: &[(&str, f64)]) -> usize {
    let statuses = choices.iter().map(|(name, value)| instance.try_set(name, *value));
    let done = |status: Status| {
        assert!(matches!(status, Status::Ok | Status::Warning | Status::Discard));
        usize::from(status == Status::Ok)
    };
    statuses.map(done).sum()
}

// FMI: A041, A042, A044, A061
#[test]
fn only_the_last_values_count_however_often_values_were_set_and_read() {
    let (mut accepted, mut offered) = (0, 0);
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let last = choices(&fmu);
        let first: Vec<(&str, f64)> = last.iter().map(|(n, v)| (*n, v * (1.0 - 1e-9))).collect();
        for fmu_type in FMU_TYPES {
            let direct = harness.instantiate(&fmu, fmu_type);
            accepted += set(&direct, &last);
            offered += last.len();
            direct.setup(None, 0.0, None).then("enter_initialization").then("exit_initialization");

            let busy = harness.instantiate(&fmu, fmu_type);
            set(&busy, &first);
            busy.setup(None, 0.0, None).then("enter_initialization");
            for round in [&first, &last, &first, &last] {
                let backwards: Vec<_> = round.iter().rev().copied().collect();
                set(&busy, &backwards);
                busy.everything();
            }
            busy.then("exit_initialization");
            assert!(busy.everything() == direct.everything(), "{} {fmu_type:?}", fmu.name());
            direct.free();
            busy.free();
        }
    }
    assert!(10 * accepted > 9 * offered, "only {accepted} of {offered} values were accepted");
}

// FMI: A045, A046
#[test]
fn initialization_is_complete_even_if_nothing_was_read() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        for fmu_type in FMU_TYPES {
            let made = |read: bool| {
                let instance = harness.instantiate(&fmu, fmu_type);
                instance.setup(None, 0.0, None).then("enter_initialization");
                if read {
                    instance.everything();
                }
                instance.then("exit_initialization");
                instance
            };
            let (silent, read) = (made(false), made(true));
            let values = silent.everything();
            assert!(values == read.everything(), "{} {fmu_type:?}", fmu.name());
            let reals = fmu.description.variables.iter().filter(|v| v.base == Base::Real).count();
            let finite = values[..reals].iter().all(|bits| f64::from_bits(*bits).is_finite());
            assert!(finite, "{} {fmu_type:?}: every Real is a number", fmu.name());
            silent.free();
            read.free();
        }
    }
}

// FMI: A038, A039, A040
#[test]
fn the_last_experiment_counts() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        let status = instance.call("enter_initialization", "").status();
        assert_eq!(status, Status::Error, "{}: without an experiment", fmu.name());
        instance.then("reset");
        // The numbers that are declared as not defined are NaN.
        instance.setup(Some(1e-3), 7.0, Some(8.0)).setup(None, -0.25, Some(0.25));
        instance.then("enter_initialization").then("exit_initialization");
        instance.step(-0.25, 0.25);
        instance.step(0.0, 0.25);
        let beyond = instance.call("step", &format!("{} {}", bits(0.25), bits(0.01))).status();
        assert_eq!(beyond, Status::Error, "{}: beyond the stop time", fmu.name());
        instance.then("reset").start(None, fmu.starts()).step(0.0, 0.5);
        instance.free();
    }
}

// FMI: A091
#[test]
fn a_step_begins_where_the_last_one_ended_and_goes_forward() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        for (t, h) in [(0.5, 0.01), (0.01, -0.01), (0.01, f64::NAN), (f64::NAN, 0.01)] {
            instance.then("reset").start(None, fmu.starts()).step(0.0, 0.01);
            let status = instance.call("step", &format!("{} {}", bits(t), bits(h))).status();
            assert_eq!(status, Status::Error, "{}: from {t} by {h}", fmu.name());
        }
        instance.then("reset").start(None, fmu.starts()).step(0.0, 0.01);
        instance.free();
    }
}

// FMI: A078, A094
#[test]
fn steps_are_never_pending_and_cannot_be_cancelled() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(None, fmu.starts());
        instance.step(0.0, 0.01);
        assert_eq!(instance.call("cancel", "").status(), Status::Error, "{}", fmu.name());
        instance.then("reset").start(None, fmu.starts()).step(0.0, 0.01);
        instance.free();
    }
}

#[test]
fn a_one_way_clutch_that_begins_backward_is_refused_by_name_at_the_end_of_initialization() {
    let fmu = Fmu::named("OneWayClutch");
    let harness = Harness::new(&fmu);
    for fmu_type in FMU_TYPES {
        let end = |w_in: f64| {
            let instance = harness.instantiate(&fmu, fmu_type);
            instance.set("inertiaIn.w", w_in);
            instance.setup(None, 0.0, None).then("enter_initialization");
            harness.log();
            let status = instance.call("exit_initialization", "").status();
            let message: Vec<String> = harness.log().into_iter().map(|m| m.text).collect();
            instance.free();
            (status, message.join(" "))
        };
        assert_eq!(end(-0.2).0, Status::Ok, "{fmu_type:?}");
        // w_rel is the speed of inertiaOut, which is zero, minus that of inertiaIn.
        let (status, message) = end(0.5);
        assert_eq!(status, Status::Error, "{fmu_type:?}");
        assert!(message.contains("oneWayClutch") && message.contains("-0.5"), "{message}");
    }
}
