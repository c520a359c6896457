//! Tests of communication steps: sizes, events, inputs with derivatives, failures and their status.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::fmi2::*;
use fmu_runtime::system::System;
use fmu_runtime::{Simulation, equations};

fn exact(t: f64) -> f64 {
    (2.0 * t).cos()
}

// FMI: A091, B035, canHandleVariableCommunicationStepSize
#[test]
fn results_do_not_depend_on_the_communication_steps() {
    for h in [1.0, 0.1, 0.01, 0.0007, 7.0 / 30.0] {
        let fmu = Fmu::cs_from::<Oscillator>(0.0, &[]);
        let count = (3.0_f64 / h).floor() as usize;
        let t = fmu.steps(0.0, h, count);
        assert!((fmu.real(Oscillator::X) - exact(t)).abs() < 1e-7, "h = {h}");
        assert!((fmu.real(Oscillator::TIME) - t).abs() < 1e-12);
    }
}

// FMI: A091, B035
#[test]
fn states_have_the_same_bits_for_all_communication_steps() {
    for method in [1, 2, 5] {
        let x = |count: usize| {
            let fmu = Fmu::cs::<Oscillator>();
            fmu.set_integer(Oscillator::METHOD, method);
            fmu.initialize(0.0, &[(Oscillator::TOLERANCE, 1e-8)]);
            fmu.steps(0.0, 3.0 / count as f64, count);
            fmu.real(Oscillator::X)
        };
        let one = x(1);
        assert!((one - exact(3.0)).abs() < 1e-6);
        for count in [2, 8, 64, 1024] {
            assert_eq!(x(count).to_bits(), one.to_bits(), "method {method}, {count} steps");
        }
    }
}

// FMI: A091, B035
#[test]
fn communication_points_within_rounding_of_events_do_not_move_them() {
    for period in (1..100).map(|k| 0.01 * f64::from(k)) {
        let x = |count: u32| {
            let mut clock = Simulation::of(equations::system_model::<Clock>()).expect("no table");
            clock.set("period", period).expect("a parameter");
            clock.start(Some(1e-8)).expect("there are initial values");
            for k in 1..=count {
                clock.run_to(2.0 * f64::from(k) / f64::from(count)).expect("it continues");
            }
            clock.read("x").expect("a state")
        };
        let one = x(1);
        for count in [40, 100, 200] {
            assert_eq!(x(count).to_bits(), one.to_bits(), "period {period}, {count} steps");
        }
    }
}

#[test]
fn the_tolerance_of_the_experiment_or_of_the_parameter_drives_the_accuracy() {
    let error = |experiment, parameter| {
        let fmu = Fmu::cs::<Oscillator>();
        fmu.setup_with(experiment, 0.0, None);
        fmu.set_real(&[Oscillator::TOLERANCE], &[parameter]);
        fmu.enter_initialization_mode();
        fmu.exit_initialization_mode();
        fmu.steps(0.0, 1.0, 10);
        (fmu.real(Oscillator::X) - exact(10.0)).abs()
    };
    let coarse = error(Some(1e-4), 0.0);
    assert!(1e-7 < coarse && coarse < 1e-3);
    assert!(error(Some(1e-11), 0.0) < 1e-9);
    assert_eq!(error(Some(1e-11), 1e-4), coarse, "the parameter has the last word");
    assert_eq!(error(None, 1e-4), coarse);
    assert!(error(None, 0.0) < 1e-6, "without either: that of the default experiment");
}

#[test]
fn method_and_largest_step_are_parameters() {
    let steps = |method, max_step| {
        let fmu = Fmu::cs::<Oscillator>();
        fmu.set_integer(Oscillator::METHOD, method);
        fmu.initialize(0.0, &[(Oscillator::MAX_STEP, max_step)]);
        fmu.steps(0.0, 1.0, 10);
        assert!((fmu.real(Oscillator::X) - exact(10.0)).abs() < 1e-6);
        fmu.terminate();
        let words: Vec<usize> =
            fmu.last_text().split(' ').filter_map(|word| word.parse().ok()).collect();
        (words[0], words[3])
    };
    assert_eq!(steps(1, 0.0).1, 0, "Tsit5 needs no Jacobian");
    assert!(steps(2, 0.0).1 > 10, "Rodas5P does");
    assert!(steps(1, 0.01).0 >= 1000);
    assert!(steps(1, 0.0).0 < 500);
}

#[test]
fn methods_with_fixed_steps_divide_communication_steps_equally() {
    let run = |method, step, h: f64| {
        let fmu = Fmu::cs::<Oscillator>();
        fmu.set_integer(Oscillator::METHOD, method);
        fmu.initialize(0.0, &[(Oscillator::STEP, step)]);
        fmu.steps(0.0, h, (1.0 / h).round() as usize);
        let error = (fmu.real(Oscillator::X) - exact(1.0)).abs();
        fmu.terminate();
        let words: Vec<usize> =
            fmu.last_text().split(' ').filter_map(|word| word.parse().ok()).collect();
        (words[0], words[2], error)
    };
    for (method, evaluations) in [(3, 4), (4, 1)] {
        let (steps, work, error) = run(method, 0.0, 0.01);
        assert_eq!((steps, work), (100, 1 + 100 * evaluations));
        assert_eq!(run(method, 0.01, 0.01), (steps, work, error));
        let (steps, work, _) = run(method, 0.04, 0.1);
        assert_eq!((steps, work), (30, 1 + 30 * evaluations));
        let (half, _, smaller) = run(method, 0.005, 0.01);
        let order = (error / smaller).log2();
        assert_eq!(half, 200);
        assert!((order - evaluations as f64).abs() < 0.1, "order {order}");
    }
}

#[test]
fn the_solver_counts_state_events_and_time_events() {
    let counts = |fmu: &Fmu, h: f64, steps: usize| {
        fmu.steps(0.0, h, steps);
        fmu.terminate();
        let text = fmu.last_text();
        let (_, events) = text.split_once("Newton's method, ").unwrap();
        events.to_owned()
    };
    // Ticks every half second, at communication points and between them.
    for (h, steps) in [(0.25, 21), (5.25, 1)] {
        let clock = Fmu::cs_from::<Clock>(0.0, &[(Clock::PERIOD, 0.5)]);
        assert_eq!(counts(&clock, h, steps), "0 state events, 10 time events, 0 late events");
    }
    let ball = Fmu::cs_from::<Ball>(0.0, &[]);
    let events = counts(&ball, 0.5, 1);
    assert!(
        !events.starts_with('0') && events.ends_with(", 0 time events, 0 late events"),
        "{events}"
    );
}

#[test]
fn a_model_without_states_makes_steps_too() {
    let fmu = Fmu::cs_from::<Circle<0>>(0.0, &[]);
    assert_eq!(fmu.steps(0.0, 0.5, 10), 5.0);
    assert_eq!(fmu.get_boolean(0), (fmi2OK, 1));
}

// FMI: A091, B041
#[test]
fn a_million_tiny_steps_keep_time() {
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[]);
    let mut t = 0.0;
    for _ in 0..1_000_000 {
        assert_eq!(fmu.step(t, 1e-6), fmi2OK);
        t += 1e-6;
    }
    assert!((fmu.real(Oscillator::X) - exact(t)).abs() < 1e-7);
}

// FMI: A060, B037
#[test]
fn a_tunable_level_is_an_event_at_the_next_step() {
    let fmu = Fmu::cs_from::<Threshold>(0.0, &[(Threshold::U, 0.4)]);
    fmu.steps(0.0, 0.1, 2);
    fmu.set_real(&[Threshold::LEVEL], &[0.3]);
    assert_eq!(fmu.real(Threshold::COUNT), 0.0);
    fmu.steps(0.2, 0.1, 1);
    assert_eq!(fmu.real(Threshold::COUNT), 1.0);
    assert_eq!(fmu.real(Threshold::SWITCHED), 0.2);
}

// FMI: A091
#[test]
fn arguments_that_do_not_fit_are_errors() {
    for (t, h) in [
        (0.1, 0.1),
        (1e-6, 0.1),
        (0.0, -0.1),
        (0.0, f64::NAN),
        (f64::NAN, 0.1),
        (0.0, f64::INFINITY),
    ] {
        let fmu = Fmu::cs_from::<Oscillator>(0.0, &[]);
        assert_eq!(fmu.step(t, h), fmi2Error, "t = {t}, h = {h}");
    }
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[]);
    assert_eq!(fmu.step(1e-12, 0.1), fmi2OK, "rounding of the importer is forgiven");
}

// FMI: A039
#[test]
fn steps_end_at_the_stop_time_up_to_rounding() {
    let start = |stop| {
        let fmu = Fmu::cs::<Oscillator>();
        fmu.setup(0.0, Some(stop));
        fmu.enter_initialization_mode();
        fmu.exit_initialization_mode();
        fmu
    };
    let fmu = start(1.0);
    assert_eq!(fmu.step(0.0, 1.0 + 1e-12), fmi2OK);
    let fmu = start(1.0);
    fmu.steps(0.0, 0.1, 10);
    assert_eq!(fmu.step(1.0, 0.1), fmi2Error);
}

// FMI: A039
#[test]
fn the_solver_evaluates_nothing_beyond_the_stop_time() {
    let fmu = Fmu::cs::<Cliff>();
    fmu.setup(0.0, Some(1.0));
    fmu.enter_initialization_mode();
    fmu.exit_initialization_mode();
    fmu.steps(0.0, 0.125, 8);
    assert!((fmu.real(0) - 2.0 / 3.0).abs() < 1e-6);
}

#[test]
fn a_step_of_zero_length_only_applies_settings() {
    let fmu = Fmu::cs_from::<Threshold>(0.0, &[]);
    assert_eq!(fmu.step(0.0, 0.0), fmi2OK);
    fmu.set_real(&[Threshold::U], &[1.0]);
    assert_eq!(fmu.real(Threshold::Y), 0.0);
    assert_eq!(fmu.step(0.0, 0.0), fmi2OK);
    assert_eq!(fmu.real(Threshold::Y), 2.0);
    assert_eq!(fmu.real(Threshold::COUNT), 1.0);
    assert_eq!(fmu.real(Threshold::SWITCHED), 0.0);
}

// FMI: B037
#[test]
fn an_input_that_is_set_acts_at_the_point_where_it_is_set() {
    // Integrator steps beyond the event are abandoned: x' is exactly 0 before 0.3 s and 1 after it.
    let fmu = Fmu::cs_from::<Threshold>(0.0, &[]);
    fmu.steps(0.0, 0.1, 3);
    fmu.set_real(&[Threshold::U], &[1.0]);
    fmu.steps(0.3, 0.1, 2);
    assert!((fmu.real(Threshold::SWITCHED) - 0.3).abs() < 1e-15);
    assert!((fmu.real(Threshold::X) - 0.2).abs() < 1e-12);
}

// FMI: A095, B035, canInterpolateInputs
#[test]
fn a_ramp_crosses_a_threshold_inside_a_step_at_the_exact_time() {
    for (slope, start) in [(1.0, 0.0), (0.7, 0.1), (1.3, -0.2)] {
        let fmu = Fmu::cs_from::<Threshold>(0.0, &[(Threshold::U, start)]);
        fmu.set_slope(Threshold::U, 1, slope);
        assert_eq!(fmu.step(0.0, 1.0), fmi2OK);
        let crossing = (0.5 - start) / slope;
        let switched = fmu.real(Threshold::SWITCHED);
        assert!((switched - crossing).abs() < 1e-9, "{switched}, exact {crossing}");
        let integral = 0.5 * (1.0 - crossing) * (0.5 + start + slope);
        assert!((fmu.real(Threshold::X) - integral).abs() < 1e-9);
        assert!((fmu.real(Threshold::Y) - 2.0 * (start + slope)).abs() < 1e-14);
        assert!((fmu.real(Threshold::U) - (start + slope)).abs() < 1e-14);
    }
}

// FMI: A095
#[test]
fn input_derivatives_of_higher_order_are_used() {
    // u = t^2 - t^3 / 3 + t^4 / 24 - t^5 / 120 rises through 0.5.
    let u = |t: f64| t.powi(2) - t.powi(3) / 3.0 + t.powi(4) / 24.0 - t.powi(5) / 120.0;
    let fmu = Fmu::cs_from::<Threshold>(0.0, &[]);
    for (order, value) in [(2, 2.0), (3, -2.0), (4, 1.0), (5, -1.0)] {
        assert_eq!(fmu.set_slope(Threshold::U, order, value), fmi2OK);
    }
    assert_eq!(fmu.step(0.0, 1.0), fmi2OK);
    assert!((u(fmu.real(Threshold::SWITCHED)) - 0.5).abs() < 1e-9);
    assert!((fmu.real(Threshold::U) - u(1.0)).abs() < 1e-14);
}

// FMI: A095
#[test]
fn a_jacobian_that_lasts_does_not_hide_input_derivatives() {
    fn values<T: System>(slope: f64) -> Vec<u64> {
        let fmu = Fmu::cs::<T>();
        fmu.set_integer(Oscillator::METHOD, 2);
        fmu.initialize(0.0, &[(Oscillator::TOLERANCE, 1e-6)]);
        let step = |k: u32| {
            assert_eq!(fmu.set_slope(Oscillator::U, 1, slope), fmi2OK);
            assert_eq!(fmu.step(0.1 * f64::from(k), 0.1), fmi2OK);
            fmu.real(Oscillator::X).to_bits()
        };
        (0..20).map(step).collect()
    }
    assert_eq!(values::<LinearOscillator>(3.0), values::<Oscillator>(3.0));
    assert_ne!(values::<LinearOscillator>(3.0), values::<LinearOscillator>(0.0));
}

// FMI: A095, B038
#[test]
fn input_derivatives_hold_for_one_step() {
    let fmu = Fmu::cs_from::<Threshold>(0.0, &[(Threshold::U, 1.0)]);
    fmu.set_slope(Threshold::U, 1, 1.0);
    fmu.steps(0.0, 1.0, 1);
    assert_eq!(fmu.slope(Threshold::Y, 1), (fmi2OK, 2.0));
    assert!((fmu.real(Threshold::X) - 1.5).abs() < 1e-9);
    fmu.steps(1.0, 1.0, 1);
    assert_eq!(fmu.slope(Threshold::Y, 1), (fmi2OK, 0.0));
    assert!((fmu.real(Threshold::X) - 3.5).abs() < 1e-9, "the input holds the value reached");
}

/// The error of `x'' = sin(t) - 4 x` at 2 s, where an importer sets the sine and its derivatives up
/// to an order at every communication point.
fn error_of_held_inputs(order: i32, steps: u32) -> f64 {
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[(Oscillator::TOLERANCE, 1e-12)]);
    let h = 2.0 / f64::from(steps);
    for i in 0..steps {
        let t = f64::from(i) * h;
        fmu.set_real(&[Oscillator::U], &[t.sin()]);
        for (k, value) in (1..=order).zip([t.cos(), -t.sin(), -t.cos()]) {
            fmu.set_slope(Oscillator::U, k, value);
        }
        fmu.steps(t, h, 1);
    }
    fmu.real(Oscillator::X) - (4_f64.cos() - 4_f64.sin() / 6.0 + 2_f64.sin() / 3.0)
}

// FMI: A095
#[test]
fn the_order_in_the_communication_step_is_that_of_the_input_derivatives_plus_one() {
    for order in 0..=3 {
        let errors = [40, 80].map(|steps| error_of_held_inputs(order, steps));
        let halvings = (errors[0] / errors[1]).log2();
        assert!((halvings - f64::from(order + 1)).abs() < 0.15, "{order}: {errors:?}");
    }
}

// FMI: B037
#[test]
fn jumps_of_an_input_at_many_communication_points_give_the_exact_motion() {
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[(Oscillator::TOLERANCE, 1e-10)]);
    let (mut x, mut v, mut u) = (1.0, 0.0, 0.0);
    let h = 0.03;
    for i in 0..300_u32 {
        // Runs of jumps and of steps without one.
        if i / 7 % 3 != 2 {
            u = 5.0 * (f64::from(i) * 1.7).sin();
        }
        fmu.set_real(&[Oscillator::U], &[u]);
        fmu.steps(f64::from(i) * h, h, 1);
        let (sin, cos) = (2.0 * h).sin_cos();
        let (middle, off) = (u / 4.0, x - u / 4.0);
        (x, v) = (middle + off * cos + 0.5 * v * sin, v * cos - 2.0 * off * sin);
        assert!((fmu.real(Oscillator::X) - x).abs() < 2e-9, "at step {i}");
        assert!((fmu.real(Oscillator::V) - v).abs() < 4e-9, "at step {i}");
    }
}

// FMI: A095, A096
#[test]
fn orders_of_derivatives_that_do_not_exist_are_refused() {
    let fmu = Fmu::cs_from::<Threshold>(0.0, &[]);
    for order in [0, -1, 6] {
        assert_eq!(fmu.set_slope(Threshold::U, order, 1.0), fmi2Error);
    }
    for order in [0, -1, 3] {
        assert_eq!(fmu.slope(Threshold::Y, order).0, fmi2Error);
        let possible = format!("derivative of order {order}: orders 1 to 2 are possible");
        assert!(fmu.last_text().ends_with(&possible), "{}", fmu.last_text());
    }
    assert_eq!(fmu.step(0.0, 1.0), fmi2OK, "which leaves the instance unaffected");
}

// FMI: A096, maxOutputDerivativeOrder
#[test]
fn output_derivatives_follow_the_motion() {
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[]);
    let t = fmu.steps(0.0, 0.1, 7);
    let (status, slope) = fmu.slope(Oscillator::DER_V, 1);
    assert_eq!(status, fmi2OK);
    assert!((slope - 8.0 * (2.0 * t).sin()).abs() < 1e-6);
    assert!(fmu.slope(Oscillator::ENERGY, 1).1.abs() < 1e-12);
}

// FMI: B018, B036
#[test]
fn time_events_fall_on_their_instants_for_every_partition() {
    for h in [0.1, 0.05, 0.03, 0.25, 1.0] {
        let fmu = Fmu::cs_from::<Clock>(0.0, &[(Clock::PERIOD, 0.1)]);
        let count = (1.0_f64 / h).round() as usize;
        let t = fmu.steps(0.0, h, count);
        let ticks = ((t + 1e-12) / 0.1).floor();
        assert_eq!(fmu.get_integer(Clock::COUNT), (fmi2OK, ticks as i32), "h = {h}");
        // x is the integral of the count.
        let exact = 0.1 * ticks * (ticks - 1.0) / 2.0 + ticks * (t - 0.1 * ticks);
        assert!((fmu.real(Clock::X) - exact).abs() < 1e-9, "h = {h}");
    }
}

// FMI: A092, A093, B039
#[test]
fn a_request_to_terminate_is_a_discard_with_the_time_reached() {
    let fmu = Fmu::cs_from::<Clock>(0.0, &[(Clock::STOP, 0.25)]);
    assert_eq!(fmu.step(0.0, 0.2), fmi2OK);
    assert_eq!(fmu.terminated(), (fmi2OK, 0));
    assert_eq!(fmu.last_successful_time(), (fmi2OK, 0.2));
    assert_eq!(fmu.step(0.2, 0.2), fmi2Discard);
    assert_eq!(fmu.terminated(), (fmi2OK, 1));
    assert_eq!(fmu.last_successful_time(), (fmi2OK, 0.25));
    assert!((fmu.real(Clock::X) - 0.2).abs() < 1e-9, "values of the end are readable");
    assert_eq!(fmu.terminate(), fmi2OK);
}

// FMI: A092, B040
#[test]
fn a_failing_step_is_discarded_at_the_last_successful_point_and_can_be_retried() {
    let fmu = Fmu::cs_from::<Cliff>(0.0, &[]);
    fmu.steps(0.0, 0.5, 1);
    let state = fmu.get_state();
    assert_eq!(fmu.step(0.5, 1.0), fmi2Discard);
    let (status, t) = fmu.last_successful_time();
    assert_eq!(status, fmi2OK);
    assert!(0.5 < t && t <= 1.0, "{t}");
    assert_eq!(fmu.terminated(), (fmi2OK, 0));
    let x = 2.0 / 3.0 * (1.0 - (1.0 - t).powf(1.5));
    assert!((fmu.real(0) - x).abs() < 1e-6);
    assert_eq!(fmu.step(t, 0.01), fmi2Error, "only a stored state leads on");
    assert_eq!(fmu.set_state(state), fmi2OK);
    assert_eq!(fmu.step(0.5, 0.25), fmi2OK);
    let x = 2.0 / 3.0 * (1.0 - 0.25_f64.powf(1.5));
    assert!((fmu.real(0) - x).abs() < 1e-6);
}

#[test]
fn an_implicit_equation_is_solved_inside_the_steps() {
    // With z + z^3 = x and x' = -z: (1 + 3 z^2) z' = -z, hence ln z + 3/2 z^2 = const - t.
    let fmu = Fmu::cs_from::<Implicit>(0.0, &[]);
    let invariant = |z: f64, t: f64| z.ln() + 1.5 * z * z + t;
    let at_start = invariant(fmu.real(Implicit::Z), 0.0);
    let t = fmu.steps(0.0, 0.1, 20);
    assert!((invariant(fmu.real(Implicit::Z), t) - at_start).abs() < 1e-6);
    assert_eq!(fmu.slope(Implicit::Z, 1).0, fmi2OK);
    let z = fmu.real(Implicit::Z);
    assert!((fmu.slope(Implicit::Z, 1).1 + z / (1.0 + 3.0 * z * z)).abs() < 1e-9);
}

// FMI: A093
#[test]
fn unavailable_status_is_discarded_and_changes_nothing() {
    #![allow(unsafe_code, reason = "it calls the C interface")]
    use fmu_runtime::abi;
    let fmu = Fmu::cs_from::<Clock>(0.0, &[]);
    fmu.steps(0.0, 0.1, 1);
    let (mut real, mut integer, mut boolean, mut status) = (7.0, 7, 7, 7);
    let mut text = std::ptr::null();
    unsafe {
        assert_eq!(abi::fmi2GetRealStatus(fmu.c, fmi2Terminated, &mut real), fmi2Discard);
        assert_eq!(abi::fmi2GetIntegerStatus(fmu.c, fmi2Terminated, &mut integer), fmi2Discard);
        let kind = fmi2LastSuccessfulTime;
        assert_eq!(abi::fmi2GetBooleanStatus(fmu.c, kind, &mut boolean), fmi2Discard);
        assert_eq!(abi::fmi2GetStatus(fmu.c, fmi2Terminated, &mut status), fmi2Discard);
        assert_eq!(abi::fmi2GetStringStatus(fmu.c, fmi2PendingStatus, &mut text), fmi2Discard);
        assert_eq!((real, integer, boolean, status), (7.0, 7, 7, 7));
        assert!(text.is_null());
        assert_eq!(abi::fmi2GetStatus(fmu.c, fmi2DoStepStatus, &mut status), fmi2OK);
        assert_eq!(status, fmi2OK);
    }
}

#[test]
fn two_thousand_events_per_second_are_progress_at_late_times_too() {
    for start in [0.0, 1e6] {
        let fmu = Fmu::cs_from::<Metronome>(start, &[(Metronome::START, start)]);
        assert_eq!(fmu.step(start, 1.0001), fmi2OK, "{}", fmu.last_text());
        assert_eq!(fmu.get_integer(Metronome::COUNT), (fmi2OK, 2000));
        assert!((fmu.real(0) - 1.0001).abs() < 1e-9);
    }
}

// FMI: A091
#[test]
fn a_step_backwards_is_refused_with_its_size() {
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[]);
    assert_eq!(fmu.step(0.0, -0.25), fmi2Error);
    assert!(fmu.last_text().contains("step size -0.25 is negative"), "{}", fmu.last_text());
}

#[test]
fn what_is_read_at_a_communication_point_has_the_same_bits_whatever_else_is_read() {
    let all = [Oscillator::X, Oscillator::V, Oscillator::DER_V, Oscillator::ENERGY];
    let values = |fmu: &Fmu, first: &[u32]| {
        let read = |reference: &u32| fmu.real(*reference).to_bits();
        for reference in first {
            read(reference);
        }
        all.iter().map(read).collect::<Vec<u64>>()
    };
    let [whole, single, last, stored] = [(); 4].map(|()| Fmu::cs_from::<Oscillator>(0.0, &[]));
    for k in 0..400 {
        let t = 0.01 * f64::from(k);
        for fmu in [&whole, &single, &last, &stored] {
            fmu.step(t, 0.01);
            if k % 97 == 96 {
                fmu.set_real(&[Oscillator::U], &[0.1 * f64::from(k)]);
            }
        }
        let mut state = stored.get_state();
        single.real([Oscillator::X, Oscillator::V][k as usize % 2]);
        if k % 10 == 9 {
            let expected = values(&whole, &[Oscillator::ENERGY]);
            assert_eq!(values(&single, &[Oscillator::V, Oscillator::X]), expected, "step {k}");
            assert_eq!(values(&last, &[]), expected, "step {k}");
            assert_eq!(values(&stored, &[]), expected, "step {k}");
            stored.set_state(state);
            assert_eq!(values(&stored, &[Oscillator::X]), expected, "step {k}");
        } else {
            values(&whole, &[]);
        }
        stored.free_state(&mut state);
    }
}
