//! A simulation that advances on demand, while inputs and tunable parameters change.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::assignment::Assignment;
use super::co_simulation::do_step;
use super::failure::{RunFailure, at};
use super::inputs::Inputs;
use super::logging::{instantiate, logged_events};
use super::model_exchange::{ModelExchangeSimulation, SimulationPoint};
use super::{Event, Options, Recorder, RunPlan, assignments, initialize, of};
use fmus::csv::number;
use fmus::error::Error;
use fmus::fmi::FmuType;
use fmus::fmu::Fmu;
use fmus::host::Instance;

/// Maximum number of rows in a chunk.
const MOST_ROWS: usize = 1000;

/// A chunk with this number of values has no further rows, so that a chunk of a large model is not
/// large too.
const MOST_VALUES: usize = 1_000_000;

/// A chunk ends early after this time, so that its rows are seen while a slow FMU computes.
const LONGEST: Duration = Duration::from_millis(200);

/// What is asked from a simulation.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Advance {
    /// The time in s up to which to simulate: the communication point there, or the first one after
    /// it.
    pub until: f64,
    /// Inputs and tunable parameters that get values before, `name=value`.
    pub set: Vec<String>,
}

/// The rows that a simulation has made since the last chunk. They may end before the time that was
/// asked for, if the way to it is long.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Chunk {
    /// The times of the rows in s; a time has two rows if variables were set there.
    pub time: Vec<f64>,
    /// The values of the recorded variables; NaN for those that the FMU does not give.
    pub rows: Vec<Vec<f64>>,
    /// The events as far as they are known.
    pub events: Vec<Event>,
    /// A sentence if the model has ended the simulation.
    pub ended: Option<String>,
    /// A sentence if the simulation has failed.
    pub failure: Option<String>,
}

/// Simulates an FMU. `next` receives a chunk, first the row at the start, and returns what is asked
/// next; the simulation is over if it returns `None`, and after a chunk with a failure.
///
/// The FMU knows no stop time, so that the simulation may go on after that of the experiment.
///
/// # Errors
/// If an option is not possible, or the FMU cannot be initialized.
pub fn live(
    fmu: &Fmu,
    options: &Options<'_>,
    next: &mut dyn FnMut(Chunk) -> Option<Advance>,
) -> Result<(), Error> {
    let description = &fmu.description;
    let fmu_type = options.fmu_type_of(description);
    let interface = fmu.interface(fmu_type)?;
    let experiment = RunPlan::of(description, &options.overrides)?;
    let inputs = Inputs::default();
    let assignments = assignments(description, options.set, &inputs)?;
    let mut recorder = Recorder::new(description, options.variables)?;
    let library = fmu.load(fmu_type)?;
    let (mut instance, _) =
        instantiate(fmu, &library, (&fmu.description.model_name, fmu_type), true)
            .map_err(of(fmu))?;
    initialize(&mut instance, &experiment, None, &assignments, &inputs).map_err(of(fmu))?;
    // From here on all messages are stored.
    instance.take_messages();
    let mut steps = match fmu_type {
        FmuType::CoSimulation => Steps::CoSimulation {
            any_step: interface.flag("canHandleVariableCommunicationStepSize"),
            instance: &mut instance,
        },
        FmuType::ModelExchange => {
            let parts = (description, interface);
            let mut simulation =
                ModelExchangeSimulation::new(&mut instance, parts, &experiment, inputs);
            let start = experiment.start;
            let now = simulation.first_event(start).map_err(at(start)).map_err(of(fmu))?;
            Steps::ModelExchange { simulation: Box::new(simulation), now }
        }
    };
    let time = experiment.start;
    let names = recorder.table.names.clone();
    recorder.sample_readable(steps.instance(), time).map_err(of(fmu))?;
    // Those that are given are in the same order.
    let mut given = recorder.table.names.iter().enumerate().peekable();
    let mut column = |name| given.next_if(|(_, other)| *other == name).map(|(index, _)| index);
    let columns = names.iter().map(&mut column).collect();
    let mut run =
        LiveRun { fmu, experiment, steps, recorder, columns, index: 0, time, ended: None };
    let mut failure = None;
    loop {
        let is_over = failure.is_some();
        let Some(advance) = next(run.chunk(failure)).filter(|_| !is_over) else { return Ok(()) };
        failure = run.advance(&advance).err().map(|failure| of(fmu)(failure).to_string());
    }
}

/// An instance that makes steps.
enum Steps<'a, 'l, 'd> {
    CoSimulation {
        instance: &'a mut Instance<'l>,
        /// Whether it makes steps of any length.
        any_step: bool,
    },
    ModelExchange {
        simulation: Box<ModelExchangeSimulation<'a, 'l, 'd>>,
        now: SimulationPoint,
    },
}

impl<'l> Steps<'_, 'l, '_> {
    fn instance(&mut self) -> &mut Instance<'l> {
        match self {
            Steps::CoSimulation { instance, .. } => instance,
            Steps::ModelExchange { simulation, .. } => simulation.instance(),
        }
    }

    /// Gives values to variables at a time in s.
    fn set(&mut self, time: f64, assignments: &[Assignment]) -> Result<(), RunFailure> {
        match self {
            Steps::CoSimulation { instance, .. } => {
                assignments.iter().try_for_each(|a| a.apply(instance)).map_err(at(time))
            }
            Steps::ModelExchange { simulation, now } => {
                *now = simulation.event_with(*now, assignments).map_err(at(time))?;
                Ok(())
            }
        }
    }

    /// Makes the communication step of a length between two times in s. If the model ends the
    /// simulation: the time, and its message.
    fn step(
        &mut self,
        (from, to): (f64, f64),
        length: f64,
    ) -> Result<Option<(f64, String)>, RunFailure> {
        match self {
            Steps::CoSimulation { instance, any_step } => {
                do_step(instance, from, if *any_step { to - from } else { length })
            }
            Steps::ModelExchange { simulation, now } => {
                *now = simulation.advance_to(to, *now)?;
                Ok(now.terminated.then(|| (now.time, String::new())))
            }
        }
    }

    /// The events since the last call: the events in the FMU's log or, if there are none, the
    /// events handled by this program.
    fn take_events(&mut self) -> Vec<Event> {
        let logged = logged_events(&self.instance().take_messages());
        let handled = match self {
            Steps::CoSimulation { .. } => Vec::new(),
            Steps::ModelExchange { simulation, .. } => simulation.take_events(),
        };
        if logged.is_empty() { handled } else { logged }
    }
}

struct LiveRun<'a, 'l, 'd> {
    fmu: &'d Fmu,
    experiment: RunPlan,
    steps: Steps<'a, 'l, 'd>,
    recorder: Recorder,
    /// Where the recorder has each variable; `None` if the FMU does not give it.
    columns: Vec<Option<usize>>,
    /// The number of communication steps so far.
    index: usize,
    /// The time reached, in s.
    time: f64,
    /// The sentence if the model has ended the simulation.
    ended: Option<String>,
}

impl LiveRun<'_, '_, '_> {
    /// The rows since the last chunk.
    fn chunk(&mut self, failure: Option<String>) -> Chunk {
        let table = &mut self.recorder.table;
        let rows = std::mem::take(&mut table.rows).into_iter();
        let value = |row: &[f64], column: Option<usize>| column.map_or(f64::NAN, |i| row[i]);
        let all = |row: Vec<f64>| self.columns.iter().map(|column| value(&row, *column)).collect();
        Chunk {
            time: std::mem::take(&mut table.time),
            rows: rows.map(all).collect(),
            events: self.steps.take_events(),
            ended: self.ended.clone(),
            failure,
        }
    }

    fn advance(&mut self, asked: &Advance) -> Result<(), RunFailure> {
        let parse = |text: &String| Assignment::parse_live(&self.fmu.description, text);
        let assignments: Vec<Assignment> = asked
            .set
            .iter()
            .map(parse)
            .collect::<Result<_, _>>()
            .map_err(|error| RunFailure(error.to_string()))?;
        if self.ended.is_some() {
            return Ok(());
        }
        if !assignments.is_empty() {
            self.steps.set(self.time, &assignments)?;
            self.sample()?;
        }
        let begin = Instant::now();
        let most_rows = MOST_ROWS.min(MOST_VALUES.div_ceil(self.columns.len().max(1)));
        let is_short = |rows: usize| rows < most_rows && begin.elapsed() < LONGEST;
        while self.ended.is_none()
            && self.time < asked.until
            && is_short(self.recorder.table.time.len())
        {
            let next = self.experiment.point_beyond(self.index + 1);
            let terminated = self.steps.step((self.time, next), self.experiment.step)?;
            self.index += 1;
            self.time = next;
            if let Some((end, message)) = terminated {
                self.time = end;
                let message =
                    if message.is_empty() { String::new() } else { format!(": {message}") };
                self.ended = Some(format!("the model stopped at {} s{message}", number(end)));
            }
            self.sample()?;
        }
        Ok(())
    }

    /// Records a row.
    fn sample(&mut self) -> Result<(), RunFailure> {
        self.recorder.sample(self.steps.instance(), self.time).map_err(at(self.time))
    }
}
