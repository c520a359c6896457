//! Tests of event location: it finds the first sign change in the integrator's own solution.

use super::*;

fn fall(_: f64, x: &[f64], dx: &mut [f64]) {
    dx[0] = x[1];
    dx[1] = -9.81;
}

#[test]
fn bounces_without_loss_happen_where_the_parabola_says() {
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 1, Method::Auto, 1e-6);
    let height = |_: f64, x: &[f64], z: &mut [f64]| z[0] = x[0] + 1e-10;
    let mut ode = Problem::new(fall, height, no_jacobian);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[1.0, 0.0], &mut ode).unwrap();
    let first = (2.0 / 9.81 * (1.0_f64 + 1e-10)).sqrt();
    let mut expected = first;
    for bounce in 0..40 {
        let t = next_event(&settings, &mut state, &mut ode, 1e6).unwrap();
        assert!((t - expected).abs() < 1e-12 * (1.0 + t), "{bounce}: {t} {expected}");
        let x = settings.states(&state).to_vec();
        assert!(x[0] + 1e-10 <= 0.0 && x[0] + 1e-10 > -1e-14 * (1.0 + t), "{x:?}");
        assert_eq!(settings.crossed(&state), [-1.0]);
        assert!(Integrator::at_event(&state));
        // The ball is behind the floor and moves upwards: place it exactly on the floor.
        let v = 9.81 * first;
        settings.restart(&mut state, t, &[0.0, v], &mut ode).unwrap();
        assert!(!Integrator::at_event(&state));
        // The next time at which z = 0.
        expected = t + (v + (v * v + 2.0 * 9.81 * 1e-10).sqrt()) / 9.81;
    }
    assert_eq!(Integrator::statistics(&state).events, 40);
}

#[test]
fn accelerating_bounces_cost_no_more_than_the_first() {
    // Without air resistance the integration error is zero: only the events limit the steps.
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 1, Method::Auto, 1e-6);
    let height = |_: f64, x: &[f64], z: &mut [f64]| z[0] = x[0] + 1e-10;
    let mut ode = Problem::new(fall, height, no_jacobian);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[1.0, 0.0], &mut ode).unwrap();
    for bounce in 0..20 {
        let t = next_event(&settings, &mut state, &mut ode, 1e6).unwrap();
        if bounce > 0 {
            assert!(ode.evaluations <= 40, "{bounce}: {} evaluations", ode.evaluations);
            assert!(ode.indicator_calls <= 70, "{bounce}: {} calls", ode.indicator_calls);
        }
        (ode.evaluations, ode.indicator_calls) = (0, 0);
        let v = settings.states(&state)[1];
        settings.restart(&mut state, t, &[0.0, -0.7 * v], &mut ode).unwrap();
    }
}

#[test]
fn located_time_does_not_depend_on_the_interpolant() {
    // Even at a coarse tolerance, the state at the event satisfies its equation up to rounding, and
    // the event time agrees with the integrator's own solution.
    let nominal = [1.0, 1.0];
    let swing = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[1];
        dx[1] = -x[0].sin();
    };
    for tolerance in [1e-2, 1e-4, 1e-7] {
        let settings = settings(&nominal, 1, Method::Tsit5, tolerance);
        let z = |t: f64, x: &[f64], z: &mut [f64]| z[0] = x[0] - 0.1 * t;
        let mut ode = Problem::new(swing, z, no_jacobian);
        let mut state = fresh(&settings);
        settings.restart(&mut state, 0.0, &[1.5, 0.0], &mut ode).unwrap();
        let t = next_event(&settings, &mut state, &mut ode, 10.0).unwrap();
        let z = settings.states(&state)[0] - 0.1 * t;
        assert!(z <= 0.0 && z > -1e-14, "{tolerance}: {z}");
    }
}

// FMI: B035
#[test]
fn two_events_in_one_step_are_found_in_their_order() {
    let nominal = [1.0];
    let settings = settings(&nominal, 3, Method::Auto, 1e-6);
    let f = |_: f64, _: &[f64], dx: &mut [f64]| dx[0] = 1.0;
    let z = |_: f64, x: &[f64], z: &mut [f64]| {
        z[0] = x[0] - 5.02;
        z[1] = 5.0 - x[0];
        z[2] = x[0] - 5.01;
    };
    let mut ode = Problem::new(f, z, no_jacobian);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[0.0], &mut ode).unwrap();
    for (expected, crossed) in
        [(5.0, [0.0, -1.0, 0.0]), (5.01, [0.0, 0.0, 1.0]), (5.02, [1.0, 0.0, 0.0])]
    {
        let t = next_event(&settings, &mut state, &mut ode, 100.0).unwrap();
        assert!((t - expected).abs() < 1e-13);
        assert_eq!(settings.crossed(&state), crossed);
        let x = settings.states(&state).to_vec();
        settings.restart(&mut state, t, &x, &mut ode).unwrap();
    }
}

#[test]
fn simultaneous_events_are_flagged_together() {
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 3, Method::Auto, 1e-6);
    let f = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[1];
        dx[1] = -x[0];
    };
    let z = |_: f64, x: &[f64], z: &mut [f64]| {
        z[0] = x[0] - 0.5;
        z[1] = 2.0 * x[0] - 1.0;
        z[2] = x[0] + 2.0;
    };
    let mut ode = Problem::new(f, z, no_jacobian);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[1.0, 0.0], &mut ode).unwrap();
    let t = next_event(&settings, &mut state, &mut ode, 10.0).unwrap();
    assert!((t - std::f64::consts::FRAC_PI_3).abs() < 1e-6);
    assert_eq!(settings.crossed(&state), [-1.0, -1.0, 0.0]);
}

#[test]
fn a_dip_between_two_samples_is_found() {
    // The parabola is below zero for only a thousandth of the step, at any place in it.
    let nominal = [1.0];
    for centre in [0.031, 0.2, 0.37, 0.4999, 0.61, 0.83, 0.97] {
        for depth in [1e-2, 1e-4, 1e-6] {
            let settings = settings(&nominal, 1, Method::Auto, 1e-6);
            let f = |_: f64, _: &[f64], dx: &mut [f64]| dx[0] = 1.0;
            let z = move |_: f64, x: &[f64], z: &mut [f64]| {
                z[0] = (x[0] - centre) * (x[0] - centre) - depth * depth;
            };
            let mut ode = Problem::new(f, z, no_jacobian);
            let mut state = fresh(&settings);
            settings.restart(&mut state, 0.0, &[0.0], &mut ode).unwrap();
            let t = next_event(&settings, &mut state, &mut ode, 1.0).unwrap();
            assert!((t - (centre - depth)).abs() < 1e-9, "{centre} {depth}: {t}");
            let x = settings.states(&state).to_vec();
            settings.restart(&mut state, t, &x, &mut ode).unwrap();
            let t = next_event(&settings, &mut state, &mut ode, 1.0).unwrap();
            assert!((t - (centre + depth)).abs() < 1e-9, "{centre} {depth}: {t}");
        }
    }
}

// FMI: B028
#[test]
fn touching_from_above_without_crossing_is_no_event() {
    let nominal = [1.0];
    let settings = settings(&nominal, 1, Method::Auto, 1e-6);
    let f = |_: f64, _: &[f64], dx: &mut [f64]| dx[0] = 1.0;
    let z = |_: f64, x: &[f64], z: &mut [f64]| z[0] = (x[0] - 0.4) * (x[0] - 0.4) + 1e-9;
    let mut ode = Problem::new(f, z, no_jacobian);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[0.0], &mut ode).unwrap();
    assert_eq!(next_event(&settings, &mut state, &mut ode, 1.0), None);
    assert_eq!(Integrator::time(&state), 1.0);
}

#[test]
fn an_indicator_that_oscillates_inside_long_steps_is_resolved() {
    // Only the indicator limits the step size.
    for states in [0, 1] {
        let nominal = [1.0];
        let settings = settings(&nominal[..states], 1, Method::Auto, 1e-6);
        let f = |_: f64, _: &[f64], dx: &mut [f64]| dx.fill(1.0);
        let z = |t: f64, _: &[f64], z: &mut [f64]| {
            z[0] = (2.0 * std::f64::consts::PI * t + 0.5).cos() + 0.9;
        };
        let mut ode = Problem::new(f, z, no_jacobian);
        let mut state = fresh(&settings);
        settings.restart(&mut state, 0.0, &vec![0.0; states], &mut ode).unwrap();
        let half = (-0.9_f64).acos();
        for k in 0..60 {
            let turns = 2.0 * std::f64::consts::PI;
            let base = f64::from(k) * turns;
            for angle in [half, turns - half] {
                let expected = (base + angle - 0.5) / turns;
                let t = next_event(&settings, &mut state, &mut ode, 1e3).unwrap();
                assert!((t - expected).abs() < 1e-9, "{states} states, turn {k}: {t} {expected}");
                let x = settings.states(&state).to_vec();
                settings.restart(&mut state, t, &x, &mut ode).unwrap();
            }
        }
    }
}

/// The largest number of evaluations in a step that ends with an event, of twenty.
fn evaluations_of_an_event(method: Method) -> usize {
    let nominal = [1.0, 1.0];
    let swing = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[1];
        dx[1] = -x[0].sin();
    };
    let settings = settings(&nominal, 1, method, 1e-6);
    let z = |_: f64, x: &[f64], z: &mut [f64]| z[0] = x[0];
    let mut ode = Problem::new(swing, z, no_jacobian);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[1.5, 0.0], &mut ode).unwrap();
    let mut before = ode.evaluations;
    let mut most = 0;
    for _ in 0..20 {
        loop {
            before = ode.evaluations.max(before);
            if settings.step(&mut state, &mut ode, 1e3, ALWAYS).unwrap() == StepOutcome::Event {
                break;
            }
            before = ode.evaluations;
        }
        most = most.max(ode.evaluations - before);
        let (t, x) = (Integrator::time(&state), settings.states(&state).to_vec());
        settings.restart(&mut state, t, &x, &mut ode).unwrap();
    }
    most
}

#[test]
fn located_events_cost_few_evaluations() {
    // The step that contains the event, at most two that are repeated, and a prolongation.
    let of_tsit5 = evaluations_of_an_event(Method::Tsit5);
    assert!(of_tsit5 <= 3 * 6 + 2, "{of_tsit5} evaluations");
    let of_dop853 = evaluations_of_an_event(Method::Dop853);
    assert!(of_dop853 <= 3 * 15 + 2, "{of_dop853} evaluations");
}

#[test]
fn an_event_ends_the_step_before_the_limit_and_never_beyond_it() {
    let nominal = [1.0];
    let f = |_: f64, _: &[f64], dx: &mut [f64]| dx[0] = 1.0;
    for offset in [-1e-3, -1e-12, 0.0, 1e-12, 1e-3] {
        let settings = settings(&nominal, 1, Method::Auto, 1e-6);
        let z = move |_: f64, x: &[f64], z: &mut [f64]| z[0] = x[0] - (1.0 + offset);
        let mut ode = Problem::new(f, z, no_jacobian);
        let mut state = fresh(&settings);
        settings.restart(&mut state, 0.0, &[0.0], &mut ode).unwrap();
        let event = next_event(&settings, &mut state, &mut ode, 1.0);
        assert!(Integrator::time(&state) <= 1.0);
        assert_eq!(event.is_some(), offset < 0.0, "{offset}");
    }
}

#[test]
fn noise_near_zero_costs_no_steps() {
    // An indicator that stays just above zero, with noise of the size of rounding errors and more.
    let nominal = [1.0];
    let settings = settings(&nominal, 1, Method::Auto, 1e-6);
    let f = |t: f64, _: &[f64], dx: &mut [f64]| dx[0] = t.cos();
    let z = |t: f64, _: &[f64], z: &mut [f64]| z[0] = 1e-10 + 5e-11 * (1e7 * t).sin();
    let mut ode = Problem::new(f, z, no_jacobian);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[0.0], &mut ode).unwrap();
    assert_eq!(next_event(&settings, &mut state, &mut ode, 10.0), None);
    assert!(Integrator::statistics(&state).steps < 200);
    assert!(ode.indicator_calls < 200 * 12, "{}", ode.indicator_calls);
}

#[test]
fn rounding_errors_of_large_states_do_not_hide_a_zero_of_their_sum() {
    // The sum has a resolution of 1e-14, within which it passes zero in 1e-14 s.
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 1, Method::Auto, 1e-8);
    for k in 0..500 {
        let (start, rate) = (60.0 + 0.1 * f64::from(k), 1.0 + 0.01 * f64::from(k));
        let f = |t: f64, _: &[f64], dx: &mut [f64]| {
            (dx[0], dx[1]) = (-619.0, 619.0 + rate + 1e-3 * t);
        };
        let z = |_: f64, x: &[f64], z: &mut [f64]| z[0] = 1e-10 - (x[0] + x[1]);
        let mut ode = Problem::new(f, z, no_jacobian);
        let mut state = fresh(&settings);
        settings.restart(&mut state, 0.0, &[-start, start - 0.05], &mut ode).unwrap();
        let step = |_| settings.step(&mut state, &mut ode, 1.0, ALWAYS).unwrap();
        let outcome = (0..20).map(step).find(|outcome| *outcome == StepOutcome::Event);
        let t = Integrator::time(&state);
        assert!(outcome.is_some() && (t - 0.05 / rate).abs() < 1e-5, "{k}: {t} s");
    }
}

#[test]
fn a_kink_that_does_not_reach_zero_is_passed() {
    let nominal = [1.0];
    let settings = settings(&nominal, 1, Method::Auto, 1e-6);
    let f = |_: f64, _: &[f64], dx: &mut [f64]| dx[0] = 1.0;
    let z = |_: f64, x: &[f64], z: &mut [f64]| z[0] = (x[0] - 0.7).abs() + 1e-3;
    let mut ode = Problem::new(f, z, no_jacobian);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[0.0], &mut ode).unwrap();
    assert_eq!(next_event(&settings, &mut state, &mut ode, 2.0), None);
    assert!(Integrator::statistics(&state).steps < 40);
    assert!(ode.indicator_calls < 1000, "{}", ode.indicator_calls);
}

// FMI: B035
#[test]
fn events_of_many_bounces_agree_between_limits() {
    // The ends of steps for other reasons do not change the event times.
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 1, Method::Auto, 1e-6);
    let swing = |t: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[1];
        dx[1] = -x[0].sin() + 0.3 * (1.3 * t).cos();
    };
    let z = |_: f64, x: &[f64], z: &mut [f64]| z[0] = x[0] - 0.2;
    let mut runs = Vec::new();
    for interval in [0.01, 0.1, 7.0 / 3.0, 100.0] {
        let mut ode = Problem::new(swing, z, no_jacobian);
        let mut state = fresh(&settings);
        settings.restart(&mut state, 0.0, &[1.5, 0.0], &mut ode).unwrap();
        let mut times = Vec::new();
        let mut limit = 0.0_f64;
        while limit < 20.0 {
            limit += interval;
            while let Some(t) = next_event(&settings, &mut state, &mut ode, limit.min(20.0)) {
                times.push(t);
                let x = settings.states(&state).to_vec();
                settings.restart(&mut state, t, &x, &mut ode).unwrap();
            }
        }
        runs.push(times);
    }
    for run in &runs[1..] {
        assert_eq!(run.len(), runs[0].len());
        for (a, b) in run.iter().zip(&runs[0]) {
            assert!((a - b).abs() < 1e-5, "{a} {b}");
        }
    }
}
