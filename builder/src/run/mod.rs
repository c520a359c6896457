//! Simulates an FMU through its C interface, as a host would.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use crate::csv::{Table, number};
use crate::error::{Call, Error};
use crate::fmi::{FmuType, Status};
use crate::fmu::Fmu;
use crate::host::{self, FmuLibrary, Instance};
use crate::model_description::ModelDescription;

mod co_simulation;
mod dormand_prince;
mod experiment;
mod inputs;
mod model_exchange;
mod record;
mod summary;
mod values;

pub use experiment::{Experiment, Overrides};
pub use record::{Scale, Signal};
pub use summary::summary;

use inputs::Inputs;
use record::Recorder;
use values::Assignment;

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// Co-Simulation unless given or unless the FMU is only for the other.
    pub fmu_type: Option<FmuType>,
    /// What is different from the default experiment.
    pub overrides: Overrides,
    /// Start values, `name=value`.
    pub set: &'a [String],
    /// A CSV file with inputs over time.
    pub input: Option<&'a Path>,
    /// What to record; unless given, the outputs, else the states.
    pub variables: Option<&'a [String]>,
    /// The times of the rows in s, the first one included; unless given, those of the experiment.
    pub rows: Option<&'a [f64]>,
    /// Whether the instants of events are wanted.
    pub events: bool,
}

/// What came out.
#[derive(Debug)]
pub struct Outcome {
    /// How it was simulated.
    pub fmu_type: FmuType,
    /// From when to when, in which steps.
    pub experiment: Experiment,
    /// What was recorded.
    pub signals: Vec<Signal>,
    /// Its values.
    pub table: Table,
    /// What it took.
    pub statistics: Statistics,
    /// What the FMU's own solver said about its work.
    pub work: Option<String>,
    /// When there were events (s), if that was wanted and as far as the FMU tells it.
    pub events: Vec<f64>,
    /// What was wrong with the FMU and did not matter, a sentence each.
    pub notes: Vec<String>,
    /// Set if the model asked to stop before the stop time: when (s) and what it said.
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

/// Everything a simulation needs besides the instance.
struct Job<'a> {
    description: &'a ModelDescription,
    experiment: Experiment,
    inputs: Inputs,
    rows: Option<Vec<f64>>,
    recorder: Recorder,
    statistics: Statistics,
    terminated: Option<(f64, String)>,
    progress: &'a mut dyn FnMut(f64),
}

impl Job<'_> {
    fn sample(&mut self, instance: &mut Instance<'_>, time: f64) -> Result<(), Call> {
        self.recorder.sample(instance, time)?;
        (self.progress)(
            (time - self.experiment.start) / (self.experiment.stop - self.experiment.start),
        );
        Ok(())
    }

    /// The grid of communication points with the knots of the inputs in between: time, and whether
    /// to record.
    fn points(&self, with_knots: bool) -> impl Iterator<Item = (f64, bool)> + use<> {
        let experiment = self.experiment;
        let rows = self.rows.clone();
        let inputs = if with_knots { self.inputs.clone() } else { Inputs::default() };
        let steps = rows.as_ref().map_or(experiment.steps, |rows| rows.len().saturating_sub(1));
        (1..=steps).flat_map(move |index| {
            let point = |i: usize| rows.as_ref().map_or_else(|| experiment.point(i), |r| r[i]);
            let (from, to) = (point(index - 1), point(index));
            let knots: Vec<f64> = inputs.knots(from, to).collect();
            knots.into_iter().map(|t| (t, false)).chain([(to, true)])
        })
    }
}

/// Simulates an FMU; `progress` hears how far it is, from 0 to 1.
///
/// # Errors
/// A wish makes no sense, or the FMU cannot be initialized. What fails later is part of the
/// outcome.
pub fn simulate(
    fmu: &Fmu,
    options: &Options<'_>,
    progress: &mut dyn FnMut(f64),
) -> Result<Outcome, Error> {
    let description = &fmu.description;
    let fmu_type = match options.fmu_type {
        Some(fmu_type) => fmu_type,
        None if description.co_simulation.is_some() => FmuType::CoSimulation,
        None => FmuType::ModelExchange,
    };
    let interface = fmu.interface(fmu_type)?;
    let experiment = Experiment::of(description, &options.overrides)?;
    let assignments: Vec<Assignment> =
        options.set.iter().map(|s| Assignment::parse(description, s)).collect::<Result<_, _>>()?;
    let inputs = options.input.map(|path| Inputs::read(path, description)).transpose()?;
    let mut inputs = inputs.unwrap_or_default();
    inputs.snap(&experiment);
    for (index, Assignment { name, .. }) in assignments.iter().enumerate() {
        if inputs.contains(name) {
            return Err(Error::Request(format!("input {name} is given twice")));
        }
        if assignments[..index].iter().any(|earlier| earlier.name == *name) {
            let model = &description.model_name;
            return Err(Error::Request(format!("{model}: {name} is set twice")));
        }
    }
    let recorder = Recorder::new(description, options.variables)?;
    let library = fmu.load(fmu_type)?;
    let mut job = Job {
        description,
        experiment,
        inputs,
        rows: options.rows.map(<[f64]>::to_vec),
        recorder,
        statistics: Statistics::default(),
        terminated: None,
        progress,
    };
    let (mut instance, notes) =
        instantiate(fmu, &library, fmu_type, options.events).map_err(of(fmu))?;
    initialize(&mut instance, &mut job, &assignments, fmu_type).map_err(of(fmu))?;
    if options.events {
        // From now on all messages are kept.
        instance.take_messages();
    }
    let run = match fmu_type {
        FmuType::CoSimulation => co_simulation::run(&mut instance, &mut job, interface),
        FmuType::ModelExchange => model_exchange::run(&mut instance, &mut job, interface),
    };
    let events = if options.events { instants(&instance.take_messages()) } else { Vec::new() };
    let (work, failure) = match run {
        Ok(()) => (terminate(&mut instance, description).map_err(of(fmu))?, None),
        Err(failure) => (None, Some(of(fmu)(failure))),
    };
    let unknown = host::take_unknown_statuses();
    let unknown = unknown.iter().map(ToString::to_string);
    let stateless =
        (fmu_type == FmuType::ModelExchange).then(|| without_states(description)).flatten();
    Ok(Outcome {
        failure,
        notes: notes.into_iter().chain(stateless).chain(unknown).collect(),
        fmu_type,
        experiment,
        signals: job.recorder.signals,
        table: job.recorder.table,
        statistics: job.statistics,
        work,
        events,
        terminated: job.terminated,
    })
}

/// A note where variables are derivatives and none is listed as one of a state: what looks like a
/// state then stands still in Model Exchange.
fn without_states(description: &ModelDescription) -> Option<String> {
    let derivative = description.variables.iter().find(|v| v.derivative.is_some())?;
    let missing = description.derivatives.is_empty();
    missing.then(|| {
        format!("{} is not listed below Derivatives, so there are no states", derivative.name)
    })
}

/// The instants of the messages that begin with one.
fn instants(messages: &[host::Message]) -> Vec<f64> {
    let instant = |text: &str| text.strip_prefix("t=")?.split(' ').next()?.parse().ok();
    let mut instants: Vec<f64> = messages.iter().filter_map(|m| instant(&m.text)).collect();
    instants.dedup();
    instants
}

/// An instance that explains its failures, tells its events if that is wanted, and says nothing
/// else, with a note where it cannot choose what it says: then it says nothing.
fn instantiate<'l>(
    fmu: &Fmu,
    library: &'l FmuLibrary,
    fmu_type: FmuType,
    events: bool,
) -> Result<(Instance<'l>, Option<String>), Call> {
    let description = &fmu.description;
    let (name, guid) = (&description.model_name, &description.guid);
    let new = |logging_on| library.instantiate(name, fmu_type, guid, &fmu.resources(), logging_on);
    let mut instance = new(true)?;
    let wanted = categories(description, events);
    // No categories would mean all of them.
    match instance.set_debug_logging(!wanted.is_empty(), &wanted) {
        Ok(()) => Ok((instance, None)),
        Err(call) => {
            // What failed may only be freed.
            drop(instance);
            Ok((new(false)?, Some(format!("{call}; the run goes on without logging"))))
        }
    }
}

/// The categories of messages that explain failures, and what changes at events if that is wanted.
fn categories(description: &ModelDescription, events: bool) -> Vec<&str> {
    let all = description.log_categories.iter().map(String::as_str);
    all.filter(|name| explains_failures(name) || events && *name == EVENTS).collect()
}

/// The standard's category of messages about events.
const EVENTS: &str = "logEvents";

/// Whether messages of a category explain a failure: the standard's `logStatusError` and its like,
/// and what other exporters call `logError`.
fn explains_failures(category: &str) -> bool {
    let name = category.to_lowercase();
    ["warning", "discard", "error", "fatal"].iter().any(|word| name.contains(word))
}

/// Ends a simulation; what the FMU's own solver then says about its work, if it does.
fn terminate(
    instance: &mut Instance<'_>,
    description: &ModelDescription,
) -> Result<Option<String>, Call> {
    let declared = description.log_categories.iter().any(|c| c == EVENTS);
    if declared && instance.set_debug_logging(true, &[EVENTS]).is_err() {
        // The simulation is over, and what failed may only be freed.
        return Ok(None);
    }
    instance.take_messages();
    instance.terminate()?;
    let messages = instance.take_messages();
    Ok(messages.iter().find_map(|m| m.text.strip_prefix("solver: ").map(str::to_owned)))
}

/// Names the FMU a failed call belongs to.
fn of<F: Into<Failure>>(fmu: &Fmu) -> impl Fn(F) -> Error {
    |failure| Error::Library { path: fmu.path.clone(), reason: failure.into().to_string() }
}

/// Why a simulation ended early.
#[derive(Debug)]
enum Failure {
    /// A function of the FMU failed.
    Call(Call),
    /// The FMU does what it is told, but the simulation gets nowhere: a sentence with the time.
    Stuck(String),
}

impl From<Call> for Failure {
    fn from(call: Call) -> Failure {
        Failure::Call(call)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Call(call) => call.fmt(f),
            Failure::Stuck(sentence) => f.write_str(sentence),
        }
    }
}

/// Brings an instance to the end of its initialization.
fn initialize(
    instance: &mut Instance<'_>,
    job: &mut Job<'_>,
    assignments: &[Assignment],
    fmu_type: FmuType,
) -> Result<(), Call> {
    let e = job.experiment;
    for assignment in assignments {
        assignment.apply(instance)?;
    }
    // An integrator may try times beyond the end, a slave must not.
    let stop = Some(e.stop).filter(|_| fmu_type == FmuType::CoSimulation);
    instance.setup_experiment(e.tolerance, e.start, stop)?;
    instance.enter_initialization_mode()?;
    job.inputs.set_all(instance, e.start)?;
    instance.exit_initialization_mode()
}

/// A call that failed at a time, unless the FMU itself says when.
fn at<F: Into<Failure>>(time: f64) -> impl Fn(F) -> Failure {
    move |failure| {
        let mut failure = failure.into();
        if let Failure::Call(Call { message, .. }) = &mut failure {
            *message = timed(time, message);
        }
        failure
    }
}

/// A message with a time, unless it has one.
fn timed(time: f64, message: &str) -> String {
    if ["t=", "t = ", "at t = ", "at time "].iter().any(|words| message.starts_with(words)) {
        return message.to_owned();
    }
    let separator = if message.is_empty() { "" } else { ": " };
    format!("at t = {} s{separator}{message}", number(time))
}

/// Whether a failed call may succeed with a smaller step.
fn is_discard(call: &Call) -> bool {
    call.status == Status::Discard
}
