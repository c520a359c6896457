//! The outcome of a simulation.

use std::time::Duration;

use super::experiment::Experiment;
use super::record::RecordedSignal;
use crate::csv::Table;
use crate::error::Error;
use crate::fmi::FmuType;

/// What came out.
#[derive(Debug)]
pub struct RunOutcome {
    /// How it was simulated.
    pub fmu_type: FmuType,
    /// From when to when, in which steps.
    pub experiment: Experiment,
    /// What was recorded.
    pub signals: Vec<RecordedSignal>,
    /// Its values.
    pub table: Table,
    /// What it took.
    pub statistics: Statistics,
    /// The statistics of the FMU's own solver.
    pub work: Option<String>,
    /// When there were events (s), if that was wanted and as far as the FMU logs them.
    pub events: Vec<f64>,
    /// What was wrong with the FMU and did not matter, a sentence each.
    pub notes: Vec<String>,
    /// Set if the model asked to stop before the stop time: when (s), and its message.
    pub terminated: Option<(f64, String)>,
    /// Why the simulation could not go on, if it could not; the table ends before that.
    pub failure: Option<Error>,
}

/// What a simulation took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Communication steps, or accepted steps of the integrator.
    pub steps: usize,
    /// Steps that the integrator had to repeat.
    pub rejected: usize,
    /// Evaluations of the derivatives by the integrator.
    pub evaluations: usize,
    /// State events, where the host handles them.
    pub state_events: Option<usize>,
    /// Time events, where the host handles them.
    pub time_events: Option<usize>,
    /// Jumps of inputs, where the host makes an event of them.
    pub input_events: Option<usize>,
    /// Time spent in `fmi2DoStep`, or by the integrator; recording does not count.
    pub elapsed: Duration,
}
