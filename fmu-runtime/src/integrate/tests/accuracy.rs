//! Tests of orders of convergence, and of consistency conditions of the coefficients.

use super::super::workspace::Workspace;
use super::super::{dense_output, dop853, rodas5p, step_control, trial, tsit5};
use super::*;

/// A nonlinear problem that depends on time: x' = -x² + cos(t) + x y, y' = -y sin(t) + x.
fn rhs(t: f64, x: &[f64], dx: &mut [f64]) {
    dx[0] = -x[0] * x[0] + t.cos() + x[0] * x[1];
    dx[1] = -x[1] * t.sin() + x[0];
}

fn rhs_jacobian(t: f64, x: &[f64], j: &mut [f64], dfdt: &mut [f64]) {
    j.copy_from_slice(&[-2.0 * x[0] + x[1], x[0], 1.0, -t.sin()]);
    dfdt.copy_from_slice(&[-t.sin(), -x[1] * t.cos()]);
}

/// The solution at `t` from t = 0.4 and `start`, computed with many small steps.
fn reference(start: [f64; 2], t: f64) -> Vec<f64> {
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 0, Method::Tsit5, 1e-12);
    let mut state = fresh(&settings);
    let mut ode = Problem::new(rhs, no_indicators, no_jacobian);
    let mut settings_small = settings;
    settings_small.max_step = 1e-3;
    settings_small.restart(&mut state, 0.4, &start, &mut ode).unwrap();
    while Integrator::time(&state) < t {
        settings_small.step(&mut state, &mut ode, t, ALWAYS).unwrap();
    }
    settings.states(&state).to_vec()
}

/// Errors of one step of length `h` at its end and in its middle (theta = 0.37).
fn one_step_errors(method: Method, start: [f64; 2], h: f64) -> (f64, f64) {
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 0, method, 1.0);
    let mut state = fresh(&settings);
    let mut ode = Problem::new(rhs, no_indicators, rhs_jacobian);
    settings.restart(&mut state, 0.4, &start, &mut ode).unwrap();
    let mut v = Workspace::new(&settings, &mut state);
    trial::attempt(&settings, &mut v, &mut ode, 0.4 + h).unwrap();
    trial::interpolant(&settings, &mut v, &mut ode, 0.4 + h).unwrap();
    let distance = |a: &[f64], b: &[f64]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
    let end = distance(v.x_new, &reference(start, 0.4 + h));
    let mut middle = [0.0; 2];
    dense_output::evaluate(v.dense, v.last.degree, 0.37, &mut middle);
    (end, distance(&middle, &reference(start, 0.4 + 0.37 * h)))
}

/// Checks the powers of the step size with which the errors of one step of length `h` decrease.
fn check_powers(method: Method, start: [f64; 2], h: f64, end: f64, middle: f64) {
    let (error, inside) = one_step_errors(method, start, h);
    let (error_of_half, inside_half) = one_step_errors(method, start, 0.5 * h);
    let powers = [(error / error_of_half).log2(), (inside / inside_half).log2()];
    for (power, expected) in powers.into_iter().zip([end, middle]) {
        assert!((power - expected - 0.15).abs() < 0.65, "{method:?}: {powers:?}");
    }
}

#[test]
fn halving_a_step_of_tsit5_divides_its_error_by_64_and_inside_by_32() {
    check_powers(Method::Tsit5, [0.3, -0.2], 0.1, 6.0, 5.0);
}

#[test]
fn halving_a_step_of_rodas5p_divides_its_error_by_64_and_inside_by_32() {
    check_powers(Method::Rodas5P, [0.3, -0.2], 0.1, 6.0, 5.0);
}

#[test]
fn halving_a_step_of_dop853_divides_its_error_by_512_and_inside_by_256() {
    check_powers(Method::Dop853, [2.0, 1.0], 0.1, 9.0, 8.0);
}

#[test]
fn rows_of_tsit5_add_up_to_its_times() {
    let rows: [&[f64]; 6] =
        [&tsit5::A2, &tsit5::A3, &tsit5::A4, &tsit5::A5, &tsit5::A6, &tsit5::A7];
    for (row, c) in rows.iter().zip(&tsit5::C[1..]) {
        assert!((row.iter().sum::<f64>() - c).abs() < 1e-14);
    }
    assert!(tsit5::E.iter().sum::<f64>().abs() < 1e-15);
}

#[test]
fn interpolant_of_tsit5_ends_with_the_weights_of_the_step() {
    for stage in 0..7 {
        let linear = if stage == 0 { 1.0 } else { 0.0 };
        let sum = linear + tsit5::B[0][stage] + tsit5::B[1][stage] + tsit5::B[2][stage];
        let weight = tsit5::A7.get(stage).copied().unwrap_or(0.0);
        assert!((sum - weight).abs() < 1e-13, "stage {stage}: {sum} {weight}");
    }
}

#[test]
fn rows_of_dop853_add_up_to_its_times() {
    use dop853::*;
    fn sum<const N: usize>(weights: &[(usize, f64); N]) -> f64 {
        weights.iter().map(|(_, weight)| weight).sum()
    }
    let sums = [
        sum(&A2),
        sum(&A3),
        sum(&A4),
        sum(&A5),
        sum(&A6),
        sum(&A7),
        sum(&A8),
        sum(&A9),
        sum(&A10),
        sum(&A11),
        sum(&A12),
        sum(&B),
        sum(&A14),
        sum(&A15),
        sum(&A16),
    ];
    for (sum, c) in sums.iter().zip(&C[1..]) {
        assert!((sum - c).abs() < 1e-14, "{sum} {c}");
    }
    assert!(sum(&E5).abs() < 1e-15 && sum(&E3).abs() < 1e-15);
}

#[test]
fn rodas5p_is_exact_for_a_constant_slope_at_every_stage_time() {
    // With J = 0 and f = 1 the solution is x = t, so the transformed coefficients must reproduce
    // the times of the stages as stage arguments.
    let a: [&[f64]; 7] = [
        &rodas5p::A2,
        &rodas5p::A3,
        &rodas5p::A4,
        &rodas5p::A5,
        &rodas5p::A6,
        &rodas5p::A7,
        &rodas5p::A8,
    ];
    let c: [&[f64]; 7] = [
        &rodas5p::C2,
        &rodas5p::C3,
        &rodas5p::C4,
        &rodas5p::C5,
        &rodas5p::C6,
        &rodas5p::C7,
        &rodas5p::C8,
    ];
    let mut k = vec![rodas5p::GAMMA];
    for stage in 0..7 {
        let argument: f64 = a[stage].iter().zip(&k).map(|(a, k)| a * k).sum();
        assert!((argument - rodas5p::TIMES[stage + 1]).abs() < 1e-12, "stage {stage}: {argument}");
        let coupling: f64 = c[stage].iter().zip(&k).map(|(c, k)| c * k).sum();
        k.push(rodas5p::GAMMA * (1.0 + coupling));
    }
}

#[test]
fn interpolant_matches_both_ends_and_the_derivatives_of_explicit_methods() {
    let nominal = [1.0, 1.0];
    for method in [Method::Tsit5, Method::Rodas5P, Method::Dop853] {
        let settings = settings(&nominal, 0, method, 1e-4);
        let mut state = fresh(&settings);
        let mut ode = Problem::new(rhs, no_indicators, rhs_jacobian);
        settings.restart(&mut state, 0.4, &[0.3, -0.2], &mut ode).unwrap();
        for _ in 0..5 {
            let before = settings.states(&state).to_vec();
            let slope = settings.derivatives(&state).to_vec();
            settings.step(&mut state, &mut ode, 10.0, ALWAYS).unwrap();
            let (start, end) = (Integrator::step_start(&state), Integrator::time(&state));
            let mut x = [0.0; 2];
            Integrator::interpolate(&state, start, &mut x);
            assert_eq!(before, x);
            Integrator::interpolate(&state, end, &mut x);
            assert_eq!(settings.states(&state), x);
            Integrator::interpolate(&state, end - 1e-12, &mut x);
            for (a, b) in x.iter().zip(settings.states(&state)) {
                assert!((a - b).abs() < 1e-11);
            }
            let mut dx = [0.0; 2];
            Integrator::interpolate_derivative(&state, start, &mut dx);
            let mut later = [0.0; 2];
            Integrator::interpolate_derivative(&state, end - 1e-13, &mut later);
            for i in 0..2 {
                let near = if method == Method::Rodas5P { 1e-2 } else { 1e-11 };
                assert!((dx[i] - slope[i]).abs() < near);
                assert!((later[i] - settings.derivatives(&state)[i]).abs() < near);
            }
        }
    }
}

#[test]
fn global_error_follows_the_tolerance() {
    let nominal = [1.0, 1.0];
    let oscillator = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = x[1];
        dx[1] = -x[0];
    };
    let jacobian = |_: f64, _: &[f64], j: &mut [f64], dfdt: &mut [f64]| {
        j.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]);
        dfdt.fill(0.0);
    };
    for method in [Method::Tsit5, Method::Rodas5P, Method::Dop853] {
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
            let settings = settings(&nominal, 0, method, tolerance);
            let mut ode = Problem::new(oscillator, no_indicators, jacobian);
            let (x, _) = run(&settings, &mut ode, &[1.0, 0.0], 10.0).unwrap();
            let error = (x[0] - 10.0_f64.cos()).abs().max((x[1] + 10.0_f64.sin()).abs());
            assert!(error < 10.0 * tolerance, "{method:?} {tolerance}: {error}");
        }
    }
}

#[test]
fn fifth_root_is_the_fifth_root() {
    for exponent in -20..=10 {
        for mantissa in [1.0, 1.7, 3.3, 7.9] {
            let x = mantissa * 10.0_f64.powi(exponent);
            let y = step_control::fifth_root(x);
            assert!((y.powi(5) / x - 1.0).abs() < 2e-3, "{x}: {y}");
        }
    }
}

/// A shaft that a growing torque accelerates to hundreds of rad/s, and its elastic bearing, which
/// oscillates by thousandths of a rad. The states are the speed of the shaft, and angle and speed
/// of the bearing.
fn bearing(t: f64, x: &[f64], dx: &mut [f64]) {
    let torque = 20.0 * t;
    dx[0] = torque;
    dx[1] = x[2];
    dx[2] = (-torque - 1e5 * x[1] - 5.0 * x[2]) / 5.0;
}

#[test]
fn a_small_signal_beside_large_ones_is_as_accurate_relative_to_its_own_range() {
    let nominal = [1.0, 1.0, 1.0];
    let speeds = |tolerance| {
        let settings = settings(&nominal, 0, Method::Auto, tolerance);
        let jacobian = |_: f64, _: &[f64], j: &mut [f64], dfdt: &mut [f64]| {
            j.copy_from_slice(&[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -2e4, -1.0]);
            dfdt.copy_from_slice(&[20.0, 0.0, -4.0]);
        };
        let mut ode = Problem::new(bearing, no_indicators, jacobian);
        let mut state = fresh(&settings);
        settings.restart(&mut state, 0.0, &[0.0; 3], &mut ode).unwrap();
        let mut at = |k: u32| {
            let limit = 0.05 * f64::from(k);
            while Integrator::time(&state) < limit {
                settings.step(&mut state, &mut ode, limit, ALWAYS).unwrap();
            }
            settings.states(&state)[2]
        };
        (1..=100).map(&mut at).collect::<Vec<f64>>()
    };
    let exact = speeds(1e-12);
    let largest = exact.iter().fold(0.0, |a: f64, w| a.max(w.abs()));
    assert!(largest < 1e-3, "{largest}");
    let errors = speeds(1e-6).into_iter().zip(&exact).map(|(w, e)| (w - e).abs());
    let error = errors.fold(0.0, f64::max) / largest;
    assert!(error < 5e-5, "{error}");
}

/// A speed that decays to a small, slowly changing one, which it follows with a lag of 0.1 s.
fn spin_down(t: f64, x: &[f64], dx: &mut [f64]) {
    dx[0] = 10.0 * ((3.0 * t).sin() - x[0]);
}

#[test]
fn a_decayed_state_is_accurate_relative_to_its_value() {
    let exact = |t: f64| {
        let part = (10.0 * (3.0 * t).sin() - 3.0 * (3.0 * t).cos()) / 10.9;
        part + (1e6 + 3.0 / 10.9) * (-10.0 * t).exp()
    };
    for method in [Method::Tsit5, Method::Rodas5P, Method::Dop853] {
        let nominal = [1.0];
        let settings = settings(&nominal, 0, method, 1e-6);
        let jacobian = |t: f64, _: &[f64], j: &mut [f64], dfdt: &mut [f64]| {
            j[0] = -10.0;
            dfdt[0] = 30.0 * (3.0 * t).cos();
        };
        let mut ode = Problem::new(spin_down, no_indicators, jacobian);
        let mut state = fresh(&settings);
        settings.restart(&mut state, 0.0, &[1e6], &mut ode).unwrap();
        let mut error = 0.0_f64;
        while Integrator::time(&state) < 10.0 {
            settings.step(&mut state, &mut ode, 10.0, ALWAYS).unwrap();
            let t = Integrator::time(&state);
            if t > 3.0 {
                error = error.max((settings.states(&state)[0] - exact(t)).abs());
            }
        }
        assert!(error < 1e-5, "{method:?}: {error}");
    }
}
