//! The automatic choice of the method needs little more work than the better one.

use super::*;
use crate::integrate::Statistics;

/// Largest work relative to that of the better method.
const MAX_RATIO: f64 = 1.15;

/// The work of the automatic choice relative to that of the better method, and the work of the
/// explicit method and of Rodas5P; `jacobian` is the work of a Jacobian.
fn ratio(
    ode: &mut dyn FnMut() -> Box<dyn OdeSystem>,
    x0: &[f64],
    t_end: f64,
    jacobian: f64,
    (explicit, tolerance): (Method, f64),
) -> (f64, f64, f64) {
    let nominal = vec![1.0; x0.len()];
    let implicit_work = ImplicitWork { jacobian, factorization: 0.1 * jacobian };
    let mut work = |method| {
        let settings = Integrator { implicit_work, ..settings(&nominal, 0, method, tolerance) };
        let (_, state) = run(&settings, &mut *ode(), x0, t_end).unwrap();
        Integrator::work(&state, implicit_work)
    };
    let [auto, explicit, rodas5p] = [Method::Auto, explicit, Method::Rodas5P].map(&mut work);
    (auto / explicit.min(rodas5p), explicit, rodas5p)
}

/// `x' = A(t) x + b(t)`, with matrix and vector by rows.
fn linear(
    n: usize,
    matrix: impl Fn(f64, usize, usize) -> f64 + Copy + 'static,
    forcing: impl Fn(f64, usize) -> f64 + Copy + 'static,
) -> Box<dyn OdeSystem> {
    let f = move |t: f64, x: &[f64], dx: &mut [f64]| {
        for (i, dx) in dx.iter_mut().enumerate() {
            let sum: f64 = (0..n).map(|j| matrix(t, i, j) * x[j]).sum();
            *dx = sum + forcing(t, i);
        }
    };
    let jacobian = move |t: f64, x: &[f64], by_rows: &mut [f64], dfdt: &mut [f64]| {
        let h = 1e-6;
        for i in 0..n {
            dfdt[i] = (forcing(t + h, i) - forcing(t - h, i)) / (2.0 * h);
            for j in 0..n {
                by_rows[i * n + j] = matrix(t, i, j);
                dfdt[i] += (matrix(t + h, i, j) - matrix(t - h, i, j)) / (2.0 * h) * x[j];
            }
        }
    };
    Box::new(Problem::new(f, no_indicators, jacobian))
}

/// A chain of masses with springs and dampers, `n` positions and then `n` speeds.
fn chain(n: usize, c: f64, d: f64) -> impl Fn(f64, usize, usize) -> f64 + Copy {
    move |_, i, j| {
        let (row, column) = (i % n, j % n);
        let neighbour = match row.abs_diff(column) {
            0 => -2.0,
            1 => 1.0,
            _ => 0.0,
        };
        match (i < n, j < n) {
            (true, _) => f64::from(u8::from(j == i + n)),
            (false, true) => c * neighbour,
            (false, false) => d * neighbour,
        }
    }
}

fn decay(rates: &'static [f64]) -> impl Fn(f64, usize, usize) -> f64 + Copy {
    move |_, i, j| if i == j { -rates[i] } else { 0.0 }
}

fn wave(t: f64, i: usize) -> f64 {
    (t * (1.0 + 0.1 * i as f64)).sin()
}

#[test]
fn the_choice_is_nearly_as_good_as_the_better_method() {
    check_choice(Method::Tsit5, 1e-6);
}

#[test]
fn the_choice_with_a_small_tolerance_is_nearly_as_good_as_the_better_method() {
    check_choice(Method::Dop853, 1e-8);
}

/// The tolerance is one with which the automatic choice uses this explicit method.
fn check_choice(explicit: Method, tolerance: f64) {
    const RATES: [f64; 4] = [1.0, 3.0, 30.0, 300.0];
    const FAST: [f64; 4] = [1.0, 3.0, 30.0, 3e5];
    let stiff_in_between = |t: f64, i: usize, j: usize| {
        let rate = if (t % 20.0) < 5.0 { 1e4 } else { 1.0 };
        if i == j { -rate } else { 0.0 }
    };
    // A chain of dampers that nothing holds.
    let free = |_: f64, i: usize, j: usize| match i.abs_diff(j) {
        0 if i == 0 || i == 11 => -1e5,
        0 => -2e5,
        1 => 1e5,
        _ => 0.0,
    };
    let start = |n: usize| (0..n).map(|i| 1.0 / (1.0 + i as f64)).collect::<Vec<f64>>();
    type Make<'a> = Box<dyn FnMut() -> Box<dyn OdeSystem> + 'a>;
    let problems: Vec<(&str, Make, usize, f64)> = vec![
        ("smooth", Box::new(|| linear(4, decay(&[1.0; 4]), wave)), 4, 50.0),
        ("oscillation", Box::new(|| linear(8, chain(4, 100.0, 0.0), wave)), 8, 20.0),
        ("mildly stiff", Box::new(|| linear(4, decay(&RATES), wave)), 4, 50.0),
        ("stiff", Box::new(|| linear(4, decay(&FAST), wave)), 4, 1.0),
        ("damped chain", Box::new(|| linear(20, chain(10, 1e3, 1e2), wave)), 20, 20.0),
        ("stiff chain", Box::new(|| linear(20, chain(10, 1e5, 1e5), wave)), 20, 0.5),
        ("fast and damped", Box::new(|| linear(12, chain(6, 1e6, 2e2), wave)), 12, 2.0),
        ("sometimes stiff", Box::new(|| linear(2, stiff_in_between, wave)), 2, 60.0),
        ("free", Box::new(|| linear(12, free, wave)), 12, 0.5),
        ("weakly damped", Box::new(|| linear(12, chain(6, 1e4, 0.1), wave)), 12, 5.0),
        ("large and slow", Box::new(|| linear(40, chain(20, 10.0, 5.0), wave)), 40, 50.0),
    ];
    let mut bad = Vec::new();
    for (name, mut make, n, t_end) in problems {
        for jacobian in [2.0, 10.0, 50.0, 300.0] {
            let settings = (explicit, tolerance);
            let (ratio, explicit, rodas5p) =
                ratio(&mut *make, &start(n), t_end, jacobian, settings);
            println!("{name:16} J={jacobian:<4} {ratio:.3} ({explicit:.0}, Rodas5P {rodas5p:.0})");
            if ratio > MAX_RATIO {
                bad.push((name, jacobian, ratio));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:?}");
}

#[test]
fn a_copy_of_the_state_leads_to_the_same_choices() {
    let nominal = [1.0; 2];
    let implicit_work = ImplicitWork { jacobian: 4.0, factorization: 1.0 };
    let settings = Integrator { implicit_work, ..settings(&nominal, 0, Method::Auto, 1e-6) };
    let stiff_in_between = |t: f64, i: usize, j: usize| {
        let rate = if (t % 20.0) < 5.0 { 1e4 } else { 1.0 };
        if i == j { -rate } else { 0.0 }
    };
    let mut ode = linear(2, stiff_in_between, wave);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[1.0, 0.5], &mut *ode).unwrap();
    let mut copies = Vec::new();
    while Integrator::time(&state) < 45.0 {
        if Integrator::statistics(&state).steps.is_multiple_of(40) {
            copies.push(state.clone());
        }
        settings.step(&mut state, &mut *ode, 45.0, ALWAYS).unwrap();
    }
    assert!(Integrator::statistics(&state).jacobians > 0);
    assert!(copies.len() > 10);
    for mut copy in copies {
        let mut ode = linear(2, stiff_in_between, wave);
        while Integrator::time(&copy) < 45.0 {
            settings.step(&mut copy, &mut *ode, 45.0, ALWAYS).unwrap();
        }
        assert_eq!(settings.states(&copy), settings.states(&state));
        assert_eq!(Integrator::statistics(&copy), Integrator::statistics(&state));
    }
}

/// The states and statistics at 20 s of damped chains of three masses, if the states are needed
/// at multiples of an interval.
fn needed_every(interval: f64, damping: f64, tolerance: f64) -> (Vec<f64>, Statistics) {
    let nominal = [1.0; 6];
    let implicit_work = ImplicitWork { jacobian: 4.0, factorization: 1.0 };
    let settings = Integrator { implicit_work, ..settings(&nominal, 0, Method::Auto, tolerance) };
    let mut ode = linear(6, chain(3, 1e3, damping), wave);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[1.0, 0.5, 0.3, 0.0, 0.0, 0.0], &mut *ode).unwrap();
    while Integrator::time(&state) < 20.0 {
        let target = interval * ((Integrator::time(&state) / interval).floor() + 1.0);
        settings.step(&mut state, &mut *ode, 20.0, target).unwrap();
    }
    (settings.states(&state).to_vec(), Integrator::statistics(&state))
}

#[test]
fn the_choice_does_not_depend_on_the_times_for_which_states_are_needed() {
    let mut methods = [0, 0];
    for damping in [10.0, 20.0, 30.0, 50.0, 70.0, 100.0, 200.0] {
        for tolerance in [1e-6, 1e-8] {
            let (seldom, of_seldom) = needed_every(20.0, damping, tolerance);
            let (often, of_often) = needed_every(1e-3, damping, tolerance);
            assert_eq!(seldom, often, "damping {damping}, tolerance {tolerance}");
            assert_eq!(
                (of_seldom.steps, of_seldom.jacobians),
                (of_often.steps, of_often.jacobians)
            );
            methods[usize::from(of_seldom.jacobians > 0)] += 1;
        }
    }
    assert!(methods.iter().all(|&count| count > 0), "{methods:?}");
}
