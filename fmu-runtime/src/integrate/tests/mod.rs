//! Tests of the integrators on problems with known solutions.

mod accuracy;
mod dense_output;
mod events;
mod fixed_steps;
mod methods;
mod random_events;
mod steps;
mod stiff;

use super::{
    ImplicitWork, Integrator, IntegratorState, JacobianPattern, Method, OdeSystem, StepOutcome,
    Stop,
};

/// The target of steps whose interpolant is needed everywhere.
const ALWAYS: f64 = f64::NEG_INFINITY;

/// A problem given by functions.
struct Problem<F, Z, J> {
    f: F,
    z: Z,
    jacobian: J,
    evaluations: usize,
    indicator_calls: usize,
    /// Points that were accepted.
    accepted: Vec<(f64, Vec<f64>)>,
    /// The point at which the derivatives were evaluated last.
    last: (f64, Vec<f64>),
    /// The end of the last trial step.
    end_of_trial: (f64, Vec<f64>),
}

fn no_indicators(_t: f64, _x: &[f64], _z: &mut [f64]) {}

fn no_jacobian(_t: f64, _x: &[f64], jacobian: &mut [f64], _dfdt: &mut [f64]) {
    jacobian.fill(f64::NAN);
}

impl<F, Z, J> Problem<F, Z, J>
where
    F: FnMut(f64, &[f64], &mut [f64]),
    Z: FnMut(f64, &[f64], &mut [f64]),
    J: FnMut(f64, &[f64], &mut [f64], &mut [f64]),
{
    fn new(f: F, z: Z, jacobian: J) -> Self {
        let (accepted, last) = (Vec::new(), (f64::NAN, Vec::new()));
        let end_of_trial = last.clone();
        Problem { f, z, jacobian, evaluations: 0, indicator_calls: 0, accepted, last, end_of_trial }
    }
}

impl<F, Z, J> OdeSystem for Problem<F, Z, J>
where
    F: FnMut(f64, &[f64], &mut [f64]),
    Z: FnMut(f64, &[f64], &mut [f64]),
    J: FnMut(f64, &[f64], &mut [f64], &mut [f64]),
{
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Stop> {
        self.evaluations += 1;
        self.last = (t, x.to_vec());
        (self.f)(t, x, dx);
        Ok(())
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), Stop> {
        self.indicator_calls += 1;
        (self.z)(t, x, z);
        Ok(())
    }

    fn jacobian(&mut self, t: f64, x: &[f64], j: &mut [f64], dfdt: &mut [f64]) -> Result<(), Stop> {
        let n = x.len();
        let mut by_rows = vec![0.0; n * n];
        (self.jacobian)(t, x, &mut by_rows, dfdt);
        for (entry, value) in j.iter_mut().enumerate() {
            *value = by_rows[entry % n * n + entry / n];
        }
        Ok(())
    }

    fn end_of_trial(&mut self) {
        self.end_of_trial = self.last.clone();
    }

    fn accept(&mut self, t: f64, x: &[f64]) -> Result<(), Stop> {
        let known = &self.end_of_trial;
        assert_eq!(*known, (t, x.to_vec()), "derivatives are known where a point is accepted");
        self.accepted.push((t, x.to_vec()));
        Ok(())
    }
}

fn settings(nominal: &[f64], indicators: usize, method: Method, tolerance: f64) -> Integrator<'_> {
    let pattern = full_pattern(nominal.len());
    let implicit_work = ImplicitWork::default();
    Integrator {
        nominal,
        pattern,
        indicators,
        method,
        implicit_work,
        tolerance,
        max_step: 0.0,
        locates_events: true,
        step: 0.0,
    }
}

/// A pattern without zeros, which tests need not free.
fn full_pattern(n: usize) -> &'static JacobianPattern {
    let all: Vec<u32> = (0..n as u32).collect();
    Box::leak(Box::new(JacobianPattern::new(&vec![&all[..]; n])))
}

fn fresh(settings: &Integrator<'_>) -> IntegratorState {
    IntegratorState::new(settings.pattern, settings.indicators)
}

/// The stored form of a state.
fn stored(state: &IntegratorState) -> Vec<f64> {
    let mut words = vec![0.0; state.stored_length()];
    state.store(&mut words);
    words
}

fn bits(words: &[f64]) -> Vec<u64> {
    words.iter().map(|word| word.to_bits()).collect()
}

/// Integrates to `t_end` and returns the states there; events do not end the integration.
fn run(
    settings: &Integrator<'_>,
    ode: &mut dyn OdeSystem,
    x0: &[f64],
    t_end: f64,
) -> Result<(Vec<f64>, IntegratorState), Stop> {
    let mut state = fresh(settings);
    settings.restart(&mut state, 0.0, x0, ode)?;
    for _ in 0..1_000_000 {
        if Integrator::time(&state) >= t_end {
            break;
        }
        settings.step(&mut state, ode, t_end, t_end)?;
    }
    Ok((settings.states(&state).to_vec(), state))
}

/// Steps until an event and returns its time.
fn next_event(
    settings: &Integrator<'_>,
    state: &mut IntegratorState,
    ode: &mut dyn OdeSystem,
    t_end: f64,
) -> Option<f64> {
    while Integrator::time(state) < t_end {
        if settings.step(state, ode, t_end, ALWAYS).unwrap() == StepOutcome::Event {
            return Some(Integrator::time(state));
        }
    }
    None
}
