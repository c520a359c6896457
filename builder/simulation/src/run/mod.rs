//! Simulates an FMU through its C interface, as an importer does.

use std::path::Path;

use fmus::error::{Error, FailedCall};
use fmus::fmi::FmuType;
use fmus::fmu::Fmu;
use fmus::host::{self, Instance, MAX_MESSAGES};
use fmus::model_description::ModelDescription;

mod assignment;
mod co_simulation;
mod experiment;
mod failure;
mod inputs;
mod job;
mod live;
mod logging;
mod model_exchange;
mod outcome;
mod record;
mod step_times;
mod summary;

pub use assignment::{Assignment, check_assignment, is_settable, is_tunable, lookup};
pub use experiment::{Overrides, RunPlan};
pub use live::{Advance, Chunk, live};
pub use outcome::{Event, RunOutcome, Statistics};
pub use record::{RecordedSignal, Recorder, Scale, default_names};
pub use step_times::StepTimes;
pub use summary::duration;
pub use summary::summary;

use failure::RunFailure;
pub(crate) use failure::{reason, timed, with_time};
use inputs::Inputs;
use job::Job;
pub(crate) use logging::{instantiate, logged_events, terminate};

/// The options of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// The type; by default Co-Simulation, unless the FMU is for Model Exchange only.
    pub fmu_type: Option<FmuType>,
    /// Changes of the default experiment.
    pub overrides: Overrides,
    /// Start values, `name=value`.
    pub set: &'a [String],
    /// A CSV file with inputs over time.
    pub input: Option<&'a Path>,
    /// The variables to record; by default the outputs, or else the states.
    pub variables: Option<&'a [String]>,
    /// Variables that are recorded as well, into a table of their own.
    pub also: Option<&'a [String]>,
    /// The times of all rows in s, including the first one; by default those of the experiment.
    pub rows: Option<&'a [f64]>,
    /// Whether the events are wanted.
    pub events: bool,
    /// Whether the time that each communication step takes is wanted.
    pub step_times: bool,
}

impl Options<'_> {
    /// The type as which an FMU is simulated.
    fn fmu_type_of(&self, description: &ModelDescription) -> FmuType {
        match self.fmu_type {
            Some(fmu_type) => fmu_type,
            None if description.co_simulation.is_some() => FmuType::CoSimulation,
            None => FmuType::ModelExchange,
        }
    }
}

/// Simulates an FMU; `progress` receives its progress from 0 to 1.
///
/// # Errors
/// If an option is not possible, or the FMU cannot be initialized. A later failure is part of the
/// outcome.
pub fn simulate(
    fmu: &Fmu,
    options: &Options<'_>,
    progress: &mut dyn FnMut(f64),
) -> Result<RunOutcome, Error> {
    let description = &fmu.description;
    let fmu_type = options.fmu_type_of(description);
    if options.step_times && fmu_type == FmuType::ModelExchange {
        let model = &description.model_name;
        let reason = "steps in real time are those of fmi2DoStep, which Model Exchange has not";
        return Err(Error::Request(format!("{model}: {reason}")));
    }
    let interface = fmu.interface(fmu_type)?;
    let experiment = RunPlan::of(description, &options.overrides)?;
    let inputs = options.input.map(|path| Inputs::read(path, description)).transpose()?;
    let mut inputs = inputs.unwrap_or_default();
    inputs.snap(&experiment);
    let assignments = assignments(description, options.set, &inputs)?;
    let recorder = Recorder::new(description, options.variables)?;
    let also = options.also.map(|names| Recorder::new(description, Some(names))).transpose()?;
    let library = fmu.load(fmu_type)?;
    let mut job = Job {
        description,
        experiment,
        inputs,
        rows: options.rows.map(<[f64]>::to_vec),
        recorder,
        also,
        events: options.events.then(Vec::new),
        statistics: Statistics::default(),
        step_times: options.step_times.then(StepTimes::default),
        terminated: None,
        progress,
    };
    let (mut instance, notes) =
        instantiate(fmu, &library, (&description.model_name, fmu_type), options.events)
            .map_err(of(fmu))?;
    // In Model Exchange no stop time is given, because the integrator may try times after it.
    let stop = Some(job.experiment.stop).filter(|_| fmu_type == FmuType::CoSimulation);
    initialize(&mut instance, &job.experiment, stop, &assignments, &job.inputs).map_err(of(fmu))?;
    if options.events {
        // From here on all messages are stored.
        instance.take_messages();
    }
    let run = match fmu_type {
        FmuType::CoSimulation => co_simulation::run(&mut instance, &mut job, interface),
        FmuType::ModelExchange => model_exchange::run(&mut instance, &mut job, interface),
    };
    let handled = job.events.take();
    let messages = handled.as_ref().map(|_| instance.take_messages()).unwrap_or_default();
    let is_cut = messages.len() >= MAX_MESSAGES;
    let cut = is_cut
        .then(|| format!("the log ends with its message {MAX_MESSAGES}: later events are missing"));
    let events = handled.map_or_else(Vec::new, |handled| {
        Some(logged_events(&messages)).filter(|l| !l.is_empty()).unwrap_or(handled)
    });
    let warnings = instance.take_warnings();
    let warnings = warnings.iter().map(|text| failure::with_time(text.trim())).collect();
    let (work, failure) = match run {
        Ok(()) => (terminate(&mut instance, description).map_err(of(fmu))?, None),
        Err(failure) => (None, Some(of(fmu)(failure))),
    };
    let unknown = host::take_unknown_statuses();
    let unknown = unknown.iter().map(ToString::to_string);
    let stateless =
        (fmu_type == FmuType::ModelExchange).then(|| without_states(description)).flatten();
    Ok(RunOutcome {
        failure,
        notes: notes.into_iter().chain(stateless).chain(cut).chain(unknown).collect(),
        fmu_type,
        experiment,
        signals: job.recorder.signals,
        table: job.recorder.table,
        also: job.also,
        statistics: job.statistics,
        step_times: job.step_times,
        work,
        events,
        warnings,
        terminated: job.terminated,
    })
}

/// The type as which an FMU would be simulated.
///
/// # Errors
/// If the FMU does not have the type, or a start value or a variable is not possible.
pub fn check_options(fmu: &Fmu, options: &Options<'_>) -> Result<FmuType, Error> {
    let fmu_type = options.fmu_type_of(&fmu.description);
    fmu.interface(fmu_type)?;
    assignments(&fmu.description, options.set, &Inputs::default())?;
    Recorder::new(&fmu.description, options.variables)?;
    Ok(fmu_type)
}

/// The start values that the user gives, at most one for each variable.
fn assignments(
    description: &ModelDescription,
    set: &[String],
    inputs: &Inputs,
) -> Result<Vec<Assignment>, Error> {
    let assignments: Vec<Assignment> =
        set.iter().map(|text| Assignment::parse(description, text)).collect::<Result<_, _>>()?;
    for (index, Assignment { name, .. }) in assignments.iter().enumerate() {
        if inputs.contains(name) {
            return Err(Error::Request(format!("input {name} is given twice")));
        }
        if assignments[..index].iter().any(|earlier| earlier.name == *name) {
            let model = &description.model_name;
            return Err(Error::Request(format!("{model}: {name} is set twice")));
        }
    }
    Ok(assignments)
}

/// A note if there are derivatives, but none is listed as the derivative of a state: the variables
/// that seem to be states are then constant in Model Exchange.
fn without_states(description: &ModelDescription) -> Option<String> {
    let derivative = description.variables.iter().find(|v| v.derivative.is_some())?;
    let missing = description.derivatives.is_empty();
    missing.then(|| {
        format!("{} is not listed below Derivatives, so there are no states", derivative.name)
    })
}

/// Adds the FMU to the error of a failed call; paths in the FMU begin in its root.
fn of<F: Into<RunFailure>>(fmu: &Fmu) -> impl Fn(F) -> Error {
    |failure| {
        let folder = format!("{}/", fmu.folder().display());
        let reason = failure.into().to_string().replace(&folder, "");
        Error::Library { path: fmu.path.clone(), reason }
    }
}

/// Initializes an instance; the FMU knows a stop time in s only if one is given.
fn initialize(
    instance: &mut Instance<'_>,
    experiment: &RunPlan,
    stop: Option<f64>,
    assignments: &[Assignment],
    inputs: &Inputs,
) -> Result<(), RunFailure> {
    let mut initialized = || {
        for assignment in assignments {
            assignment.apply(instance)?;
        }
        instance.setup_experiment(experiment.tolerance, experiment.start, stop)?;
        instance.enter_initialization_mode()?;
        inputs.set_all(instance, experiment.start)?;
        instance.exit_initialization_mode()
    };
    initialized()
        .map_err(|call: FailedCall| RunFailure(failure::with_time(&failure::reason(&call))))
}
