//! Steps of adapted length: how long the next is, and whether its error is allowed.

use super::dormand_prince::Step;
use super::event_mode::Iterated;
use super::fmu_equations::FmuEquations;
use crate::error::FailedCall;
use crate::host::Instance;
use crate::model_description::ModelDescription;
use crate::run::experiment::Experiment;
use crate::wording;

/// The part of its size by which the first step may move a state: where nothing is known yet, a
/// trial far away could be an error of the FMU.
const FIRST_MOVE: f64 = 0.01;

/// The shortest step as a part of the time: of a shorter one round-off is the greater part.
const SHORTEST: f64 = 1e-14;

/// The tolerance where neither the user nor the FMU gives one.
const TOLERANCE: f64 = 1e-6;

/// A step that is about to be tried.
pub(super) struct TrialStep {
    /// Its end, in s.
    pub(super) target: f64,
    /// Its length, in s.
    pub(super) length: f64,
    /// Whether it ends where steps have to end.
    pub(super) is_last: bool,
    /// The shortest length that makes sense, in s.
    shortest: f64,
}

impl TrialStep {
    /// Whether a shorter step would be lost in round-off.
    pub(super) fn is_shortest(&self) -> bool {
        self.length <= self.shortest
    }

    /// Whether round-off is the greater part of it.
    pub(super) fn is_too_short(&self) -> bool {
        self.length < self.shortest && !self.is_last
    }
}

/// The states, and how the method goes on from them.
pub(super) struct Integrator {
    pub(super) step: Step,
    nominals: Vec<f64>,
    tolerance: f64,
    /// The length the next step should have, in s.
    length: f64,
}

impl Integrator {
    pub(super) fn new(states: usize, experiment: &Experiment) -> Integrator {
        Integrator {
            step: Step::new(states),
            nominals: vec![1.0; states],
            tolerance: experiment.tolerance.unwrap_or(TOLERANCE),
            length: experiment.step,
        }
    }

    /// The step to try from a time, which ends at `end` at the latest.
    pub(super) fn next_trial(&self, time: f64, end: f64) -> TrialStep {
        let rest = end - time;
        let is_last = self.length >= 0.999 * rest;
        let length = if is_last { rest } else { self.length.min(0.5 * rest) };
        let target = if is_last { end } else { time + length };
        TrialStep { target, length, is_last, shortest: SHORTEST * end.abs().max(1e-3) }
    }

    /// Makes a step: its error as a multiple of what is allowed.
    pub(super) fn attempt(
        &mut self,
        equations: &mut FmuEquations<'_, '_>,
        time: f64,
        trial: &TrialStep,
    ) -> Result<f64, FailedCall> {
        let (tolerance, nominals) = (self.tolerance, &self.nominals);
        // The errors of many steps add up: one step gets a tenth of what is allowed.
        let scale = |i: usize, size: f64| 0.1 * tolerance * (size + nominals[i]);
        self.step.attempt(equations, time, trial.length, scale)
    }

    /// Makes the next step shorter than one that failed.
    pub(super) fn reject(&mut self, trial: &TrialStep, error: f64) {
        self.length = trial.length * factor(error).clamp(0.1, 0.9);
    }

    /// Goes on from the end of a step.
    pub(super) fn accept(&mut self, trial: &TrialStep, error: f64) {
        let proposed = trial.length * factor(error).clamp(0.2, 5.0);
        // A step cut short by the end does not show which length would do.
        self.length = if trial.is_last { proposed.max(self.length) } else { proposed };
        self.step.advance();
    }

    /// Shortens the first step so that no state moves far.
    pub(super) fn choose_first_length(&mut self) {
        let rates = self.rates().map(|(rate, _, _)| rate);
        let length = FIRST_MOVE / rates.fold(0.0, f64::max);
        if length > 0.0 {
            self.length = self.length.min(length);
        }
    }

    /// For each state how fast it changes over its size, its value and its derivative.
    fn rates(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        let slopes = self.step.slopes().zip(&self.nominals);
        slopes.map(|((x, dx), nominal)| (dx.abs() / (x.abs() + nominal), x, dx))
    }

    /// Which state changes most in the shortest step, as the end of a sentence.
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

    /// Takes what an event has changed.
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

/// By which factor the length of a step of fifth order changes after an error.
fn factor(error: f64) -> f64 {
    if error > 0.0 { 0.9 * error.powf(-0.2) } else { 5.0 }
}
