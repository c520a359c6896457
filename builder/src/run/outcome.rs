//! The outcome of a simulation.

use std::time::Duration;

use super::experiment::Experiment;
use super::record::RecordedSignal;
use super::step_times::StepTimes;
use crate::csv::Table;
use crate::error::Error;
use crate::fmi::FmuType;

/// The outcome of a simulation.
#[derive(Debug)]
pub struct RunOutcome {
    /// The type of FMU as which it was simulated.
    pub fmu_type: FmuType,
    /// Start, stop and steps.
    pub experiment: Experiment,
    /// The recorded variables.
    pub signals: Vec<RecordedSignal>,
    /// Their values.
    pub table: Table,
    /// The work that was done.
    pub statistics: Statistics,
    /// The times of communication steps, if they were wanted.
    pub step_times: Option<StepTimes>,
    /// The statistics of the FMU's own solver.
    pub work: Option<String>,
    /// The events in the order of time, if they were wanted and as far as the FMU logs them; an
    /// event has one entry for each variable or relation that changes.
    pub events: Vec<LoggedEvent>,
    /// Messages about problems of the FMU that did not prevent the simulation.
    pub notes: Vec<String>,
    /// If the model asked to end the simulation before the stop time: the time in s, and its
    /// message.
    pub terminated: Option<(f64, String)>,
    /// The reason if the simulation could not continue; the table ends before that.
    pub failure: Option<Error>,
}

impl RunOutcome {
    /// The times of events in s, each once.
    pub fn instants(&self) -> Vec<f64> {
        let mut instants: Vec<f64> = self.events.iter().map(|event| event.time).collect();
        instants.dedup();
        instants
    }

    /// Forgets all recorded variables but the first ones.
    pub fn keep(&mut self, count: usize) {
        self.signals.truncate(count);
        self.table.names.truncate(count);
        self.table.rows.iter_mut().for_each(|row| row.truncate(count));
    }
}

/// A change at an event.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedEvent {
    /// Time in s.
    pub time: f64,
    /// What changes, in the words of the FMU.
    pub cause: String,
}

/// Statistics of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Communication steps, or accepted steps of the integrator.
    pub steps: usize,
    /// Steps that the integrator had to repeat.
    pub rejected: usize,
    /// Evaluations of the derivatives by the integrator.
    pub evaluations: usize,
    /// State events, if this program handles them.
    pub state_events: Option<usize>,
    /// Time events, if this program handles them.
    pub time_events: Option<usize>,
    /// Jumps of inputs, if this program makes events of them.
    pub input_events: Option<usize>,
    /// Time spent in `fmi2DoStep`, or by the integrator; recording does not count.
    pub elapsed: Duration,
}
