//! Simulates a Model Exchange FMU: integrates, locates events, iterates them.

use std::time::Instant;

use crate::csv::number;
use crate::error::Call;
use crate::host::Instance;
use crate::model_description::{Interface, ModelDescription};
use crate::run::EVENTS;
use crate::run::dormand_prince::{Equations, Step};
use crate::run::inputs::{Inputs, Side};
use crate::run::{Failure, Job, at, categories, is_discard, timed};
use crate::wording;

/// More iterations at one instant mean that the model never comes to rest.
const MOST_ITERATIONS: usize = 10_000;

/// As many state events as must not follow each other within almost no time.
const CROWD: usize = 200;

/// As many of them the FMU is asked to name.
const NAMED: usize = 4;

/// As many discarded steps as must not follow each other within almost no time: the solution ends
/// there, as that of a mechanism at a dead point.
const DISCARDS: usize = 200;

/// The part of an output step that is almost no time.
const ALMOST_NONE: f64 = 1e-4;

/// More attempted steps between two output points mean that the end is out of reach.
const MOST_ATTEMPTS: usize = 1_000_000;

/// The part of its size by which the first step may move a state: where nothing is known yet, a
/// trial far away could be an error of the FMU.
const FIRST_MOVE: f64 = 0.01;

/// The shortest step as a part of the time: of a shorter one round-off is the greater part.
const SHORTEST: f64 = 1e-14;

/// The instance as a system of differential equations.
struct Model<'a, 'l> {
    instance: &'a mut Instance<'l>,
    inputs: Inputs,
    /// From which side the inputs are seen: a step ends before a jump, the next begins after it.
    side: Side,
    evaluations: usize,
}

impl Model<'_, '_> {
    fn set(&mut self, time: f64, x: &[f64]) -> Result<(), Call> {
        self.instance.set_time(time)?;
        self.inputs.set_continuous(self.instance, time, self.side)?;
        if x.is_empty() { Ok(()) } else { self.instance.set_continuous_states(x) }
    }
}

impl Equations for Model<'_, '_> {
    type Failure = Call;

    fn derivatives(&mut self, time: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Call> {
        self.evaluations += 1;
        self.set(time, x)?;
        if x.is_empty() { Ok(()) } else { self.instance.get_derivatives(dx) }
    }
}

/// Where and how a step ended.
struct Finished {
    time: f64,
    /// Whether an event indicator changed there.
    crossed: bool,
    /// Whether the FMU wants to enter Event Mode.
    enter: bool,
    /// Whether it wants to end the simulation.
    terminate: bool,
}

/// An integration under way.
struct Integration<'a, 'l> {
    description: &'a ModelDescription,
    model: Model<'a, 'l>,
    step: Step,
    nominals: Vec<f64>,
    /// Whether each indicator was positive at the last accepted point.
    positive: Vec<bool>,
    indicators: Vec<f64>,
    trial: Vec<f64>,
    time: f64,
    next_event: f64,
    tolerance: f64,
    /// The length the next step should have, in s.
    length: f64,
    needs_completed: bool,
    output_step: f64,
    /// Steps attempted since the last output point.
    attempts: usize,
    /// What the FMU said about the last step since then that it wanted to be shorter.
    discarded: Option<Call>,
    /// Discarded steps since `discards_began`.
    discards: usize,
    discards_began: f64,
    state_events: usize,
    /// State events since `crowd_began`.
    crowd: usize,
    crowd_began: f64,
    /// Whether the FMU says what changes at events.
    tells_events: bool,
    /// The indicator that changed last.
    changed: usize,
    time_events: usize,
    input_events: usize,
    steps: usize,
    rejected: usize,
    terminated: Option<String>,
}

/// Runs an initialized instance from start to stop.
pub(super) fn run(
    instance: &mut Instance<'_>,
    job: &mut Job<'_>,
    interface: &Interface,
) -> Result<(), Failure> {
    let states = job.description.states().len();
    let indicators = job.description.number_of_event_indicators;
    let e = job.experiment;
    let mut integration = Integration {
        description: job.description,
        model: Model { instance, inputs: job.inputs.clone(), side: Side::After, evaluations: 0 },
        step: Step::new(states),
        nominals: vec![1.0; states],
        positive: vec![false; indicators],
        indicators: vec![0.0; indicators],
        trial: vec![0.0; states],
        time: e.start,
        next_event: f64::INFINITY,
        tolerance: e.tolerance.unwrap_or(1e-6),
        length: e.step,
        needs_completed: !interface.flag("completedIntegratorStepNotNeeded"),
        output_step: e.step,
        attempts: 0,
        discarded: None,
        discards: 0,
        discards_began: e.start,
        state_events: 0,
        crowd: 0,
        crowd_began: e.start,
        tells_events: false,
        changed: 0,
        time_events: 0,
        input_events: 0,
        steps: 0,
        rejected: 0,
        terminated: None,
    };
    integration.first_event().map_err(at(e.start))?;
    job.sample(integration.model.instance, e.start)?;
    for (point, record) in job.points(true) {
        let begin = Instant::now();
        integration.until(point)?;
        job.statistics.elapsed += begin.elapsed();
        if integration.terminated.is_none() && job.inputs.has_event(point) {
            integration.input_events += 1;
            integration.event().map_err(at(point))?;
        }
        if record || integration.terminated.is_some() {
            job.sample(integration.model.instance, integration.time).map_err(at(point))?;
        }
        if integration.terminated.is_some() {
            break;
        }
    }
    job.terminated = integration.terminated.map(|message| (integration.time, message));
    job.statistics.steps = integration.steps;
    job.statistics.rejected = integration.rejected;
    job.statistics.evaluations = integration.model.evaluations;
    job.statistics.state_events = Some(integration.state_events);
    job.statistics.time_events = Some(integration.time_events);
    job.statistics.input_events = Some(integration.input_events);
    Ok(())
}

impl Integration<'_, '_> {
    /// Goes on to a time, through all events on the way and at it.
    fn until(&mut self, point: f64) -> Result<(), Failure> {
        (self.attempts, self.discarded) = (0, None);
        while self.terminated.is_none() && self.time < point {
            let end = point.min(self.next_event);
            if self.time < end {
                let event = self.accept_step(end).map_err(at(self.time))?;
                if event {
                    self.event().map_err(at(self.time))?;
                    continue;
                }
            }
            if self.time >= self.next_event && self.terminated.is_none() {
                self.time_events += 1;
                self.event().map_err(at(self.time))?;
            }
        }
        Ok(())
    }

    /// Makes one step that ends at `end` at the latest; whether it ends at an event.
    fn accept_step(&mut self, end: f64) -> Result<bool, Failure> {
        let shortest = SHORTEST * end.abs().max(1e-3);
        self.model.side = Side::Before;
        loop {
            let rest = end - self.time;
            let last = self.length >= 0.999 * rest;
            let length = if last { rest } else { self.length.min(0.5 * rest) };
            self.attempts += 1;
            if self.attempts > MOST_ATTEMPTS {
                let steps = format!("{MOST_ATTEMPTS} steps do not reach the next output point");
                return Err(self.stuck(&format!("{steps}, they are now {length:.1e} s long")));
            }
            if length < shortest && !last {
                return Err(self.stuck(&format!("even a step of {length:.1e} s is too long")));
            }
            let target = if last { end } else { self.time + length };
            let (error, finished) = match self.attempt(target, length) {
                Ok(attempt) => attempt,
                Err(call) if is_discard(&call) && length > shortest => {
                    self.discarded = Some(call);
                    self.look_for_end(length)?;
                    (f64::INFINITY, None)
                }
                Err(call) => return Err(call.into()),
            };
            let factor = if error > 0.0 { 0.9 * error.powf(-0.2) } else { 5.0 };
            let Some(Finished { time, crossed, enter, terminate }) = finished else {
                self.rejected += 1;
                self.length = length * factor.clamp(0.1, 0.9);
                continue;
            };
            let proposed = length * factor.clamp(0.2, 5.0);
            // A step cut short by the end says little about the length that would do.
            self.length = if last { proposed.max(self.length) } else { proposed };
            self.steps += 1;
            self.time = time;
            self.step.advance();
            if terminate {
                self.terminated = Some(String::new());
            }
            if crossed {
                self.state_events += 1;
                self.look_for_crowd()?;
            }
            return Ok(crossed || enter);
        }
    }

    /// Tries a step: its error as a multiple of what is allowed, and where it ended unless that
    /// is too much.
    fn attempt(&mut self, target: f64, length: f64) -> Result<(f64, Option<Finished>), Call> {
        let (tolerance, nominals) = (self.tolerance, &self.nominals);
        // The errors of many steps add up: one step gets a tenth of what is allowed.
        let scale = |i: usize, size: f64| 0.1 * tolerance * (size + nominals[i]);
        let error = self.step.attempt(&mut self.model, self.time, length, scale)?;
        let finished = if error > 1.0 { None } else { Some(self.finish_step(target, length)?) };
        Ok((error, finished))
    }

    /// Why the simulation cannot go on from here: what the FMU said of the last step that it
    /// discarded comes first.
    fn stuck(&self, reason: &str) -> Failure {
        Failure::Stuck(match &self.discarded {
            Some(call) if call.message.is_empty() => timed(self.time, &format!("{call}; {reason}")),
            Some(call) => timed(self.time, &format!("{}; {reason}", call.message)),
            None => timed(self.time, &format!("{reason}{}", self.fastest())),
        })
    }

    /// Which state changes most in the shortest step, as the end of a sentence.
    fn fastest(&self) -> String {
        let rates = self.step.slopes().zip(&self.nominals);
        let rates = rates.map(|((x, dx), nominal)| (dx.abs() / (x.abs() + nominal), x, dx));
        let fastest = rates.zip(self.description.states()).max_by(|a, b| a.0.0.total_cmp(&b.0.0));
        let Some(((_, x, dx), state)) = fastest else { return String::new() };
        let variable = &self.description.variables[state];
        let (name, unit) =
            (&variable.name, wording::unit_suffix(variable.attributes.unit.as_deref()));
        format!(
            "; {name} changes fastest: it has reached {x:.1e}{unit} and changes by {dx:.1e}{unit} per s"
        )
    }

    /// Fails when too many discarded steps share almost one instant.
    fn look_for_end(&mut self, length: f64) -> Result<(), Failure> {
        self.discards += 1;
        if self.discards < DISCARDS {
            return Ok(());
        }
        if self.time - self.discards_began < ALMOST_NONE * self.output_step {
            return Err(self.stuck(&format!("even a step of {length:.1e} s is too long")));
        }
        (self.discards, self.discards_began) = (0, self.time);
        Ok(())
    }

    /// Completes the step that was made, or the part of it up to the first event.
    fn finish_step(&mut self, target: f64, length: f64) -> Result<Finished, Call> {
        let crossing = self.first_crossing(self.time, target, length)?;
        if let Some((_, part)) = crossing {
            self.step.between(part, &mut self.trial);
            self.step.next.copy_from_slice(&self.trial);
        }
        let time = crossing.map_or(target, |(time, _)| time);
        self.model.set(time, &self.step.next)?;
        let (enter, terminate) = match self.needs_completed {
            true => self.model.instance.completed_integrator_step()?,
            false => (false, false),
        };
        Ok(Finished { time, crossed: crossing.is_some(), enter, terminate })
    }

    /// Fails when too many state events share almost one instant.
    fn look_for_crowd(&mut self) -> Result<(), Failure> {
        self.crowd += 1;
        if self.crowd < CROWD {
            return Ok(());
        }
        let span = self.time - self.crowd_began;
        if span >= ALMOST_NONE * self.output_step {
            (self.crowd, self.crowd_began) = (0, self.time);
            return Ok(());
        }
        let wanted = categories(self.description, true);
        let instance = &mut self.model.instance;
        let asks = wanted.contains(&EVENTS) && !self.tells_events;
        if asks && instance.set_debug_logging(true, &wanted).is_ok() {
            // The next events have a name.
            instance.take_messages();
            self.tells_events = true;
            self.crowd -= NAMED;
            return Ok(());
        }
        let messages = self.model.instance.take_messages();
        let told = messages.iter().rev().find_map(|m| m.text.strip_prefix("t=")?.split_once(' '));
        let name = told.map_or(String::new(), |(_, change)| format!(" ({change})"));
        Err(Failure::Stuck(format!(
            "at t = {} s: {CROWD} state events follow each other within {span:.1e} s, the last one \
             of event indicator {} of {}{name}",
            number(self.time),
            self.changed + 1,
            self.indicators.len()
        )))
    }

    /// The first time in a step at which an indicator has changed, with its part of the step.
    fn first_crossing(
        &mut self,
        begin: f64,
        target: f64,
        length: f64,
    ) -> Result<Option<(f64, f64)>, Call> {
        if self.positive.is_empty() {
            return Ok(None);
        }
        self.step.interpolate();
        // The middle is looked at, too: an indicator may cross and return within a step.
        let (mut before, mut after) = if self.has_changed(begin + 0.5 * length, 0.5)? {
            (0.0, 0.5)
        } else if self.has_changed(target, 1.0)? {
            (0.5, 1.0)
        } else {
            return Ok(None);
        };
        let precision = 4.0 * f64::EPSILON * target.abs().max(length) / length;
        while after - before > precision {
            let middle = 0.5 * (before + after);
            if self.has_changed(begin + middle * length, middle)? {
                after = middle;
            } else {
                before = middle;
            }
        }
        let time = if after >= 1.0 { target } else { begin + after * length };
        Ok(Some((time, after)))
    }

    /// Whether an indicator at a part of the step differs from the last accepted point.
    fn has_changed(&mut self, time: f64, part: f64) -> Result<bool, Call> {
        if part >= 1.0 {
            self.trial.copy_from_slice(&self.step.next);
        } else {
            self.step.between(part, &mut self.trial);
        }
        self.model.set(time, &self.trial)?;
        self.model.instance.get_event_indicators(&mut self.indicators)?;
        let mut pairs = self.indicators.iter().zip(&self.positive);
        let changed = pairs.position(|(z, positive)| (*z > 0.0) != *positive);
        self.changed = changed.unwrap_or(self.changed);
        Ok(changed.is_some())
    }

    /// The iteration that follows initialization; it leaves a length for the first step.
    fn first_event(&mut self) -> Result<(), Failure> {
        self.iterate(true)?;
        let moves = self.step.slopes().zip(&self.nominals);
        let rates = moves.map(|((x, dx), nominal)| dx.abs() / (x.abs() + nominal));
        let length = FIRST_MOVE / rates.fold(0.0, f64::max);
        if length > 0.0 {
            self.length = self.length.min(length);
        }
        Ok(())
    }

    /// Enters Event Mode, brings the discrete inputs up to date, and iterates.
    fn event(&mut self) -> Result<(), Failure> {
        self.model.instance.enter_event_mode()?;
        self.model.inputs.set_all(self.model.instance, self.time)?;
        self.iterate(false)
    }

    /// Iterates until the discrete states are consistent, then goes on in continuous time.
    fn iterate(&mut self, first: bool) -> Result<(), Failure> {
        let (mut values, mut nominals) = (first, first);
        for iteration in 1.. {
            let info = self.model.instance.new_discrete_states()?;
            values |= info.values_of_continuous_states_changed;
            nominals |= info.nominals_of_continuous_states_changed;
            if info.terminate_simulation {
                self.terminated = Some(String::new());
                return Ok(());
            }
            if !info.new_discrete_states_needed {
                self.next_event = info.next_event_time.unwrap_or(f64::INFINITY);
                break;
            }
            if iteration == MOST_ITERATIONS {
                return Err(Failure::Stuck(format!(
                    "at t = {} s: the event iteration does not end after {iteration} passes",
                    number(self.time)
                )));
            }
        }
        if self.next_event <= self.time {
            let (time, next) = (number(self.time), number(self.next_event));
            let reason =
                format!("at t = {time} s: the next event at {next} s is not in the future");
            return Err(Failure::Stuck(reason));
        }
        self.model.instance.enter_continuous_time_mode()?;
        if !self.step.x.is_empty() {
            if nominals {
                self.model.instance.get_nominals(&mut self.nominals)?;
                self.nominals.iter_mut().for_each(|n| *n = if *n > 0.0 { *n } else { 1.0 });
            }
            if values {
                self.model.instance.get_continuous_states(&mut self.step.x)?;
            }
        }
        if !self.indicators.is_empty() {
            self.model.instance.get_event_indicators(&mut self.indicators)?;
            for (positive, z) in self.positive.iter_mut().zip(&self.indicators) {
                *positive = *z > 0.0;
            }
        }
        self.model.side = Side::After;
        Ok(self.step.begin(&mut self.model, self.time)?)
    }
}
