//! The integrator state: everything that changes from step to step.

use super::dense_output::Degree;
use super::jacobian_pattern::JacobianPattern;
use super::method_choice::Choice;
use super::workspace;
use crate::plain_data::plain_data;

plain_data! {
    /// Work done since the integrator state was new.
    pub struct Statistics {
        /// Accepted steps.
        steps: u64 = 0,
        /// Rejected trial steps.
        rejected: u64 = 0,
        /// Evaluations of the derivatives.
        evaluations: u64 = 0,
        /// Those of them that only communication points needed.
        for_output: u64 = 0,
        /// Evaluations of the Jacobian.
        jacobians: u64 = 0,
        /// Factorizations of the matrix of the implicit method.
        factorizations: u64 = 0,
        /// Evaluations of the event indicators.
        indicators: u64 = 0,
        /// Located events.
        events: u64 = 0,
    }
}

plain_data! {
    /// The last step, and the one that the interpolant belongs to.
    pub struct LastStep {
        /// Time reached: the end of the last step.
        end: f64 = 0.0,
        /// Start of the last step.
        start: f64 = 0.0,
        /// Length of the step that the interpolant belongs to.
        length: f64 = 0.0,
        /// Degree of the interpolant.
        degree: Degree = Degree::Four,
        /// Whether it ended with an event.
        event: bool = false,
    }
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    /// Without an event.
    Step,
    /// Immediately after the first sign change of an indicator; see
    /// [`Integrator::crossed`](super::Integrator::crossed).
    Event,
}

plain_data! {
    /// What is known of the size of the next step.
    pub struct StepSize {
        /// Proposed length; 0: none yet.
        proposed: f64 = 0.0,
        /// Root of the error estimate of the last step, see `step_control`; 0: none yet.
        last_error: f64 = 0.0,
        /// Length of a part of a step in which samples resolve the indicators; 0: not known yet.
        resolved: f64 = 0.0,
    }
}

/// What changes from step to step; its first use must be
/// [`Integrator::restart`](super::Integrator::restart).
#[derive(Clone, Debug)]
pub struct IntegratorState {
    pub(super) last: LastStep,
    pub(super) size: StepSize,
    pub(super) work: Statistics,
    pub(super) choice: Choice,
    /// The vectors of [`workspace::Workspace`].
    pub(super) vectors: Box<[f64]>,
    /// The number of words of its stored form.
    stored: usize,
}

/// The number of words of the scalars.
const SCALARS: usize = LastStep::LENGTH + StepSize::LENGTH + Statistics::LENGTH + Choice::LENGTH;

impl IntegratorState {
    /// The state of an integration that has not begun, for a Jacobian and a number of indicators.
    #[must_use]
    pub fn new(pattern: &JacobianPattern, indicators: usize) -> IntegratorState {
        let length = workspace::length(pattern, indicators);
        let stored = SCALARS + workspace::kept_length(pattern.states(), indicators);
        IntegratorState { vectors: vec![0.0; length].into(), stored, ..IntegratorState::unused() }
    }

    /// The state of an instance that does not integrate, whose stored form is empty.
    #[must_use]
    pub fn unused() -> IntegratorState {
        IntegratorState {
            last: LastStep::START,
            size: StepSize::START,
            work: Statistics::START,
            choice: Choice::START,
            vectors: Box::default(),
            stored: 0,
        }
    }

    /// Returns to the state of an integration that has not begun.
    pub fn reset(&mut self) {
        self.set_scalars((LastStep::START, StepSize::START, Statistics::START, Choice::START));
        self.vectors.fill(0.0);
    }

    /// The number of words of its stored form, which contains everything that is used between two
    /// calls.
    #[must_use]
    pub fn stored_length(&self) -> usize {
        self.stored
    }

    /// Writes the stored form; `words` must have its length.
    pub fn store(&self, words: &mut [f64]) {
        if let Some((scalars, vectors)) = words.split_at_mut_checked(SCALARS) {
            let own = self.last.words().into_iter().chain(self.size.words());
            let own = own.chain(self.work.words()).chain(self.choice.words());
            scalars.iter_mut().zip(own).for_each(|(word, own)| *word = own);
            vectors.copy_from_slice(&self.vectors[..vectors.len()]);
        }
    }

    /// Takes over a stored form of its length for which [`IntegratorState::is_stored_form`] holds.
    pub fn restore(&mut self, words: &[f64]) {
        if let Some((scalars, vectors)) = words.split_at_checked(SCALARS)
            && let Some(scalars) = read_scalars(scalars)
        {
            self.set_scalars(scalars);
            self.vectors[..vectors.len()].copy_from_slice(vectors);
        }
    }

    /// Whether the scalars in a stored form are values of their types.
    #[must_use]
    pub fn is_stored_form(words: &[f64]) -> bool {
        words.is_empty() || words.get(..SCALARS).is_some_and(|words| read_scalars(words).is_some())
    }

    /// Spoils what is not stored.
    #[cfg(test)]
    pub fn spoil(&mut self) {
        self.vectors[self.stored - SCALARS..].fill(f64::NAN);
    }

    fn set_scalars(&mut self, scalars: (LastStep, StepSize, Statistics, Choice)) {
        (self.last, self.size, self.work, self.choice) = scalars;
    }
}

fn read_scalars(words: &[f64]) -> Option<(LastStep, StepSize, Statistics, Choice)> {
    let (last, words) = words.split_at_checked(LastStep::LENGTH)?;
    let (size, words) = words.split_at_checked(StepSize::LENGTH)?;
    let (work, choice) = words.split_at_checked(Statistics::LENGTH)?;
    let (last, size) = (LastStep::from_words(last)?, StepSize::from_words(size)?);
    let work = Statistics::from_words(work).filter(|work| work.for_output <= work.evaluations)?;
    Some((last, size, work, Choice::from_words(choice)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_no_values_are_refused() {
        let state = IntegratorState::new(&JacobianPattern::new(&[&[0]]), 1);
        let mut words = vec![0.0; state.stored_length()];
        state.store(&mut words);
        assert!(IntegratorState::is_stored_form(&words));
        let (degree, event, steps) = (3, 4, LastStep::LENGTH + StepSize::LENGTH);
        let for_output = steps + 3;
        for (index, bad) in
            [(degree, 4.0), (event, 0.5), (steps, -1.0), (steps, f64::NAN), (for_output, 1.0)]
        {
            let mut words = words.clone();
            words[index] = bad;
            assert!(!IntegratorState::is_stored_form(&words), "word {index} = {bad}");
        }
        assert!(!IntegratorState::is_stored_form(&words[..SCALARS - 1]));
        assert!(IntegratorState::is_stored_form(&[]), "an instance that does not integrate");
    }
}
