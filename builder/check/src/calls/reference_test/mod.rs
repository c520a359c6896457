//! The reference test: simulates the experiments of an FMU, and compares with the known results in
//! the FMU.

mod judgement;
mod process;
mod runs;

use fmus::csv::TimeSeries;
use fmus::error::Error;
use fmus::fmu::Fmu;

pub(crate) use process::test;
pub use process::{SUBCOMMAND, report};

/// A simulation whose result is known.
#[derive(Clone, Debug)]
pub struct ReferenceRun {
    /// The name of the experiment; `None` for the default experiment of the FMU.
    pub experiment: Option<String>,
    /// The name of the file with the result.
    pub table: String,
    /// The start time in s; by default that of the FMU.
    pub start: Option<f64>,
    /// The stop time in s; by default that of the FMU.
    pub stop: Option<f64>,
    /// The communication step in s; by default that of the FMU.
    pub step: Option<f64>,
    /// The relative tolerance; `None` leaves it to the FMU.
    pub tolerance: Option<f64>,
    /// The values of parameters, as `name=value`.
    pub set: Vec<String>,
    /// The inputs over time.
    pub inputs: Option<TimeSeries>,
    /// The known result.
    pub reference: TimeSeries,
}

/// How a simulation differs from a known result.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The signals of the known result.
    pub signals: Vec<SignalDeviation>,
    /// What could not be compared, in sentences.
    pub gaps: Vec<String>,
    /// The result of the simulation.
    pub result: TimeSeries,
}

/// The largest deviation of a signal from a known result.
#[derive(Clone, Debug)]
pub struct SignalDeviation {
    /// The name of the signal.
    pub name: String,
    /// The deviation, as a fraction of the range of the signal or, for instants of events, of the
    /// duration of the experiment.
    pub error: f64,
    /// The deviation in words, after the name.
    pub what: String,
}

/// Simulates an FMU, and compares.
pub type Simulate<'s> = dyn FnMut(&Fmu, &ReferenceRun) -> Result<Comparison, Error> + 's;
