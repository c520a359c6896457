//! Delays: what a signal was, is what it becomes later.

use crate::common::{events, program, refusal, run_to, settle, simulation_of, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::*;
use libraries::prelude::*;
use std::f64::consts::TAU;

/// The polynomial `t^3 - 2 t^2 + t + 3` as the integral of an integral of a ramp, and its delay.
fn cubic(m: &mut Assembly) {
    let time = m.add("time", ContinuousClock::new());
    let third = m.add("third", Gain::new().k(6));
    let second = m.add("second", Integrator::new().y_start(fixed(-4)));
    let first = m.add("first", Integrator::new().y_start(fixed(1)));
    let u = m.add("u", Integrator::new().y_start(fixed(3)));
    let slope = m.add("slope", Constant::new().k(6));
    let delay = m.add("delay", FixedDelay::new().delay_time(0.3));
    m.connect(time.y, third.u);
    m.connect(slope.y, second.u);
    m.connect(second.y, first.u);
    m.connect(first.y, u.u);
    m.connect(u.y, delay.u);
}

#[test]
fn the_delay_of_a_cubic_is_exact() {
    let u = |t: f64| ((t - 2.0) * t + 1.0) * t + 3.0;
    let mut model = start(cubic);
    for k in 0..=200 {
        let t = 0.01 * f64::from(k);
        run_to(&mut model, t);
        let y = value(&mut model, "delay.y");
        let expected = if t < 0.3 { 3.0 } else { u(t - 0.3) };
        assert!((y - expected).abs() < 1e-12, "{t} s: {y} instead of {expected}");
    }
}

#[test]
fn records_within_long_steps_follow_the_signal() {
    // No state limits the steps, which are as long as the delay: ten periods.
    let mut model = start(|m| {
        let u = m.add("u", Sine::new().f(50));
        let delay = m.add("delay", FixedDelay::new().delay_time(0.2).capacity(20_000));
        m.connect(u.y, delay.u);
    });
    for k in 0..=1000 {
        let t = 0.2 + 0.0007 * f64::from(k);
        run_to(&mut model, t);
        let (y, u) = (value(&mut model, "delay.y"), value(&mut model, "u.y"));
        assert!((y - u).abs() < 1e-8, "{t} s: {y} instead of {u}");
    }
}

/// `y' = -y(t - 1)` with `y = 1` before: a polynomial in each interval of a second.
fn feedback(m: &mut Assembly) {
    let delay = m.add("delay", FixedDelay::new().delay_time(1));
    let minus = m.add("minus", Gain::new().k(-1));
    let y = m.add("y", Integrator::new().y_start(fixed(1)));
    m.chain((delay, minus, y));
    m.connect(y.y, delay.u);
}

#[test]
fn a_delay_in_a_loop_gives_the_polynomials_of_the_method_of_steps() {
    // y = sum of (-1)^k (t - (k - 1))^k / k! over 0 <= k <= floor(t) + 1.
    let exact = |t: f64| {
        let term = |k: i32| {
            let factorial: f64 = (1..=k).map(f64::from).product();
            (-1f64).powi(k) * (t - f64::from(k - 1)).powi(k) / factorial
        };
        (0..=t.floor() as i32 + 1).map(term).sum::<f64>()
    };
    let mut model = start(feedback);
    for k in 0..=160 {
        let t = 0.05 * f64::from(k);
        run_to(&mut model, t);
        let y = value(&mut model, "y.y");
        assert!((y - exact(t)).abs() < 1e-9, "{t} s: {y} instead of {}", exact(t));
    }
}

/// Two delays of a step in a row, the second one named before the first.
fn chain(m: &mut Assembly) {
    let second = m.add("a", FixedDelay::new().delay_time(0.3));
    let first = m.add("b", FixedDelay::new().delay_time(0.25));
    let step = m.add("step", Step::new().height(2).offset(1).start_time(0.1));
    let mean = m.add("mean", FirstOrder::new().T(0.4).k(1).y_start(fixed(1)));
    m.chain((step.y, first, second, mean));
}

#[test]
fn a_jump_passes_a_chain_of_delays_by_events() {
    let mut model = start(chain);
    let instants = events(&mut model, 1.0);
    for wanted in [0.1, 0.35, 0.65] {
        assert!(instants.iter().any(|t| (t - wanted).abs() < 1e-15), "{wanted}: {instants:?}");
    }
    assert_eq!(instants.len(), 3, "{instants:?}");
    let mut model = start(chain);
    for (t, values) in [(0.0, [1.0, 1.0]), (0.34, [1.0, 1.0]), (0.36, [3.0, 1.0]), (0.66, [3.0; 2])]
    {
        run_to(&mut model, t);
        assert_eq!(["b.y", "a.y"].map(|name| value(&mut model, name)), values, "{t} s");
    }
    run_to(&mut model, 1.05);
    let mean = 3.0 - 2.0 * (-1f64).exp();
    assert!((value(&mut model, "mean.y") - mean).abs() < 1e-9);
}

/// The largest difference of the derivative of a delayed sine from its delayed derivative, and the
/// largest fourth derivative of the sine divided by its amplitude.
fn difference_of_derivatives(tolerance: f64) -> (f64, f64) {
    let program = program(|m| {
        let u = m.add("u", Sine::new().f(0.7).amplitude(2));
        let du = m.add("du", Der::new());
        let delay = m.add("delay", FixedDelay::new().delay_time(0.4));
        let of_delay = m.add("ofDelay", Der::new());
        let of_rate = m.add("ofRate", FixedDelay::new().delay_time(0.4));
        m.connect(u.y, du.u);
        m.connect(u.y, delay.u);
        m.connect(delay.y, of_delay.u);
        m.connect(du.y, of_rate.u);
    });
    let mut model = simulation_of(&program.expect("the model is sound"));
    model.start(Some(tolerance)).expect("a start");
    let differences = (0..400).map(|k| {
        run_to(&mut model, 0.41 + 0.0173 * f64::from(k));
        let (a, b) = (value(&mut model, "ofDelay.y"), value(&mut model, "ofRate.y"));
        (a - b).abs()
    });
    (differences.fold(0.0, f64::max), (TAU * 0.7).powi(4))
}

#[test]
fn the_delay_of_a_derivative_is_the_derivative_of_the_delay_but_for_the_cubic_between_records() {
    // Between records in a distance h, the cubic polynomial with the values and slopes of u differs
    // from u by at most M h^4 / 384, where M is the largest fourth derivative, and its derivative
    // by at most sqrt(3) M h^3 / 216. Records are so close that the former is a tolerance, relative
    // to the amplitude; at the probes it has 8/9 of its maximum or less.
    let mut last = f64::INFINITY;
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let (found, fourth) = difference_of_derivatives(tolerance);
        let h = (384.0 * 9.0 / 8.0 * tolerance / fourth).powf(0.25);
        let bound = 3f64.sqrt() / 216.0 * 2.0 * fourth * h.powi(3);
        assert!(found < bound, "{tolerance:e}: {found:e} exceeds {bound:e}");
        // The order of convergence is 3/4 of that of the value.
        assert!(found < last / 10.0, "{tolerance:e}: {found:e} after {last:e}");
        last = found;
    }
}

#[test]
fn an_input_of_the_fmu_is_delayed_with_its_jumps() {
    let mut model = start(|m| {
        let u = m.add("u", ExternalInput::new().unit("1").start(1));
        let delay = m.add("delay", FixedDelay::new().delay_time(0.5));
        m.connect(u.y, delay.u);
    });
    let set = |model: &mut Simulation, value: f64| {
        model.set("u", value).unwrap();
        settle(model);
    };
    // What is set at the start is the signal at the start.
    set(&mut model, 2.0);
    assert_eq!(value(&mut model, "delay.y"), 2.0);
    run_to(&mut model, 0.3);
    set(&mut model, 5.0);
    run_to(&mut model, 0.79);
    assert_eq!(value(&mut model, "delay.y"), 2.0);
    run_to(&mut model, 0.81);
    assert_eq!(value(&mut model, "delay.y"), 5.0);
}

/// All models of this file that have states.
const TEXTS: [fn(&mut Assembly); 3] = [cubic, feedback, chain];

const OBSERVED: [&str; 3] = ["delay.y", "y.y", "mean.y"];

fn observed(model: &mut Simulation) -> Vec<u64> {
    OBSERVED.iter().filter_map(|name| Some(model.read(name).ok()?.to_bits())).collect()
}

#[test]
fn communication_steps_do_not_change_a_bit() {
    for text in TEXTS {
        let after = |parts: u32| {
            let mut model = start(text);
            let mut all = Vec::new();
            for k in 1..=40 * parts {
                let whole = 0.07 * f64::from(k.div_ceil(parts));
                let part = f64::from(k.div_ceil(parts) * parts - k) / f64::from(parts);
                run_to(&mut model, whole - 0.07 * part);
                if k % parts == 0 {
                    all.push(observed(&mut model));
                }
            }
            all
        };
        let once = after(1);
        assert!(!once[0].is_empty());
        assert_eq!(once, after(3));
        assert_eq!(once, after(17));
    }
}

#[test]
fn a_rollback_has_the_same_bits() {
    for text in TEXTS {
        let (mut straight, mut model) = (start(text), start(text));
        run_to(&mut model, 0.33);
        let state = model.fmu_state();
        run_to(&mut model, 2.7);
        model.set_fmu_state(&state).unwrap();
        run_to(&mut straight, 0.33);
        for k in 1..30 {
            let t = 0.33 + 0.09 * f64::from(k);
            run_to(&mut model, t);
            run_to(&mut straight, t);
            assert_eq!(observed(&mut model), observed(&mut straight), "{t} s");
        }
    }
}

#[test]
fn a_delay_does_not_depend_on_present_states() {
    let program = program(feedback).expect("the model is sound");
    let mut model = simulation_of(&program);
    model.start(None).unwrap();
    run_to(&mut model, 1.5);
    let before = value(&mut model, "delay.y");
    model.move_to(1.5, &[17.0]).unwrap();
    assert_eq!(value(&mut model, "delay.y"), before);
    assert!(model.info().jacobian.iter().all(|rows| rows.is_empty()));
}

#[test]
fn a_history_without_room_ends_the_simulation() {
    let mut model = start(|m| {
        let u = m.add("u", Sine::new().f(50));
        let delay = m.add("delay1", FixedDelay::new().delay_time(0.2).capacity(64));
        m.connect(u.y, delay.u);
    });
    let why = model.run_to(1.0).expect_err("64 points are not enough").to_string();
    let wanted = "delay1 needs more than 64 points of its input within 0.2 s; raise `capacity`";
    assert!(why.contains(wanted), "{why}");
}

#[test]
fn a_delay_that_is_not_positive_is_refused() {
    let text = |time: f64| {
        move |m: &mut Assembly| {
            let u = m.add("u", Sine::new().f(1));
            let delay = m.add("delay", FixedDelay::new().delay_time(time));
            m.connect(u.y, delay.u);
        }
    };
    let sentence = refusal(text(-0.2));
    assert!(sentence.contains("delay.delayTime = -0.2 s"), "{sentence}");
    assert!(refusal(text(0.0)).contains("delay.delayTime = 0 s"));
    // What an importer sets is checked again.
    let mut model = simulation_of(&program(text(0.2)).expect("the model is sound"));
    let set = model.set("delay.delayTime", -1.0);
    let why = set.and_then(|()| model.start(None)).expect_err("-1 s is refused").to_string();
    assert!(why.contains("delay.delayTime = -1 s"), "{why}");
    model.set("delay.delayTime", 0.5).unwrap();
    model.start(None).unwrap();
    run_to(&mut model, 0.75);
    assert!((value(&mut model, "delay.y") - 1.0).abs() < 1e-7);
}

#[test]
fn steps_of_fixed_length_are_not_longer_than_the_delay() {
    let mut model = simulation_of(&program(cubic).expect("the model is sound"));
    // Each step of Rk4 is exact for a cubic, and so is the polynomial between the records.
    model.set("solver.method", 3.0).unwrap();
    model.start(None).unwrap();
    for t in [1.0, 2.0] {
        run_to(&mut model, t);
        let u = |t: f64| ((t - 2.0) * t + 1.0) * t + 3.0;
        assert!((value(&mut model, "delay.y") - u(t - 0.3)).abs() < 1e-12, "{t} s");
    }
}
