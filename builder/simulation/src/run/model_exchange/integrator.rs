//! Step size control: the length of the next step, and the test of its error.

use super::dormand_prince::Step;
use super::event_mode::Iterated;
use super::fmu_equations::FmuEquations;
use crate::run::experiment::RunPlan;
use fmus::error::FailedCall;
use fmus::host::Instance;
use fmus::model_description::ModelDescription;
use fmus::wording;

/// The fraction of its size by which the first step may change a state: while nothing is known
/// about the FMU, a distant trial point could be an error for it.
const FIRST_MOVE: f64 = 0.01;

/// The shortest step as a fraction of the time; shorter ones consist mainly of rounding errors.
const SHORTEST: f64 = 1e-14;

/// The relative tolerance if neither the user nor the FMU gives one.
const TOLERANCE: f64 = 1e-6;

/// A step that is about to be tried.
pub(super) struct TrialStep {
    /// Its end, in s.
    pub(super) target: f64,
    /// Its length, in s.
    pub(super) length: f64,
    /// Whether it ends at the limit for steps.
    pub(super) is_last: bool,
    /// The shortest reasonable length in s.
    shortest: f64,
}

impl TrialStep {
    /// Whether a shorter step would be below the rounding error.
    pub(super) fn is_shortest(&self) -> bool {
        self.length <= self.shortest
    }

    /// Whether it consists mainly of rounding errors.
    pub(super) fn is_too_short(&self) -> bool {
        self.length < self.shortest && !self.is_last
    }
}

/// The states, and the settings of the method for the next step.
pub(super) struct Integrator {
    pub(super) step: Step,
    nominals: Vec<f64>,
    tolerance: f64,
    /// The proposed length of the next step in s.
    length: f64,
}

impl Integrator {
    pub(super) fn new(states: usize, experiment: &RunPlan) -> Integrator {
        Integrator {
            step: Step::new(states),
            nominals: vec![1.0; states],
            tolerance: experiment.tolerance.unwrap_or(TOLERANCE),
            length: experiment.step,
        }
    }

    /// The next trial step from a time, which ends at `end` at the latest.
    pub(super) fn next_trial(&self, time: f64, end: f64) -> TrialStep {
        let rest = end - time;
        let is_last = self.length >= 0.999 * rest;
        let length = if is_last { rest } else { self.length.min(0.5 * rest) };
        let target = if is_last { end } else { time + length };
        TrialStep { target, length, is_last, shortest: SHORTEST * end.abs().max(1e-3) }
    }

    /// Makes a step; returns its error as a multiple of the allowed one.
    pub(super) fn attempt(
        &mut self,
        equations: &mut FmuEquations<'_, '_>,
        time: f64,
        trial: &TrialStep,
    ) -> Result<f64, FailedCall> {
        let (tolerance, nominals) = (self.tolerance, &self.nominals);
        // The errors of many steps add up, so one step may use a tenth of the tolerance.
        let scale = |i: usize, size: f64| 0.1 * tolerance * (size + nominals[i]);
        self.step.attempt(equations, time, trial.length, scale)
    }

    /// Makes the next step shorter than the rejected one.
    pub(super) fn reject(&mut self, trial: &TrialStep, error: f64) {
        self.length = trial.length * factor(error).clamp(0.1, 0.9);
    }

    /// Continues from the end of a step.
    pub(super) fn accept(&mut self, trial: &TrialStep, error: f64) {
        let proposed = trial.length * factor(error).clamp(0.2, 5.0);
        // A step that the limit has shortened does not reduce the proposed length.
        self.length = if trial.is_last { proposed.max(self.length) } else { proposed };
        self.step.advance();
    }

    /// Shortens the first step so that no state changes much.
    pub(super) fn choose_first_length(&mut self) {
        let rates = self.rates().map(|(rate, _, _)| rate);
        let length = FIRST_MOVE / rates.fold(0.0, f64::max);
        if length > 0.0 {
            self.length = self.length.min(length);
        }
    }

    /// For each state: rate of change relative to the size of the state, value, derivative.
    fn rates(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        let slopes = self.step.slopes().zip(&self.nominals);
        slopes.map(|((x, dx), nominal)| (dx.abs() / (x.abs() + nominal), x, dx))
    }

    /// The state that changes fastest, as the end of a message.
    pub(super) fn fastest(&self, description: &ModelDescription) -> String {
        let rates = self.rates().zip(description.states());
        let fastest = rates.max_by(|a, b| a.0.0.total_cmp(&b.0.0));
        let Some(((_, x, dx), state)) = fastest else { return String::new() };
        let variable = &description.variables[state];
        let unit = wording::unit_suffix(variable.attributes.unit.as_deref());
        let name = &variable.name;
        format!(
            "; {name} changes fastest: it has reached {x:.1e}{unit} and changes by {dx:.1e}{unit} per s"
        )
    }

    /// Reads the values that an event has changed.
    pub(super) fn update(
        &mut self,
        instance: &mut Instance<'_>,
        iterated: &Iterated,
    ) -> Result<(), FailedCall> {
        if self.step.x.is_empty() {
            return Ok(());
        }
        if iterated.nominals_changed {
            instance.get_nominals(&mut self.nominals)?;
            self.nominals.iter_mut().for_each(|n| *n = if *n > 0.0 { *n } else { 1.0 });
        }
        if iterated.values_changed {
            instance.get_continuous_states(&mut self.step.x)?;
        }
        Ok(())
    }
}

/// The factor for the length of a step of fifth order after an error.
fn factor(error: f64) -> f64 {
    if error > 0.0 { 0.9 * error.powf(-0.2) } else { 5.0 }
}
