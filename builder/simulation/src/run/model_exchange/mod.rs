//! Simulates a Model Exchange FMU: Continuous-Time Mode between events, and Event Mode at each
//! event.

use std::time::Instant;

use super::assignment::Assignment;
use super::experiment::RunPlan;
use super::failure::{RunFailure, at, is_discard};
use super::inputs::{Inputs, Side};
use super::job::Job;
use super::outcome::{Event, Statistics};
use fmus::error::FailedCall;
use fmus::host::{CompletedStep, Instance};
use fmus::model_description::{Interface, ModelDescription};

mod crossing;
mod dormand_prince;
mod event_mode;
mod fmu_equations;
mod integrator;
mod stagnation;

use crossing::{Crossing, Indicators};
use event_mode::{Iterated, iterate};
use fmu_equations::FmuEquations;
use integrator::{Integrator, TrialStep};
use stagnation::Stagnation;

/// The point of a simulation between steps and events.
#[derive(Clone, Copy)]
pub(super) struct SimulationPoint {
    pub(super) time: f64,
    /// The time of the next time event in s; infinite if there is none.
    next_event: f64,
    /// Whether the FMU has asked to end the simulation.
    pub(super) terminated: bool,
}

/// The end of a step, and the reason for it.
struct StepEnd {
    time: f64,
    /// The event indicator that changed there.
    crossing: Option<Crossing>,
    /// Whether the FMU wants to enter Event Mode.
    enter: bool,
    /// Whether it wants to end the simulation.
    terminate: bool,
}

impl StepEnd {
    fn is_event(&self) -> bool {
        self.crossing.is_some() || self.enter
    }
}

/// The statistics of a simulation so far.
#[derive(Default)]
struct Counts {
    steps: usize,
    rejected: usize,
    state_events: usize,
    time_events: usize,
    input_events: usize,
}

/// An instance that is simulated. Each phase receives the point of the simulation and returns the
/// next one.
pub(super) struct ModelExchangeSimulation<'a, 'l, 'd> {
    description: &'d ModelDescription,
    equations: FmuEquations<'a, 'l>,
    integrator: Integrator,
    indicators: Indicators,
    stagnation: Stagnation,
    /// Whether `fmi2CompletedIntegratorStep` is called after every accepted step.
    needs_completed: bool,
    counts: Counts,
    /// The events since they were last taken.
    events: Vec<Event>,
}

/// Runs an initialized instance from start to stop.
pub(super) fn run(
    instance: &mut Instance<'_>,
    job: &mut Job<'_>,
    interface: &Interface,
) -> Result<(), RunFailure> {
    let start = job.experiment.start;
    let (experiment, inputs) = (&job.experiment, job.inputs.clone());
    let mut simulation =
        ModelExchangeSimulation::new(instance, (job.description, interface), experiment, inputs);
    let mut now = simulation.first_event(start).map_err(at(start))?;
    job.sample(simulation.equations.instance, start)?;
    for (point, record) in job.points(true) {
        let begin = Instant::now();
        now = simulation.advance_to(point, now)?;
        job.statistics.elapsed += begin.elapsed();
        if !now.terminated && job.inputs.has_event(point) {
            simulation.counts.input_events += 1;
            simulation.note(point, "jump of an input");
            now = simulation.event(now).map_err(at(point))?;
        }
        let events = simulation.take_events();
        if let Some(all) = &mut job.events {
            all.extend(events);
        }
        if record || now.terminated {
            job.sample(simulation.equations.instance, now.time).map_err(at(point))?;
        }
        if now.terminated {
            job.terminated = Some((now.time, String::new()));
            break;
        }
    }
    let Counts { steps, rejected, state_events, time_events, input_events } = simulation.counts;
    job.statistics = Statistics {
        steps,
        rejected,
        evaluations: simulation.equations.evaluations,
        state_events: Some(state_events),
        time_events: Some(time_events),
        input_events: Some(input_events),
        elapsed: job.statistics.elapsed,
    };
    Ok(())
}

impl<'a, 'l, 'd> ModelExchangeSimulation<'a, 'l, 'd> {
    /// A simulation of an initialized instance, with its description and interface.
    pub(super) fn new(
        instance: &'a mut Instance<'l>,
        (description, interface): (&'d ModelDescription, &Interface),
        experiment: &RunPlan,
        inputs: Inputs,
    ) -> Self {
        ModelExchangeSimulation {
            description,
            equations: FmuEquations::new(instance, inputs),
            integrator: Integrator::new(description.states().len(), experiment),
            indicators: Indicators::new(description),
            stagnation: Stagnation::new(experiment),
            needs_completed: !interface.flag("completedIntegratorStepNotNeeded"),
            counts: Counts::default(),
            events: Vec::new(),
        }
    }

    /// The instance.
    pub(super) fn instance(&mut self) -> &mut Instance<'l> {
        self.equations.instance
    }

    /// The events since they were last taken.
    pub(super) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Completes the Event Mode after initialization, and chooses the first step.
    pub(super) fn first_event(&mut self, start: f64) -> Result<SimulationPoint, RunFailure> {
        let iterated = iterate(self.equations.instance, start)?;
        // States and nominal values are not known yet.
        let all = |i| Iterated { values_changed: true, nominals_changed: true, ..i };
        let now = SimulationPoint { time: start, next_event: f64::INFINITY, terminated: false };
        let now = self.leave_event_mode(now, iterated.map(all))?;
        self.integrator.choose_first_length();
        Ok(now)
    }

    /// Simulates until an output point, including all events before it and at it.
    pub(super) fn advance_to(
        &mut self,
        point: f64,
        mut now: SimulationPoint,
    ) -> Result<SimulationPoint, RunFailure> {
        self.stagnation.begin_interval();
        while !now.terminated && now.time < point {
            let end = point.min(now.next_event);
            if now.time < end {
                let step_end = self.step(now.time, end).map_err(at(now.time))?;
                now =
                    SimulationPoint { time: step_end.time, terminated: step_end.terminate, ..now };
                if step_end.is_event() {
                    now = self.event(now).map_err(at(now.time))?;
                    continue;
                }
            }
            if now.time >= now.next_event && !now.terminated {
                self.counts.time_events += 1;
                self.note(now.time, "time event");
                now = self.event(now).map_err(at(now.time))?;
            }
        }
        Ok(now)
    }

    pub(super) fn note(&mut self, time: f64, cause: &str) {
        self.events.push(Event { time, cause: cause.to_owned() });
    }

    /// Continuous-Time Mode: one step that ends at `end` at the latest.
    fn step(&mut self, time: f64, end: f64) -> Result<StepEnd, RunFailure> {
        self.equations.side = Side::Before;
        loop {
            let trial = self.integrator.next_trial(time, end);
            if let Some(reason) = self.stagnation.attempt(&trial) {
                return Err(self.stuck(time, &reason));
            }
            let (error, step_end) = match self.attempt(time, &trial) {
                Ok(attempt) => attempt,
                Err(call) if is_discard(&call) && !trial.is_shortest() => {
                    if let Some(reason) = self.stagnation.discard(time, call, &trial) {
                        return Err(self.stuck(time, &reason));
                    }
                    (f64::INFINITY, None)
                }
                Err(call) => return Err(call.into()),
            };
            let Some(step_end) = step_end else {
                self.counts.rejected += 1;
                self.integrator.reject(&trial, error);
                continue;
            };
            self.integrator.accept(&trial, error);
            self.counts.steps += 1;
            if let Some(crossing) = &step_end.crossing {
                self.counts.state_events += 1;
                let (number, of) = (crossing.indicator + 1, crossing.indicators);
                self.events.push(Event {
                    time: crossing.time,
                    cause: format!("event indicator {number} of {of}"),
                });
                let instance = &mut *self.equations.instance;
                self.stagnation.state_event(crossing, instance, self.description)?;
            }
            return Ok(step_end);
        }
    }

    /// Tries a step; returns its error as a multiple of the allowed one, and its end unless the
    /// error is too large.
    fn attempt(
        &mut self,
        time: f64,
        trial: &TrialStep,
    ) -> Result<(f64, Option<StepEnd>), FailedCall> {
        let error = self.integrator.attempt(&mut self.equations, time, trial)?;
        let step_end = if error > 1.0 { None } else { Some(self.complete(time, trial)?) };
        Ok((error, step_end))
    }

    /// Completes the step that was made, or the part of it up to the first event.
    fn complete(&mut self, time: f64, trial: &TrialStep) -> Result<StepEnd, FailedCall> {
        let step = &mut self.integrator.step;
        let crossing = self.indicators.first_crossing(&mut self.equations, step, time, trial)?;
        if let Some(crossing) = &crossing {
            step.cut(crossing.part);
        }
        let time = crossing.as_ref().map_or(trial.target, |crossing| crossing.time);
        self.equations.set(time, &step.next)?;
        let completed = match self.needs_completed {
            true => self.equations.instance.completed_integrator_step()?,
            false => CompletedStep::default(),
        };
        let CompletedStep { enter_event_mode: enter, terminate } = completed;
        Ok(StepEnd { time, crossing, enter, terminate })
    }

    /// The reason why the simulation cannot continue from here.
    fn stuck(&self, time: f64, reason: &str) -> RunFailure {
        let fastest = || self.integrator.fastest(self.description);
        self.stagnation.failure(time, reason, fastest)
    }

    /// Enters Event Mode, brings the inputs up to date, and iterates.
    fn event(&mut self, now: SimulationPoint) -> Result<SimulationPoint, RunFailure> {
        self.event_with(now, &[])
    }

    /// An event at which, besides the inputs, some variables get values.
    pub(super) fn event_with(
        &mut self,
        now: SimulationPoint,
        assignments: &[Assignment],
    ) -> Result<SimulationPoint, RunFailure> {
        self.equations.instance.enter_event_mode()?;
        self.equations.inputs.set_all(self.equations.instance, now.time)?;
        assignments.iter().try_for_each(|a| a.apply(self.equations.instance))?;
        let iterated = iterate(self.equations.instance, now.time)?;
        self.leave_event_mode(now, iterated)
    }

    /// Enters Continuous-Time Mode with the values changed by Event Mode, unless the FMU wants to
    /// end the simulation.
    fn leave_event_mode(
        &mut self,
        now: SimulationPoint,
        iterated: Option<Iterated>,
    ) -> Result<SimulationPoint, RunFailure> {
        let Some(iterated) = iterated else {
            return Ok(SimulationPoint { terminated: true, ..now });
        };
        let instance = &mut *self.equations.instance;
        instance.enter_continuous_time_mode()?;
        self.integrator.update(instance, &iterated)?;
        self.indicators.update(instance)?;
        self.equations.side = Side::After;
        self.integrator.step.begin(&mut self.equations, now.time)?;
        Ok(SimulationPoint { next_event: iterated.next_event, ..now })
    }
}
