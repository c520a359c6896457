//! The outcome of a simulation.

use std::time::Duration;

use serde::Serialize;

use super::experiment::RunPlan;
use super::record::{RecordedSignal, Recorder};
use super::step_times::StepTimes;
use fmus::csv::TimeSeries;
use fmus::error::Error;
use fmus::fmi::FmuType;

/// The outcome of a simulation.
#[derive(Debug)]
pub struct RunOutcome {
    /// The type of FMU as which it was simulated.
    pub fmu_type: FmuType,
    /// Start, stop and steps.
    pub experiment: RunPlan,
    /// The recorded variables.
    pub signals: Vec<RecordedSignal>,
    /// Their values.
    pub table: TimeSeries,
    /// The work that was done.
    pub statistics: Statistics,
    /// The times of communication steps, if they were wanted.
    pub step_times: Option<StepTimes>,
    /// The statistics of the FMU's own solver.
    pub work: Option<String>,
    /// The values of the variables that were wanted as well, if there are any.
    pub also: Option<Recorder>,
    /// The wanted events, as far as they are known: the events in the FMU's log or, if there are
    /// none, the events handled by this program.
    pub events: Vec<Event>,
    /// The first different warnings of the FMU, with their times if they have one.
    pub warnings: Vec<String>,
    /// Messages about problems of the FMU that did not prevent the simulation.
    pub notes: Vec<String>,
    /// If the model asked to end the simulation before the stop time: the time in s, and its
    /// message.
    pub terminated: Option<(f64, String)>,
    /// The reason if the simulation could not continue; the table ends before that.
    pub failure: Option<Error>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Its time in s.
    pub time: f64,
    /// What changed or caused it.
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
