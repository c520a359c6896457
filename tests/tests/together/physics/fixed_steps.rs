//! Methods with fixed steps, for real time: they follow the variable-step solution through events,
//! with bounded work.

use coupler::prelude::*;
use coupler_tests::own;
use coupler_tests::simulations::{self, named, run_to, start, value};
use fmu_runtime::Simulation;

/// `solver.method` of the methods with fixed steps.
const RK4: f64 = 3.0;
const EULER: f64 = 4.0;

/// Values of a model with communication steps of 1 ms, at every tenth of the time.
fn values(name: &str, settings: &[(&str, f64)], end: f64, read: &[&str]) -> Vec<f64> {
    let mut model = named(name);
    start(&mut model, Some(1e-10), settings);
    let steps = (end / 1e-3).round() as u32;
    let mut values = Vec::new();
    for k in 1..=steps {
        run_to(&mut model, f64::from(k) * end / f64::from(steps));
        if k % (steps / 10) == 0 {
            values.extend(read.iter().map(|name| value(&mut model, name)));
        }
    }
    values
}

#[test]
fn they_follow_the_solution_with_error_control_through_events() {
    for (name, end, read, error_of_rk4, error_of_euler) in [
        ("CoupledClutches", 1.5, &["J1.w", "J2.w", "J3.w", "J4.w"][..], 1e-5, 1e-3),
        ("LossyGearDemo1", 0.5, &["Inertia1.w"], 1e-4, 1e-1),
        ("BouncingBall", 1.0, &["h", "v"], 1e-5, 1e-2),
        ("Fourbar1", 1.0, &["j1.phi", "j1.w"], 1e-10, 5e-2),
    ] {
        let exact = values(name, &[], end, read);
        let scale = exact.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        for (method, bound) in [(RK4, error_of_rk4), (EULER, error_of_euler)] {
            let found = values(name, &[("solver.method", method)], end, read);
            let errors = exact.iter().zip(&found).map(|(a, b)| (a - b).abs());
            let error = errors.fold(0.0, f64::max) / scale;
            assert!(error < bound, "{name} with method {method}: {error}");
        }
    }
}

#[test]
fn clutches_that_lock_share_their_speed() {
    let speeds =
        values("CoupledClutches", &[("solver.method", RK4)], 1.5, &["J2.w", "J3.w", "J4.w"]);
    let [.., second, third, fourth] = speeds[..] else { unreachable!("ten rows") };
    assert!((second - third).abs() < 1e-4 && (third - fourth).abs() < 1e-4, "{speeds:?}");
}

#[test]
fn their_work_has_a_bound_and_restored_states_repeat_it_to_the_bit() {
    let mut model = named("CoupledClutches");
    let settings = [("solver.method", RK4), ("solver.step", 4e-4), ("solver.max_iterations", 3.0)];
    start(&mut model, None, &settings);
    let work = |model: &mut Simulation| {
        ["evaluations", "indicators"].map(|what| value(model, &format!("solver.{what}")))
    };
    let mut before = work(&mut model);
    for k in 1..=1500 {
        let state = model.fmu_state();
        let t = f64::from(k) * 1e-3;
        let bits = |model: &mut Simulation| {
            run_to(model, t);
            let states: Vec<u64> = model.continuous_states().iter().map(|x| x.to_bits()).collect();
            (states, work(model).map(f64::to_bits))
        };
        let once = bits(&mut model);
        model.set_fmu_state(&state).expect("its own state");
        assert_eq!(bits(&mut model), once, "at {t} s");
        // Three steps and one more for each of at most three events that are located, which have
        // four repetitions; every step may end with an event.
        let (steps, repetitions) = (3.0 + 3.0, 4.0 * 3.0);
        let after = work(&mut model);
        let [evaluations, indicators] = [0, 1].map(|k| after[k] - before[k]);
        assert!(evaluations <= (4.0 + 1.0) * steps + 3.0 * repetitions, "{evaluations} at {t} s");
        assert!(indicators <= 2.0 * steps + repetitions, "{indicators} at {t} s");
        before = after;
    }
}

/// Pulses at instants that are no ends of steps, and the area below them.
fn pulses(m: &mut Assembly) {
    let pulse = m.add("pulse", Pulse::new().amplitude(1).period(1.03e-3).width(33));
    let area = m.add("area", Integrator::new().k(1));
    m.connect(pulse.y, area.u);
    m.output("y", area.y);
}

/// A state that passes a level in each period of a sine of 1 kHz.
fn crossings(m: &mut Model) {
    let (time, x) = (m.time(), m.state("x", 0.0).done());
    let above = m.relation("above", (time * 6283.0).sin() - 0.3).done();
    m.derivative(x, select(above, 1.0, 0.0));
    m.output("y", x).done();
}

#[test]
fn events_that_are_too_many_for_a_step_are_counted_and_reported() {
    let programs = [own::traced("pulses", pulses), own::traced("crossings", crossings)];
    for traced in programs {
        // A communication step of 10 ms has twenty events, one of 1 ms two or three.
        for (step, most, late) in [(1e-2, 10.0, true), (1e-2, 30.0, false), (1e-3, 4.0, false)] {
            let mut model = simulations::of(&traced);
            let fixed = [("solver.method", RK4), ("solver.step", 1e-4)];
            start(&mut model, None, &[&fixed[..], &[("solver.max_iterations", most)]].concat());
            let steps = (0.1_f64 / step).round();
            for k in 1..=steps as i32 {
                run_to(&mut model, step * f64::from(k));
            }
            let count = value(&mut model, "solver.late_events");
            let messages = model.messages();
            let found = messages.iter().filter(|m| m.text.contains("are handled late"));
            let place = format!("{}, step {step}, {most}", traced.name);
            if late {
                assert_eq!(found.count() as f64, steps, "{place}: one in each step");
                assert!((5.0..15.0).contains(&(count / steps)), "{place}: {count}");
            } else {
                assert_eq!((found.count(), count), (0, 0.0), "{place}");
            }
        }
    }
}

/// A discrete variable that changes in every pass of an event iteration after half a second.
fn restless(m: &mut Model) {
    let late = m.time_relation("late", Ex::from(0.5));
    let flag = m.discrete("flag", 0.0).done();
    m.update(flag, select(late, 1.0 - flag.pre(), flag.pre()));
    let x = m.state("x", 1.0).done();
    m.derivative(x, -x);
    m.output("y", flag.pre()).done();
}

#[test]
fn an_event_iteration_that_does_not_end_is_cut_short_with_a_warning() {
    let mut exact = own::simulation("restless", restless);
    start(&mut exact, None, &[]);
    let refused = exact.run_to(1.0).expect_err("it does not end").to_string();
    assert!(refused.contains("flag keeps changing"), "{refused}");
    let mut model = own::simulation("restless", restless);
    start(&mut model, None, &[("solver.method", RK4), ("solver.max_iterations", 7.0)]);
    for k in 1..=100 {
        run_to(&mut model, 0.01 * f64::from(k));
    }
    assert!((value(&mut model, "x") - (-1.0_f64).exp()).abs() < 1e-9);
    assert_eq!(value(&mut model, "y"), 1.0, "an odd number of passes");
    let warnings: Vec<String> = model.messages().into_iter().map(|m| m.text).collect();
    model.reset().expect("a simulation");
    let refused = model.set("solver.max_iterations", 1001.0).expect_err("it is too many");
    assert!(refused.to_string().contains("solver.max_iterations = 1001: "), "{refused}");
    let warning = "after 7 event iterations: the event iteration does not end: flag keeps changing";
    assert_eq!(warnings.iter().filter(|text| text.ends_with(warning)).count(), 1, "{warnings:?}");
}
