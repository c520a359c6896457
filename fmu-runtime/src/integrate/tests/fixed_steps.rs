//! Methods with steps of fixed length: order, work, and events at the ends of steps.

use super::*;

/// A pendulum with a forcing, whose solution is smooth.
fn pendulum() -> impl OdeSystem {
    let f = |t: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[1];
        dx[1] = -x[0].sin() + 0.3 * (2.0 * t).cos();
    };
    Problem::new(f, no_indicators, no_jacobian)
}

fn with_steps(method: Method, indicators: usize, step: f64) -> Integrator<'static> {
    Integrator { step, ..settings(&[1.0, 1.0], indicators, method, 1e-6) }
}

#[test]
fn rk4_has_order_four_and_euler_order_one() {
    let exact =
        run(&settings(&[1.0, 1.0], 0, Method::Tsit5, 1e-13), &mut pendulum(), &[1.0, 0.0], 2.0);
    let exact = exact.unwrap().0;
    for (method, order, steps) in [(Method::Rk4, 4, [0.1, 0.05]), (Method::Euler, 1, [1e-3, 5e-4])]
    {
        let [coarse, fine] = steps.map(|step| {
            let (x, _) =
                run(&with_steps(method, 0, step), &mut pendulum(), &[1.0, 0.0], 2.0).unwrap();
            (x[0] - exact[0]).hypot(x[1] - exact[1])
        });
        let observed = (coarse / fine).log2();
        assert!((observed - f64::from(order)).abs() < 0.15, "{method:?}: order {observed}");
    }
}

#[test]
fn the_work_of_a_step_is_fixed() {
    for (method, evaluations) in [(Method::Rk4, 4), (Method::Euler, 1)] {
        // Steps of 0.3 s: the second limit is 0.5 s after the first one, so it takes two.
        let settings = with_steps(method, 0, 0.3);
        let mut state = fresh(&settings);
        let mut ode = pendulum();
        settings.restart(&mut state, 0.0, &[1.0, 0.0], &mut ode).unwrap();
        assert_eq!(Integrator::statistics(&state).evaluations, 1);
        let mut ends = Vec::new();
        for limit in [0.3, 0.8] {
            while Integrator::time(&state) < limit {
                assert_eq!(
                    settings.step(&mut state, &mut ode, limit, limit),
                    Ok(StepOutcome::Step)
                );
                ends.push(Integrator::time(&state));
            }
        }
        assert_eq!(ends, [0.3, 0.55, 0.8]);
        assert_eq!(Integrator::statistics(&state).evaluations, 1 + 3 * evaluations);
        let mut x = [0.0; 2];
        Integrator::interpolate(&state, 0.8, &mut x);
        assert_eq!(x, *settings.states(&state));
    }
}

/// A mass that falls to the ground, which it reaches after 0.447 s.
fn fall() -> impl OdeSystem {
    let fall = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[1];
        dx[1] = -10.0;
    };
    let height = |_: f64, x: &[f64], z: &mut [f64]| z[0] = x[0];
    Problem::new(fall, height, no_jacobian)
}

#[test]
fn a_step_ends_shortly_after_an_event() {
    for step in [0.1, 0.3, 0.7] {
        let settings = with_steps(Method::Rk4, 1, step);
        let (mut state, mut ode) = (fresh(&settings), fall());
        settings.restart(&mut state, 0.0, &[1.0, 0.0], &mut ode).unwrap();
        let event = next_event(&settings, &mut state, &mut ode, 1.4).unwrap();
        let after = event - 0.2_f64.sqrt();
        assert!(after >= 0.0 && after < 5e-3 * step, "{after} s with steps of {step} s");
        assert_eq!(settings.crossed(&state), [-1.0]);
        let steps = (event / step).ceil() as u64;
        let evaluations = Integrator::statistics(&state).evaluations;
        assert!(evaluations <= 1 + 4 * (steps + 4), "{evaluations} in {steps} steps");
    }
}

#[test]
fn without_location_an_event_is_at_the_end_of_the_step_in_which_an_indicator_changed() {
    let settings = Integrator { locates_events: false, ..with_steps(Method::Rk4, 1, 0.1) };
    let (mut state, mut ode) = (fresh(&settings), fall());
    settings.restart(&mut state, 0.0, &[1.0, 0.0], &mut ode).unwrap();
    let event = next_event(&settings, &mut state, &mut ode, 1.0).unwrap();
    assert!((event - 0.5).abs() < 1e-12, "{event}");
    assert_eq!(settings.crossed(&state), [-1.0]);
    let statistics = Integrator::statistics(&state);
    assert_eq!((statistics.events, statistics.indicators, statistics.evaluations), (1, 6, 21));
}

#[test]
fn a_step_that_cannot_be_computed_is_an_error_at_the_last_point() {
    let f = |t: f64, _: &[f64], dx: &mut [f64]| {
        dx[0] = if t < 0.25 { 1.0 } else { f64::NAN };
        dx[1] = 0.0;
    };
    let mut ode = Problem::new(f, no_indicators, no_jacobian);
    let settings = with_steps(Method::Rk4, 0, 0.1);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[0.0, 0.0], &mut ode).unwrap();
    let end = (0..10).find_map(|_| settings.step(&mut state, &mut ode, 1.0, 1.0).err());
    assert_eq!(end, Some(Stop::NotFinite));
    assert!((Integrator::time(&state) - 0.2).abs() < 1e-12);
}
