//! Tests of the stages that Dop853 computes for its dense output alone.

use super::*;

/// Evaluations in a step of Dop853, and in its dense output.
const STEP: u64 = 12;
const DENSE_OUTPUT: u64 = 3;

/// A pendulum whose angle has an indicator; the integrator knows that it is affine.
struct Pendulum {
    threshold: f64,
}

impl OdeSystem for Pendulum {
    fn derivatives(&mut self, _: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Stop> {
        dx.copy_from_slice(&[x[1], -x[0].sin()]);
        Ok(())
    }

    fn indicators(&mut self, _: f64, x: &[f64], z: &mut [f64]) -> Result<(), Stop> {
        z.iter_mut().for_each(|z| *z = self.threshold - x[0]);
        Ok(())
    }

    fn affine_indicator(&self, _: usize, f: &mut dyn FnMut(usize, f64)) -> bool {
        f(0, -1.0);
        true
    }

    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64], _: &mut [f64]) -> Result<(), Stop> {
        Err(Stop::NotFinite)
    }

    fn end_of_trial(&mut self) {}

    fn accept(&mut self, _: f64, _: &[f64]) -> Result<(), Stop> {
        Ok(())
    }
}

/// Evaluations in each of twenty accepted steps from the lowest point with this speed, after trial
/// steps that were rejected have been taken off.
fn evaluations(indicators: usize, threshold: f64, target: f64) -> Vec<u64> {
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, indicators, Method::Dop853, 1e-9);
    let mut ode = Pendulum { threshold };
    let mut state = fresh(&settings);
    settings.restart(&mut state, 0.0, &[0.0, 1.0], &mut ode).unwrap();
    let mut before = Integrator::statistics(&state);
    let mut steps = Vec::new();
    for _ in 0..20 {
        assert_eq!(settings.step(&mut state, &mut ode, 1e3, target), Ok(StepOutcome::Step));
        let after = Integrator::statistics(&state);
        let rejected = after.rejected - before.rejected;
        steps.push(after.evaluations - before.evaluations - (STEP - 1) * rejected);
        before = after;
    }
    steps
}

#[test]
fn a_step_before_the_target_needs_no_dense_output() {
    assert_eq!(evaluations(0, 0.0, 1e3), [STEP; 20]);
    assert_eq!(evaluations(0, 0.0, 0.0), [STEP + DENSE_OUTPUT; 20]);
}

#[test]
fn an_indicator_needs_dense_output_only_where_it_may_change() {
    assert_eq!(evaluations(1, 2.0, 1e3), [STEP; 20]);
    // The pendulum swings to pi / 3.
    let near = evaluations(1, std::f64::consts::FRAC_PI_3 + 3e-6, 1e3);
    let with_dense_output = near.iter().filter(|&&count| count == STEP + DENSE_OUTPUT).count();
    let without = near.iter().filter(|&&count| count == STEP).count();
    assert!(with_dense_output > 0 && without > 0, "{near:?}");
    assert_eq!(with_dense_output + without, near.len(), "{near:?}");
}

#[test]
fn steps_do_not_depend_on_the_target() {
    let nominal = [1.0, 1.0];
    let settings = settings(&nominal, 1, Method::Dop853, 1e-9);
    let ends = |target: f64| {
        let mut ode = Pendulum { threshold: std::f64::consts::FRAC_PI_3 + 3e-6 };
        let mut state = fresh(&settings);
        settings.restart(&mut state, 0.0, &[0.0, 1.0], &mut ode).unwrap();
        let ends = (0..20).map(|_| {
            settings.step(&mut state, &mut ode, 1e3, target).unwrap();
            (Integrator::time(&state), settings.states(&state).to_vec())
        });
        ends.collect::<Vec<_>>()
    };
    let always = ends(ALWAYS);
    for target in [0.5, always[3].0, 0.99 * always[5].0, 1e3] {
        assert_eq!(ends(target), always, "target {target}");
    }
}
