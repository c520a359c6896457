//! Tests of step limits, of the integrator state, and of failures.

use super::*;

fn pendulum(_: f64, x: &[f64], dx: &mut [f64]) {
    dx[0] = x[1];
    dx[1] = -9.81 * x[0].sin();
}

#[test]
fn steps_never_pass_the_limit_and_meet_it_bitwise() {
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 0, Method::Auto, 1e-6);
    let mut state = fresh(&settings);
    let mut ode = Problem::new(pendulum, no_indicators, no_jacobian);
    settings.restart(&mut state, 0.0, &[1.0, 0.0], &mut ode).unwrap();
    let mut limit = 0.0;
    for k in 1..400 {
        limit += 0.1 / f64::from(k) + 1e-3;
        while Integrator::time(&state) < limit {
            let before = Integrator::time(&state);
            assert_eq!(settings.step(&mut state, &mut ode, limit, ALWAYS), Ok(StepOutcome::Step));
            assert!(Integrator::time(&state) > before);
            assert!(Integrator::time(&state) <= limit);
        }
        assert_eq!(Integrator::time(&state).to_bits(), limit.to_bits());
    }
    for (t, _) in &ode.accepted {
        assert!(*t <= limit);
    }
}

#[test]
fn a_largest_step_that_time_cannot_resolve_is_refused_at_once() {
    let nominal = [1.0, 1.0];
    let mut settings = settings(&nominal, 0, Method::Auto, 1e-6);
    settings.max_step = 1e-12;
    let mut state = fresh(&settings);
    let mut ode = Problem::new(pendulum, no_indicators, no_jacobian);
    settings.restart(&mut state, 1e9, &[1.0, 0.0], &mut ode).unwrap();
    assert_eq!(settings.step(&mut state, &mut ode, 1e9 + 1.0, ALWAYS), Err(Stop::StepTooSmall));
}

#[test]
fn no_tiny_step_is_left_before_the_limit() {
    let nominal = [1.0, 1.0];
    let mut settings = settings(&nominal, 0, Method::Tsit5, 1e-6);
    settings.max_step = 0.01;
    let mut ode = Problem::new(pendulum, no_indicators, no_jacobian);
    let (_, state) = run(&settings, &mut ode, &[1.0, 0.0], 0.2000001).unwrap();
    assert!(Integrator::step_start(&state) < 0.2000001 - 0.004);
    let times: Vec<f64> = ode.accepted.iter().map(|a| a.0).collect();
    assert!(times.windows(2).all(|t| t[1] - t[0] <= 0.01 + 1e-15));
}

#[test]
fn each_accepted_point_is_reported_once_and_is_the_point_reached() {
    let nominal = [1.0, 1.0];
    for indicators in [0, 1] {
        let settings = settings(&nominal, indicators, Method::Auto, 1e-6);
        let mut state = fresh(&settings);
        let z = |_: f64, _: &[f64], z: &mut [f64]| z.fill(1.0);
        let mut ode = Problem::new(pendulum, z, no_jacobian);
        settings.restart(&mut state, 0.0, &[1.0, 0.0], &mut ode).unwrap();
        assert!(ode.accepted.is_empty());
        for k in 1..50 {
            settings.step(&mut state, &mut ode, 3.0, ALWAYS).unwrap();
            if Integrator::time(&state) == 3.0 {
                break;
            }
            assert_eq!(ode.accepted.len(), k);
            let (t, x) = ode.accepted.last().unwrap();
            assert_eq!(*t, Integrator::time(&state));
            assert_eq!(x, settings.states(&state));
        }
    }
}

#[test]
fn a_copied_integrator_state_continues_with_the_same_bits() {
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 1, Method::Auto, 1e-7);
    let z = |t: f64, x: &[f64], z: &mut [f64]| z[0] = x[0] - 0.3 * t;
    let mut ode = Problem::new(pendulum, z, no_jacobian);
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[1.0, 0.0], &mut ode).unwrap();
    for _ in 0..7 {
        settings.step(&mut state, &mut ode, 5.0, ALWAYS).unwrap();
    }
    let mut copy = fresh(&settings);
    copy.restore(&stored(&state));
    let mut results = Vec::new();
    for mut state in [state, copy] {
        let mut ode = Problem::new(pendulum, z, no_jacobian);
        for _ in 0..20 {
            settings.step(&mut state, &mut ode, 5.0, ALWAYS).unwrap();
        }
        let mut x = [0.0; 2];
        let middle = 0.5 * (Integrator::step_start(&state) + Integrator::time(&state));
        Integrator::interpolate(&state, middle, &mut x);
        results.push([bits(&stored(&state)), bits(&x)]);
    }
    assert_eq!(results[0], results[1]);
}

#[test]
fn restart_keeps_the_step_size() {
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 0, Method::Auto, 1e-6);
    let mut state = fresh(&settings);
    let mut ode = Problem::new(pendulum, no_indicators, no_jacobian);
    settings.restart(&mut state, 0.0, &[1.0, 0.0], &mut ode).unwrap();
    for _ in 0..10 {
        settings.step(&mut state, &mut ode, 5.0, ALWAYS).unwrap();
    }
    let (t, end) = (Integrator::step_start(&state), Integrator::time(&state));
    let t = 0.5 * (t + end);
    let mut x = [0.0; 2];
    Integrator::interpolate(&state, t, &mut x);
    let steps = Integrator::statistics(&state).steps;
    let evaluations = ode.evaluations;
    settings.restart(&mut state, t, &x, &mut ode).unwrap();
    assert_eq!(ode.evaluations, evaluations + 1);
    settings.step(&mut state, &mut ode, 5.0, ALWAYS).unwrap();
    assert!(Integrator::time(&state) - t > 0.3 * (end - t));
    assert_eq!(Integrator::statistics(&state).steps, steps + 1);
    Integrator::forget_step_size(&mut state);
    let now = Integrator::time(&state);
    let x = settings.states(&state).to_vec();
    settings.restart(&mut state, now, &x, &mut ode).unwrap();
    assert!(ode.evaluations > evaluations + 8 + 1);
}

#[test]
fn a_restart_shows_its_own_states_at_any_time() {
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 0, Method::Auto, 1e-6);
    let mut state = fresh(&settings);
    let mut ode = Problem::new(pendulum, no_indicators, no_jacobian);
    settings.restart(&mut state, 2.0, &[1.0, 0.5], &mut ode).unwrap();
    for t in [1.9, 2.0, 2.1] {
        let mut x = [0.0; 2];
        Integrator::interpolate(&state, t, &mut x);
        assert_eq!(x, [1.0, 0.5]);
    }
}

#[test]
fn not_a_number_stops_at_the_last_good_time() {
    let nominal = [1.0];
    for method in [Method::Tsit5, Method::Rodas5P, Method::Dop853] {
        let f = |t: f64, x: &[f64], dx: &mut [f64]| {
            dx[0] = if t > 0.5 { f64::NAN } else { -x[0] };
        };
        let jacobian = |_: f64, _: &[f64], j: &mut [f64], dfdt: &mut [f64]| {
            j[0] = -1.0;
            dfdt[0] = 0.0;
        };
        let settings = settings(&nominal, 0, method, 1e-6);
        let mut state = fresh(&settings);
        let mut ode = Problem::new(f, no_indicators, jacobian);
        settings.restart(&mut state, 0.0, &[1.0], &mut ode).unwrap();
        let stop = loop {
            if let Err(stop) = settings.step(&mut state, &mut ode, 1.0, ALWAYS) {
                break stop;
            }
        };
        assert_eq!(stop, Stop::NotFinite);
        assert!((Integrator::time(&state) - 0.5).abs() < 1e-12);
        assert!((settings.states(&state)[0] - (-0.5_f64).exp()).abs() < 1e-6);
        assert!(ode.evaluations < 3000, "{}", ode.evaluations);
    }
}

#[test]
fn a_jump_of_the_derivative_is_passed_and_a_pole_is_not() {
    let nominal = [1.0];
    let settings = settings(&nominal, 0, Method::Tsit5, 1e-6);
    let jump = |t: f64, _: &[f64], dx: &mut [f64]| dx[0] = if t > 0.3 { 5.0 } else { 1.0 };
    let mut ode = Problem::new(jump, no_indicators, no_jacobian);
    let (x, _) = run(&settings, &mut ode, &[0.0], 1.0).unwrap();
    assert!((x[0] - (0.3 + 0.7 * 5.0)).abs() < 1e-5, "{x:?}");
    let pole = |_: f64, x: &[f64], dx: &mut [f64]| dx[0] = x[0] * x[0];
    let mut ode = Problem::new(pole, no_indicators, no_jacobian);
    assert!(run(&settings, &mut ode, &[1.0], 2.0).is_err());
    assert!(ode.evaluations < 20_000);
}

#[test]
fn a_failing_block_is_named_when_no_step_is_possible() {
    struct Failing;
    impl OdeSystem for Failing {
        fn derivatives(&mut self, t: f64, _: &[f64], dx: &mut [f64]) -> Result<(), Stop> {
            dx[0] = 1.0;
            if t > 0.25 { Err(failure().into()) } else { Ok(()) }
        }
        fn indicators(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Stop> {
            Ok(())
        }
        fn jacobian(
            &mut self,
            _: f64,
            _: &[f64],
            _: &mut [f64],
            _: &mut [f64],
        ) -> Result<(), Stop> {
            Err(Stop::NotFinite)
        }
        fn end_of_trial(&mut self) {}
        fn accept(&mut self, _t: f64, _x: &[f64]) -> Result<(), Stop> {
            Ok(())
        }
    }
    fn failure() -> kernels::newton::Failure {
        let kind = kernels::newton::FailureKind::Singular;
        kernels::newton::Failure { block: 3, kind, residual: 0.5 }
    }
    let nominal = [1.0];
    let settings = settings(&nominal, 0, Method::Auto, 1e-6);
    let stopped = run(&settings, &mut Failing, &[0.0], 1.0).map(|_| ());
    assert_eq!(stopped, Err(Stop::Block(failure())));
}

#[test]
fn a_problem_without_states_reaches_the_limit_in_few_steps() {
    let settings = settings(&[], 0, Method::Auto, 1e-6);
    let mut ode = Problem::new(|_: f64, _: &[f64], _: &mut [f64]| {}, no_indicators, no_jacobian);
    let (_, state) = run(&settings, &mut ode, &[], 7.5).unwrap();
    assert!(Integrator::statistics(&state).steps < 15);
    assert_eq!(Integrator::time(&state), 7.5);
}

/// Heat in a rod of 30 points, with an indicator; `pattern` has three or all entries in a column.
struct Rod(JacobianPattern);

impl Rod {
    const POINTS: usize = 30;

    fn new(dense: bool) -> Rod {
        let all: Vec<u32> = (0..Self::POINTS as u32).collect();
        let column = |j: usize| match dense {
            true => &all[..],
            false => &all[j.saturating_sub(1)..(j + 2).min(Self::POINTS)],
        };
        Rod(JacobianPattern::new(&(0..Self::POINTS).map(column).collect::<Vec<_>>()))
    }

    fn entry(i: usize, j: usize) -> f64 {
        match i.abs_diff(j) {
            0 => -200.0,
            1 => 100.0,
            _ => 0.0,
        }
    }
}

impl OdeSystem for &Rod {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Stop> {
        for (i, dx) in dx.iter_mut().enumerate() {
            *dx = (0..Rod::POINTS).map(|j| Rod::entry(i, j) * x[j]).sum();
        }
        dx[0] += 100.0 * (3.0 * t).sin();
        Ok(())
    }

    fn indicators(&mut self, _: f64, x: &[f64], z: &mut [f64]) -> Result<(), Stop> {
        z[0] = x[3] - 0.4;
        Ok(())
    }

    fn jacobian(&mut self, t: f64, _: &[f64], j: &mut [f64], df: &mut [f64]) -> Result<(), Stop> {
        let places: Vec<_> = self.0.triplets(j).map(|(i, j, _)| (i, j)).collect();
        for (entry, (i, j)) in j.iter_mut().zip(places) {
            *entry = Rod::entry(i, j);
        }
        df.fill(0.0);
        df[0] = 300.0 * (3.0 * t).cos();
        Ok(())
    }

    fn end_of_trial(&mut self) {}

    fn accept(&mut self, _: f64, _: &[f64]) -> Result<(), Stop> {
        Ok(())
    }
}

#[test]
fn only_the_kept_part_of_the_state_is_used_between_two_calls() {
    let nominal = [1.0; Rod::POINTS];
    for (method, dense) in [
        (Method::Tsit5, false),
        (Method::Rodas5P, false),
        (Method::Rodas5P, true),
        (Method::Auto, false),
        (Method::Auto, true),
        (Method::Dop853, false),
    ] {
        let rod = Rod::new(dense);
        assert_eq!(rod.0.elimination().is_none(), dense);
        let settings = Integrator { pattern: &rod.0, ..settings(&nominal, 1, method, 1e-6) };
        let run = |spoil: bool| {
            let mut state = fresh(&settings);
            let spoil = |state: &mut IntegratorState| {
                if spoil {
                    state.spoil();
                }
            };
            spoil(&mut state);
            settings.restart(&mut state, 0.0, &[0.0; Rod::POINTS], &mut &rod).unwrap();
            while Integrator::time(&state) < 3.0 {
                spoil(&mut state);
                if settings.step(&mut state, &mut &rod, 3.0, ALWAYS).unwrap() == StepOutcome::Event
                {
                    let x = settings.states(&state).to_vec();
                    spoil(&mut state);
                    let t = Integrator::time(&state);
                    settings.restart(&mut state, t, &x, &mut &rod).unwrap();
                }
            }
            state
        };
        let state = run(false);
        let spoilt = bits(&stored(&run(true)));
        assert_eq!(bits(&stored(&state)), spoilt, "{method:?}, dense: {dense}");
        assert!(Integrator::statistics(&state).events >= 2);
    }
}
