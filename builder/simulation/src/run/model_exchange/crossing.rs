//! State events: the location of sign changes of event indicators within a step.

use super::dormand_prince::Step;
use super::fmu_equations::FmuEquations;
use super::integrator::TrialStep;
use fmus::error::FailedCall;
use fmus::host::Instance;
use fmus::model_description::ModelDescription;

/// An event indicator that changes its sign.
pub(super) struct Crossing {
    /// The time in s.
    pub(super) time: f64,
    /// The fraction of the step, from 0 to 1.
    pub(super) part: f64,
    /// The index of the indicator.
    pub(super) indicator: usize,
    /// How many indicators the FMU has.
    pub(super) indicators: usize,
}

/// The event indicators of an instance.
pub(super) struct Indicators {
    /// Whether each was positive at the end of the last event.
    positive: Vec<bool>,
    values: Vec<f64>,
    /// States within a step.
    x: Vec<f64>,
}

impl Indicators {
    pub(super) fn new(description: &ModelDescription) -> Indicators {
        let count = description.number_of_event_indicators;
        let x = vec![0.0; description.states().len()];
        Indicators { positive: vec![false; count], values: vec![0.0; count], x }
    }

    /// Stores the present signs of the indicators.
    pub(super) fn update(&mut self, instance: &mut Instance<'_>) -> Result<(), FailedCall> {
        if self.values.is_empty() {
            return Ok(());
        }
        instance.get_event_indicators(&mut self.values)?;
        for (positive, z) in self.positive.iter_mut().zip(&self.values) {
            *positive = *z > 0.0;
        }
        Ok(())
    }

    /// The first time in a step at which an indicator has changed.
    pub(super) fn first_crossing(
        &mut self,
        equations: &mut FmuEquations<'_, '_>,
        step: &mut Step,
        begin: f64,
        &TrialStep { target, length, .. }: &TrialStep,
    ) -> Result<Option<Crossing>, FailedCall> {
        if self.positive.is_empty() {
            return Ok(None);
        }
        step.interpolate();
        let mut changed = |time, part| self.changed(equations, step, time, part);
        // The middle of the step is also sampled, because an indicator may cross zero and return
        // within a step.
        let (mut before, mut after, mut indicator);
        if let Some(first) = changed(begin + 0.5 * length, 0.5)? {
            (before, after, indicator) = (0.0, 0.5, first);
        } else if let Some(first) = changed(target, 1.0)? {
            (before, after, indicator) = (0.5, 1.0, first);
        } else {
            return Ok(None);
        }
        let precision = 4.0 * f64::EPSILON * target.abs().max(length) / length;
        while after - before > precision {
            let middle = 0.5 * (before + after);
            match changed(begin + middle * length, middle)? {
                Some(other) => (after, indicator) = (middle, other),
                None => before = middle,
            }
        }
        let time = if after >= 1.0 { target } else { begin + after * length };
        Ok(Some(Crossing { time, part: after, indicator, indicators: self.values.len() }))
    }

    /// The first indicator whose sign at a fraction of a step differs from that after the last
    /// event.
    fn changed(
        &mut self,
        equations: &mut FmuEquations<'_, '_>,
        step: &Step,
        time: f64,
        part: f64,
    ) -> Result<Option<usize>, FailedCall> {
        if part >= 1.0 {
            self.x.copy_from_slice(&step.next);
        } else {
            step.between(part, &mut self.x);
        }
        equations.set(time, &self.x)?;
        equations.instance.get_event_indicators(&mut self.values)?;
        let mut pairs = self.values.iter().zip(&self.positive);
        Ok(pairs.position(|(z, positive)| (*z > 0.0) != *positive))
    }
}
