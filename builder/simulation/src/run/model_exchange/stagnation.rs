//! Detects that a simulation makes no progress, and explains why.

use super::crossing::Crossing;
use super::integrator::TrialStep;
use crate::run::experiment::RunPlan;
use crate::run::failure::{self, RunFailure, timed};
use crate::run::logging::{EVENTS, categories};
use fmus::csv::number;
use fmus::error::FailedCall;
use fmus::host::Instance;
use fmus::model_description::ModelDescription;

/// Maximum number of attempted steps between two output points.
const MAX_ATTEMPTS: usize = 1_000_000;

/// If this many discarded steps, or state events, follow each other within almost no time, the
/// solution ends there. An example is the motion of a mechanism to a dead point.
const MAX_REPETITIONS: usize = 200;

/// The fraction of an output step that counts as almost no time.
const ALMOST_NONE: f64 = 1e-4;

/// The number of the repeated state events that the FMU is asked to name.
const NAMED: usize = 4;

/// Discarded steps, or state events, that follow each other.
struct Repetitions {
    count: usize,
    /// The time of the first of them in s.
    since: f64,
}

impl Repetitions {
    /// Counts one more repetition. After [`MAX_REPETITIONS`], returns the time that all took
    /// together, if this time is less than `almost_none`.
    fn add(&mut self, time: f64, almost_none: f64) -> Option<f64> {
        self.count += 1;
        if self.count < MAX_REPETITIONS {
            return None;
        }
        let span = time - self.since;
        if span < almost_none {
            return Some(span);
        }
        *self = Repetitions { count: 0, since: time };
        None
    }
}

/// Counters of steps and events, which must not be too many within almost no time.
pub(super) struct Stagnation {
    /// The time in s that counts as almost none.
    almost_none: f64,
    /// Steps attempted since the last output point.
    attempts: usize,
    /// The last step since then that the FMU discarded.
    discarded: Option<FailedCall>,
    discards: Repetitions,
    state_events: Repetitions,
    /// Whether the FMU logs what changes at events.
    names_events: bool,
}

impl Stagnation {
    pub(super) fn new(experiment: &RunPlan) -> Stagnation {
        let none = || Repetitions { count: 0, since: experiment.start };
        Stagnation {
            almost_none: ALMOST_NONE * experiment.step,
            attempts: 0,
            discarded: None,
            discards: none(),
            state_events: none(),
            names_events: false,
        }
    }

    /// Resets the counters at an output point.
    pub(super) fn begin_interval(&mut self) {
        (self.attempts, self.discarded) = (0, None);
    }

    /// Counts an attempted step; returns a message if the simulation makes no progress.
    pub(super) fn attempt(&mut self, trial: &TrialStep) -> Option<String> {
        self.attempts += 1;
        let length = trial.length;
        if self.attempts > MAX_ATTEMPTS {
            let steps = format!("{MAX_ATTEMPTS} steps do not reach the next output point");
            return Some(format!("{steps}; the last one is {length:.1e} s long"));
        }
        trial.is_too_short().then(|| too_long(length))
    }

    /// Counts a discarded step; returns a message if the simulation makes no progress.
    pub(super) fn discard(
        &mut self,
        time: f64,
        call: FailedCall,
        trial: &TrialStep,
    ) -> Option<String> {
        self.discarded = Some(call);
        self.discards.add(time, self.almost_none).map(|_| too_long(trial.length))
    }

    /// Counts a state event.
    ///
    /// # Errors
    /// If too many events follow each other within almost no time. The FMU is asked to name the
    /// last ones.
    pub(super) fn state_event(
        &mut self,
        crossing: &Crossing,
        instance: &mut Instance<'_>,
        description: &ModelDescription,
    ) -> Result<(), RunFailure> {
        let time = crossing.time;
        let Some(span) = self.state_events.add(time, self.almost_none) else { return Ok(()) };
        let wanted = categories(description, true);
        let asks = wanted.contains(&EVENTS) && !self.names_events;
        if asks && instance.set_debug_logging(true, &wanted).is_ok() {
            // The messages about the next events name them.
            instance.take_messages();
            self.names_events = true;
            self.state_events.count -= NAMED;
            return Ok(());
        }
        let messages = instance.take_messages();
        let named = messages.iter().rev().find_map(|m| m.text.strip_prefix("t=")?.split_once(' '));
        let name = named.map_or(String::new(), |(_, change)| format!(" ({change})"));
        Err(RunFailure(format!(
            "at t = {} s: {MAX_REPETITIONS} state events follow each other within {span:.1e} s, the last one \
             of event indicator {} of {}{name}",
            number(time),
            crossing.indicator + 1,
            crossing.indicators,
        )))
    }

    /// The reason why the simulation cannot continue from a time. After a discarded step, the text
    /// begins with the step's message; otherwise the text ends with the state that changes fastest.
    pub(super) fn failure(
        &self,
        time: f64,
        reason: &str,
        fastest: impl FnOnce() -> String,
    ) -> RunFailure {
        RunFailure(match &self.discarded {
            Some(call) => timed(time, &format!("{}; {reason}", failure::reason(call))),
            None => timed(time, &format!("{reason}{}", fastest())),
        })
    }
}

fn too_long(length: f64) -> String {
    format!("even a step of {length:.1e} s is too long")
}
