//! Tests of the properties of Event Mode and Continuous-Time Mode during whole runs.
//!
//! An instance of Model Exchange follows the states of a Co-Simulation, with all events that are
//! due; every property is checked at every point.

use std::cell::RefCell;

use coupler_tests::harness::{bits, bits_of};
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status};
use fmu_builder::model_description::{Base, ScalarVariable};

/// The number of points of a run.
const POINTS: usize = 100;

/// The states of a Co-Simulation at equidistant points.
fn states_of_a_run(fmu: &Fmu) -> Vec<(f64, Vec<f64>)> {
    let harness = Harness::new(fmu);
    let instance = harness.instantiate(fmu, FmuType::CoSimulation);
    instance.start(Some(fmu.tolerance()), fmu.starts());
    let states = fmu.reals(fmu.states());
    let time = |i: usize| fmu.stop_time() * i as f64 / POINTS as f64;
    let point = |i: usize| {
        instance.step(time(i - 1), time(i) - time(i - 1));
        (time(i), instance.reals(&states))
    };
    (1..POINTS).map(point).collect()
}

/// Moves an instance in Continuous-Time Mode along the points; if an event is due, `due` is called
/// with the instance in Event Mode, and returns the next time event.
fn lead(
    instance: &Instance,
    points: &[(f64, Vec<f64>)],
    mut next_event: f64,
    mut due: impl FnMut(&Instance, f64) -> f64,
    mut at_point: impl FnMut(&Instance),
) {
    let nz = instance.fmu.description.number_of_event_indicators;
    let mut z0 = instance.vector("get_indicators", nz);
    for (t, x) in points {
        instance.set_time(*t);
        instance.set_states(x);
        let completed = instance.ok("completed", "");
        let enter_event_mode = completed.integer(0);
        assert!(matches!(enter_event_mode, 0 | 1) && completed.integer(1) == 0, "both are written");
        at_point(instance);
        let z = instance.vector("get_indicators", nz);
        let crossed = z.iter().zip(&z0).any(|(a, b)| (*a > 0.0) != (*b > 0.0));
        if crossed || enter_event_mode == 1 || *t >= next_event {
            instance.then("enter_event");
            next_event = due(instance, *t);
            instance.then("enter_continuous");
            let again = instance.ok("completed", "").integer(0);
            assert_eq!(again, 0, "{}: a step event is over", instance.fmu.name());
        }
        z0 = instance.vector("get_indicators", nz);
    }
}

/// Iterates an event to its end; returns the next time event.
fn iterate(instance: &Instance, _: f64) -> f64 {
    instance.iterate_events().unwrap_or(f64::INFINITY)
}

/// An instance in Continuous-Time Mode, and its next time event.
fn in_continuous_time<'a>(harness: &'a Harness, fmu: &'a Fmu) -> (Instance<'a>, f64) {
    let instance = harness.instantiate(fmu, FmuType::ModelExchange);
    instance.start(None, fmu.starts());
    let next = instance.iterate_events().unwrap_or(f64::INFINITY);
    instance.then("enter_continuous");
    (instance, next)
}

/// The values of all variables that a condition selects.
fn values(instance: &Instance, wanted: impl Fn(&ScalarVariable) -> bool) -> Vec<f64> {
    let variables = instance.fmu.description.variables.iter();
    let chosen = variables.filter(|v| wanted(v) && v.base != Base::String);
    chosen.map(|v| instance.get(&v.name)).collect()
}

fn discrete(v: &ScalarVariable) -> bool {
    v.variability == "discrete"
}

// FMI: B004, B006, B021
#[test]
fn discrete_variables_are_frozen_in_continuous_time_and_parameters_always() {
    let (mut modes_seen, mut events) = (0, 0);
    for fmu in Fmu::all() {
        let points = states_of_a_run(&fmu);
        let harness = Harness::new(&fmu);
        let (instance, next) = in_continuous_time(&harness, &fmu);
        let still =
            |v: &ScalarVariable| matches!(v.variability.as_str(), "constant" | "fixed" | "tunable");
        let parameters = values(&instance, still);
        let modes = RefCell::new(values(&instance, discrete));
        modes_seen += modes.borrow().len();
        let event = |instance: &Instance, t: f64| {
            let next = iterate(instance, t);
            events += 1;
            modes.replace(values(instance, discrete));
            next
        };
        lead(&instance, &points, next, event, |instance| {
            assert!(values(instance, discrete) == *modes.borrow(), "{}", fmu.name());
        });
        assert!(values(&instance, still) == parameters, "{}: parameters", fmu.name());
    }
    assert!(modes_seen > 100 && events > 200, "{modes_seen} discrete variables, {events} events");
}

// FMI: A003, B011, B012, B015, B016, B017, B019
#[test]
fn an_event_iteration_reports_what_it_changed() {
    let (mut events, mut changes) = (0, 0);
    for fmu in Fmu::all() {
        let points = states_of_a_run(&fmu);
        let harness = Harness::new(&fmu);
        let (instance, next) = in_continuous_time(&harness, &fmu);
        let nx = fmu.states().len();
        let description = &fmu.description;
        let may_change: Vec<bool> = description
            .states()
            .iter()
            .map(|i| description.variables[*i].reinit == Some(true))
            .collect();
        let watched = |instance: &Instance, now: f64| {
            events += 1;
            let before_all = instance.vector("get_states", nx);
            let mut reported = false;
            for _ in 0..1000 {
                let before = instance.vector("get_states", nx);
                let answer = instance.ok("new_discrete_states", "");
                let after = instance.vector("get_states", nx);
                let flags: Vec<i64> = (0..5).map(|i| answer.integer(i)).collect();
                assert!(flags.iter().all(|flag| matches!(flag, 0 | 1)), "{flags:?}");
                let changed = before != after;
                reported |= flags[3] == 1;
                assert!(flags[3] == 1 || !changed, "{}: a change is reported", fmu.name());
                assert_eq!(flags[2], 0, "{}: nominal values never change", fmu.name());
                if flags[0] == 0 {
                    assert_eq!(
                        reported,
                        before_all != after,
                        "{}: reported without need",
                        fmu.name()
                    );
                    changes += usize::from(reported);
                    for (i, may) in may_change.iter().enumerate() {
                        assert!(*may || before_all[i] == after[i], "{} state {i}", fmu.name());
                    }
                    let next = answer.reals(5)[0];
                    assert!(flags[4] == 0 || next > now, "{}: {next} after {now}", fmu.name());
                    return if flags[4] == 1 { next } else { f64::INFINITY };
                }
            }
            panic!("{}: the event iteration does not end", fmu.name())
        };
        lead(&instance, &points, next, watched, |_| {});
    }
    assert!(events > 200 && changes > 10, "{events} events, {changes} with changed states");
}

// FMI: A061, B007, B020
#[test]
fn only_new_discrete_states_advances_an_event() {
    let mut reactions = 0;
    for fmu in Fmu::all() {
        let points = states_of_a_run(&fmu);
        let harness = Harness::new(&fmu);
        let (plain, next) = in_continuous_time(&harness, &fmu);
        let (curious, _) = in_continuous_time(&harness, &fmu);
        let inputs = fmu.names(Base::Real, &["input"]);
        let watched = fmu.reals(
            fmu.description
                .derivatives
                .iter()
                .map(|unknown| fmu.description.variables[unknown.index].name.as_str()),
        );
        let look = |instance: &Instance, t: f64| {
            let before = instance.everything();
            for input in &inputs {
                let (value, rates) = (instance.get(input), instance.reals(&watched));
                instance.set(input, value + 1.0);
                reactions += usize::from(instance.reals(&watched) != rates);
                instance.set(input, value);
            }
            assert!(instance.everything() == before, "{}: reading advances", fmu.name());
            iterate(instance, t)
        };
        lead(&plain, &points, next, iterate, |_| {});
        lead(&curious, &points, next, look, |_| {});
        assert!(plain.everything() == curious.everything(), "{}", fmu.name());
    }
    assert!(reactions > 0, "derivatives react to an input in Event Mode");
}

// FMI: B030, B031, B032
#[test]
fn completing_a_step_twice_is_completing_it_once() {
    for fmu in Fmu::all() {
        let points = states_of_a_run(&fmu);
        let harness = Harness::new(&fmu);
        let (once, next) = in_continuous_time(&harness, &fmu);
        let (twice, _) = in_continuous_time(&harness, &fmu);
        lead(&once, &points, next, iterate, |_| {});
        lead(&twice, &points, next, iterate, |instance| {
            instance.ok("completed", "");
        });
        assert!(once.everything() == twice.everything(), "{}", fmu.name());
    }
}

// FMI: A085, B026, C010
#[test]
fn vectors_of_another_length_are_refused() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let (instance, _) = in_continuous_time(&harness, &fmu);
        let (nx, nz) = (fmu.states().len(), fmu.description.number_of_event_indicators);
        for (command, length) in [
            ("get_states", nx),
            ("get_derivatives", nx),
            ("get_nominals", nx),
            ("get_indicators", nz),
        ] {
            for wrong in [length + 1, length.wrapping_sub(1)].into_iter().filter(|n| *n < 1 << 30) {
                instance.ok("get_state", "0");
                let status = instance.call(command, &wrong.to_string()).status();
                assert_eq!(status, Status::Error, "{} {command}", fmu.name());
                instance.ok("set_state", "0");
            }
            instance.ok(command, &length.to_string());
        }
        let x = instance.vector("get_states", nx);
        let more = format!("{} {} {}", nx + 1, bits_of(&x), bits(0.0));
        assert_eq!(instance.call("set_states", &more).status(), Status::Error, "{}", fmu.name());
    }
}

// FMI: A088, A061
#[test]
fn values_in_continuous_time_do_not_depend_on_the_order_of_calls() {
    for fmu in Fmu::all() {
        let points = states_of_a_run(&fmu);
        let harness = Harness::new(&fmu);
        let (plain, next) = in_continuous_time(&harness, &fmu);
        let (other, _) = in_continuous_time(&harness, &fmu);
        let nx = fmu.states().len();
        lead(&plain, &points, next, iterate, |_| {});
        lead(&other, &points, next, iterate, |instance| {
            let x = instance.vector("get_states", nx);
            instance.everything();
            instance.vector("get_derivatives", nx);
            instance.set_states(&x);
        });
        assert!(plain.everything() == other.everything(), "{}", fmu.name());
    }
}
