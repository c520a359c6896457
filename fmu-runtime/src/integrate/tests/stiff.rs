//! Tests of stiff problems and of the choice of the method.

use super::*;

/// Prothero and Robinson: x' = -lambda (x - cos t) - sin t, solution cos t.
fn prothero_robinson(lambda: f64) -> impl OdeSystem {
    Problem::new(
        move |t: f64, x: &[f64], dx: &mut [f64]| dx[0] = -lambda * (x[0] - t.cos()) - t.sin(),
        no_indicators,
        move |t: f64, _: &[f64], j: &mut [f64], dfdt: &mut [f64]| {
            j[0] = -lambda;
            dfdt[0] = -lambda * t.sin() - t.cos();
        },
    )
}

fn van_der_pol(mu: f64) -> impl OdeSystem {
    Problem::new(
        move |_: f64, x: &[f64], dx: &mut [f64]| {
            dx[0] = x[1];
            dx[1] = mu * ((1.0 - x[0] * x[0]) * x[1]) - x[0];
        },
        no_indicators,
        move |_: f64, x: &[f64], j: &mut [f64], dfdt: &mut [f64]| {
            let slope = -2.0 * mu * x[0] * x[1] - 1.0;
            j.copy_from_slice(&[0.0, 1.0, slope, mu * (1.0 - x[0] * x[0])]);
            dfdt.fill(0.0);
        },
    )
}

#[test]
fn a_stiff_problem_is_left_to_rodas5p() {
    let nominal = [1.0];
    let settings = settings(&nominal, 0, Method::Auto, 1e-6);
    let (x, state) = run(&settings, &mut prothero_robinson(1e6), &[1.0], 10.0).unwrap();
    let statistics = Integrator::statistics(&state);
    assert!((x[0] - 10.0_f64.cos()).abs() < 1e-6);
    assert!(statistics.jacobians > 0);
    assert!(statistics.steps < 400, "{statistics:?}");
}

#[test]
fn van_der_pol_needs_few_steps_and_agrees_with_tsit5() {
    let nominal = [1.0, 1.0];
    let tolerance = 1e-6;
    let settings = settings(&nominal, 0, Method::Auto, tolerance);
    let (x, state) = run(&settings, &mut van_der_pol(1000.0), &[2.0, 0.0], 1000.0).unwrap();
    let statistics = Integrator::statistics(&state);
    assert!(statistics.steps < 1500, "{statistics:?}");
    let fine = Integrator { method: Method::Rodas5P, tolerance: 1e-10, ..settings };
    let (exact, _) = run(&fine, &mut van_der_pol(1000.0), &[2.0, 0.0], 1000.0).unwrap();
    let explicit = Integrator { method: Method::Tsit5, tolerance: 1e-8, ..settings };
    let (other, _) = run(&explicit, &mut van_der_pol(1000.0), &[2.0, 0.0], 100.0).unwrap();
    let (same, _) = run(&fine, &mut van_der_pol(1000.0), &[2.0, 0.0], 100.0).unwrap();
    assert!((other[0] - same[0]).abs() < 1e-6);
    assert!((x[0] - exact[0]).abs() < 1e-3, "{x:?} {exact:?}");
}

#[test]
fn a_problem_that_stops_being_stiff_returns_to_tsit5() {
    // Stiff until t = 5; then an oscillator.
    let nominal = [1.0, 1.0];
    let stiffness = |t: f64| if t < 5.0 { 1e5 } else { 0.1 };
    let f = move |t: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[1];
        dx[1] = -x[0] - stiffness(t) * x[1];
    };
    let jacobian = move |t: f64, _: &[f64], j: &mut [f64], dfdt: &mut [f64]| {
        j.copy_from_slice(&[0.0, 1.0, -1.0, -stiffness(t)]);
        dfdt.fill(0.0);
    };
    let settings = settings(&nominal, 0, Method::Auto, 1e-6);
    let mut state = fresh(&settings);
    let mut ode = Problem::new(f, no_indicators, jacobian);
    settings.restart(&mut state, 0.0, &[1.0, 1.0], &mut ode).unwrap();
    while Integrator::time(&state) < 5.0 {
        settings.step(&mut state, &mut ode, 5.0, ALWAYS).unwrap();
    }
    assert!(Integrator::statistics(&state).jacobians > 0);
    while Integrator::time(&state) < 40.0 {
        settings.step(&mut state, &mut ode, 40.0, ALWAYS).unwrap();
    }
    let jacobians = Integrator::statistics(&state).jacobians;
    while Integrator::time(&state) < 60.0 {
        settings.step(&mut state, &mut ode, 60.0, ALWAYS).unwrap();
    }
    assert_eq!(Integrator::statistics(&state).jacobians, jacobians);
}

#[test]
fn a_smooth_problem_stays_with_tsit5() {
    let nominal = [1.0];
    let settings = settings(&nominal, 0, Method::Auto, 1e-6);
    let (_, state) = run(&settings, &mut prothero_robinson(1.0), &[1.0], 100.0).unwrap();
    assert_eq!(Integrator::statistics(&state).jacobians, 0);
}

#[test]
fn without_a_jacobian_the_automatic_choice_continues_with_tsit5() {
    let nominal = [1.0];
    let settings = settings(&nominal, 0, Method::Auto, 1e-4);
    let f = |t: f64, x: &[f64], dx: &mut [f64]| dx[0] = -1e3 * (x[0] - t.cos()) - t.sin();
    let mut ode = Problem::new(f, no_indicators, no_jacobian);
    let (x, _) = run(&settings, &mut ode, &[1.0], 3.0).unwrap();
    assert!((x[0] - 3.0_f64.cos()).abs() < 1e-4);
}

#[test]
fn an_event_of_a_stiff_problem_is_located_by_the_stiff_method() {
    let nominal = [1.0];
    for tolerance in [1e-4, 1e-8] {
        let settings = settings(&nominal, 1, Method::Rodas5P, tolerance);
        let z = |_: f64, x: &[f64], z: &mut [f64]| z[0] = x[0] - 0.25;
        let f = |t: f64, x: &[f64], dx: &mut [f64]| dx[0] = -1e5 * (x[0] - t.cos()) - t.sin();
        let jacobian = |t: f64, _: &[f64], j: &mut [f64], dfdt: &mut [f64]| {
            j[0] = -1e5;
            dfdt[0] = -1e5 * t.sin() - t.cos();
        };
        let mut ode = Problem::new(f, z, jacobian);
        let mut state = fresh(&settings);
        settings.restart(&mut state, 0.0, &[1.0], &mut ode).unwrap();
        let t = next_event(&settings, &mut state, &mut ode, 3.0).unwrap();
        assert!((t - 0.25_f64.acos()).abs() < 10.0 * tolerance);
        assert!(settings.states(&state)[0] <= 0.25);
        assert!(settings.states(&state)[0] > 0.25 - 1e-13);
    }
}
