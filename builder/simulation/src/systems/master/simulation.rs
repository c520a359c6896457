//! Simulates a system of FMUs from start to stop.

use std::time::Instant;

use fmus::error::Error;
use fmus::fmi::FmuType;
use fmus::host::{self, FmuLibrary};
use fmus::model_description::{ModelDescription, ScalarVariable};
use nalgebra::DMatrix;

use super::coupling::Coupling;
use super::failure::{Failure, of};
use super::initialization;
use super::schemes::{self, Method, Scheme, Stepped};
use super::slave::{Abilities, Slave};
use crate::run::{self, Assignment, Overrides, Recorder, RunOutcome, RunPlan, Statistics};
use crate::systems::order::sequence;
use crate::systems::wiring::{Part, Port, Wiring};
use fmus::csv::{TimeSeries, number};

/// The options of a simulation of a system.
#[derive(Clone, Debug, Default)]
pub struct SystemOptions<'a> {
    /// Changes of the default experiment.
    pub overrides: Overrides,
    /// Start values, `component.name=value`.
    pub set: &'a [String],
    /// The variables to record; by default the outputs of all components.
    pub variables: Option<&'a [String]>,
    /// Variables that are recorded as well, into a table of their own.
    pub also: Option<&'a [String]>,
    /// How the FMUs are coupled.
    pub method: Method,
}

/// The smallest step, as a part of the communication step, to which error control goes down.
const SMALLEST_STEP: f64 = 1e-6;

/// Simulates a system; `progress` receives its progress from 0 to 1.
///
/// # Errors
/// If an option is not possible, or the system cannot be initialized. A later failure is part of
/// the outcome.
pub fn simulate(
    wiring: &Wiring,
    options: &SystemOptions<'_>,
    progress: &mut dyn FnMut(f64),
) -> Result<RunOutcome, Error> {
    let fail = |sentence: String| Error::Content { path: wiring.path.clone(), reason: sentence };
    let plan = plan(wiring, &options.overrides)?;
    let abilities: Vec<Abilities> =
        (0..wiring.parts.len()).map(|part| Abilities::of(wiring.description(part))).collect();
    check(wiring, &abilities, &options.method, &plan).map_err(fail)?;
    let settings = settings(wiring, options.set)?;
    let chosen = Chosen::of(wiring, options.variables)?;
    let also = options.also.map(|names| Chosen::of(wiring, Some(names))).transpose()?;
    let libraries = libraries(wiring)?;
    let recorders = |part: usize| -> Result<_, Error> {
        let also = also.as_ref().map(|also| also.recorder(wiring, part)).transpose()?;
        Ok((chosen.recorder(wiring, part)?, also))
    };
    let mut slaves = instantiated(wiring, &libraries, recorders)?;
    let coupling = initialized(wiring, &mut slaves, &settings, &plan)?;
    if also.is_some() {
        slaves.iter_mut().for_each(|slave| drop(slave.instance.take_messages()));
    }
    let mut run = Run {
        method: options.method,
        plan,
        sequence: sequence(wiring),
        coupling,
        slaves,
        feedthrough: None,
        statistics: Statistics::default(),
        rolls_back: abilities.iter().all(|a| a.rolls_back),
        is_fixed: abilities.iter().any(|a| !a.any_step),
        step: plan.step,
        jumps: 0,
        terminated: None,
    };
    let result = run.run(progress);
    let is_fatal = result.as_ref().err().is_some_and(|failure| failure.is_fatal);
    let failure = result.err().map(|failure| fail(failure.to_string()));
    Ok(run.outcome(&chosen, also.as_ref(), failure, is_fatal))
}

/// The libraries of the FMUs of a wiring.
pub(super) fn libraries(wiring: &Wiring) -> Result<Vec<FmuLibrary>, Error> {
    wiring.fmus.iter().map(|fmu| fmu.load(FmuType::CoSimulation)).collect()
}

/// An instance of each part, with what it records.
pub(super) fn instantiated<'l>(
    wiring: &Wiring,
    libraries: &'l [FmuLibrary],
    recorders: impl Fn(usize) -> Result<(Recorder, Option<Recorder>), Error>,
) -> Result<Vec<Slave<'l>>, Error> {
    let instance = |(index, part): (usize, &Part)| {
        let (fmu, library) = (&wiring.fmus[part.fmu], &libraries[part.fmu]);
        Slave::new(&part.name, fmu, library, recorders(index)?).map_err(|call| Error::Content {
            path: wiring.path.clone(),
            reason: format!("{}: {call}", part.name),
        })
    };
    wiring.parts.iter().enumerate().map(instance).collect()
}

/// Initializes all slaves, so that inputs and outputs agree.
pub(super) fn initialized(
    wiring: &Wiring,
    slaves: &mut [Slave<'_>],
    settings: &[Vec<Assignment>],
    plan: &RunPlan,
) -> Result<Coupling, Error> {
    let mut coupling = Coupling::of(wiring, slaves);
    let mut start = || -> Result<(), Failure> {
        for (slave, settings) in slaves.iter_mut().zip(settings) {
            slave
                .enter_initialization(settings, plan.tolerance, (plan.start, plan.stop))
                .map_err(of(slave))?;
        }
        initialization::solve(&mut coupling, slaves)?;
        initialization::exit(&mut coupling, slaves)
    };
    let started = start();
    started.map_err(|failure| Error::Content {
        path: wiring.path.clone(),
        reason: failure.to_string(),
    })?;
    Ok(coupling)
}

/// The experiment of a system: where neither the user nor the description states the step size and
/// the tolerance, they are the smallest of the FMUs.
///
/// # Errors
/// If the experiment is not possible.
pub fn plan(wiring: &Wiring, overrides: &Overrides) -> Result<RunPlan, Error> {
    let mut experiment = wiring.experiment;
    let all = || (0..wiring.parts.len()).map(|part| &wiring.description(part).experiment);
    let smallest = |values: &mut dyn Iterator<Item = f64>| values.min_by(f64::total_cmp);
    let step_size = smallest(&mut all().filter_map(|e| e.step_size));
    let tolerance = smallest(&mut all().filter_map(|e| e.tolerance));
    experiment.step_size = experiment.step_size.or(step_size);
    experiment.tolerance = experiment.tolerance.or(tolerance);
    if experiment.stop_time.is_none() {
        experiment.stop_time = all().filter_map(|e| e.stop_time).max_by(f64::total_cmp);
    }
    let description = ModelDescription {
        model_name: wiring.name.clone(),
        experiment,
        ..ModelDescription::default()
    };
    RunPlan::of(&description, overrides)
}

/// Checks that the FMUs can do what a method needs.
fn check(
    wiring: &Wiring,
    abilities: &[Abilities],
    method: &Method,
    plan: &RunPlan,
) -> Result<(), String> {
    let parts = || wiring.parts.iter().zip(abilities);
    let lacking = |can: &dyn Fn(&Abilities) -> bool| {
        parts().find(|(_, abilities)| !can(abilities)).map(|(part, _)| part.name.as_str())
    };
    if method.order > 2 {
        return Err(format!("the order of inputs is {}, but at most 2", method.order));
    }
    if let Some(tolerance) = method.tolerance.filter(|t| !(*t > 0.0 && *t < 1.0)) {
        let tolerance = number(tolerance);
        return Err(format!("the error of inputs must be between 0 and 1, not {tolerance}"));
    }
    if method.scheme == Scheme::Iterative && method.order == 0 {
        return Err("the iteration needs inputs of order 1 or 2".to_owned());
    }
    if method.scheme == Scheme::GaussSeidel && method.threads > 1 {
        return Err("the FMUs of a Gauss-Seidel scheme make their steps in one thread".to_owned());
    }
    if method.scheme == Scheme::Iterative
        && let Some(name) = lacking(&|a| a.rolls_back)
    {
        return Err(format!("the iteration repeats steps, but {name} cannot roll back"));
    }
    if method.corrects
        && let Some(name) = lacking(&|a| a.directional)
    {
        return Err(format!("the correction needs directional derivatives, which {name} lacks"));
    }
    if let Some(name) = lacking(&|a| a.any_step) {
        let whole = (plan.stop - plan.start) / plan.step;
        if method.tolerance.is_some() {
            return Err(format!("{name} needs steps of a constant size, without --coupling-error"));
        }
        if (whole - whole.round()).abs() > 1e-9 * whole {
            let (step, span) = (number(plan.step), number(plan.stop - plan.start));
            return Err(format!(
                "{name} needs steps of a constant size, but {step} s does not divide {span} s"
            ));
        }
    }
    Ok(())
}

/// The values that are set before the start, by part: those of the archive, replaced by the user's.
pub(super) fn settings(wiring: &Wiring, set: &[String]) -> Result<Vec<Vec<Assignment>>, Error> {
    let mut settings: Vec<Vec<Assignment>> =
        wiring.parts.iter().map(|part| part.settings.clone()).collect();
    let mut given = Vec::new();
    for text in set {
        let (part, rest) = wiring.split(text).map_err(Error::Request)?;
        let assignment = Assignment::parse(wiring.description(part), rest)?;
        let name = format!("{}.{}", wiring.parts[part].name, assignment.name);
        let drives = wiring.links.iter().find(|link| wiring.label(link.to) == name);
        if let Some(link) = drives {
            let source = wiring.label(link.from);
            return Err(Error::Request(format!("{name} cannot be set: it follows {source}")));
        }
        if given.contains(&name) {
            return Err(Error::Request(format!("{}: {name} is set twice", wiring.name)));
        }
        given.push(name);
        settings[part].retain(|earlier| earlier.name != assignment.name);
        settings[part].push(assignment);
    }
    Ok(settings)
}

/// Variables of several parts, in the order of a table.
struct Chosen {
    ports: Vec<Port>,
}

impl Chosen {
    /// The variables with these names, or else the outputs of all parts.
    fn of(wiring: &Wiring, names: Option<&[String]>) -> Result<Chosen, Error> {
        let mut ports = Vec::new();
        let mut add = |part: usize, name: &str| -> Result<(), Error> {
            let description = wiring.description(part);
            let v = run::lookup(description, name)?;
            let is_it = |other: &ScalarVariable| std::ptr::eq(other, v);
            let variable = description.variables.iter().position(is_it).unwrap_or_default();
            ports.push(Port { part, variable });
            Ok(())
        };
        match names {
            Some(names) => {
                for name in names {
                    let (part, rest) = wiring.split(name).map_err(Error::Request)?;
                    add(part, rest)?;
                }
            }
            None => {
                for part in 0..wiring.parts.len() {
                    let outputs = run::default_names(wiring.description(part));
                    outputs.iter().try_for_each(|name| add(part, name))?;
                }
            }
        }
        Ok(Chosen { ports })
    }

    /// What is recorded of a part.
    fn recorder(&self, wiring: &Wiring, part: usize) -> Result<Recorder, Error> {
        let own = self.ports.iter().filter(|port| port.part == part);
        let names: Vec<String> = own.map(|port| wiring.variable(*port).name.clone()).collect();
        Recorder::new(wiring.description(part), Some(&names))
    }

    /// The table of all variables from the tables of the parts.
    fn joined<'r>(
        &self,
        slaves: &'r [Slave<'_>],
        recorder: impl Fn(&'r Slave<'_>) -> Option<&'r Recorder>,
    ) -> Recorder {
        let mut signals = Vec::new();
        let mut columns: Vec<(&Recorder, usize)> = Vec::new();
        let mut next = vec![0; slaves.len()];
        let mut refused = Vec::new();
        for (slave, recorder) in slaves.iter().filter_map(|s| Some((s, recorder(s)?))) {
            refused.extend(recorder.refused.iter().map(|name| format!("{}.{name}", slave.name)));
        }
        for port in &self.ports {
            let slave = &slaves[port.part];
            let Some(recorder) = recorder(slave) else { continue };
            let column = next[port.part];
            // Variables that the FMU does not give are missing at the end of its table.
            let Some(signal) = recorder.signals.get(column) else { continue };
            next[port.part] += 1;
            columns.push((recorder, column));
            signals.push(signal.named(format!("{}.{}", slave.name, signal.name)));
        }
        // After a failure, some FMUs have a row more than others.
        let rows = columns.iter().map(|(recorder, _)| recorder.table.rows.len()).min();
        let mut time =
            columns.first().map_or(Vec::new(), |(recorder, _)| recorder.table.time.clone());
        time.truncate(rows.unwrap_or(0));
        let row = |index: usize| {
            columns.iter().map(|(recorder, column)| recorder.table.rows[index][*column]).collect()
        };
        let rows = (0..time.len()).map(row).collect();
        let names = signals.iter().map(|signal| signal.name.clone()).collect();
        Recorder { signals, table: TimeSeries { names, time, rows }, refused }
    }
}

/// A simulation of a system.
struct Run<'l> {
    method: Method,
    plan: RunPlan,
    /// The order of Gauss-Seidel.
    sequence: Vec<usize>,
    coupling: Coupling,
    slaves: Vec<Slave<'l>>,
    feedthrough: Option<DMatrix<f64>>,
    statistics: Statistics,
    /// Whether all slaves can repeat a step.
    rolls_back: bool,
    /// Whether all steps must have exactly the same size.
    is_fixed: bool,
    /// The step size that error control has chosen.
    step: f64,
    /// How often the error was larger than wanted at the smallest step.
    jumps: usize,
    terminated: Option<(f64, String)>,
}

impl<'l> Run<'l> {
    fn run(&mut self, progress: &mut dyn FnMut(f64)) -> Result<(), Failure> {
        let (start, stop) = (self.plan.start, self.plan.stop);
        // At the start, FMUs know no derivatives of inputs, on which those of outputs depend.
        let gives_derivatives = self.slaves.iter().all(|slave| slave.abilities.directional);
        if self.method.corrects || self.method.order > 0 && gives_derivatives {
            let d = self.coupling.feedthrough(&mut self.slaves).map_err(|f| f.at(start))?;
            self.coupling.last = self.coupling.u.iter().map(|u| [*u, 0.0, 0.0]).collect();
            self.feedthrough = Some(d);
        }
        self.record(start)?;
        let mut time = start;
        for index in 1..=self.plan.steps {
            let end = self.plan.point(index);
            while time < end && self.terminated.is_none() {
                time = self.advance(time, end)?;
            }
            if self.terminated.is_some() {
                return Ok(());
            }
            self.record(time)?;
            progress((time - start) / (stop - start));
        }
        Ok(())
    }

    /// Sets the inputs of a communication point, and records.
    fn record(&mut self, time: f64) -> Result<(), Failure> {
        let coupling = &self.coupling;
        let set = coupling.write(&mut self.slaves).and_then(|()| coupling.copy(&mut self.slaves));
        set.map_err(|failure| failure.at(time))?;
        self.slaves
            .iter_mut()
            .try_for_each(|slave| slave.record(time).map_err(of(slave)))
            .map_err(|failure| failure.at(time))
    }

    /// Makes an accepted step towards a time; returns its end.
    fn advance(&mut self, time: f64, end: f64) -> Result<f64, Failure> {
        let repeats = self.method.scheme == Scheme::Iterative
            || self.method.tolerance.is_some() && self.rolls_back;
        // The schemes set the Real inputs.
        self.coupling.copy(&mut self.slaves).map_err(|failure| failure.at(time))?;
        if repeats {
            let save = |slave: &mut Slave<'_>| slave.save().map_err(of(slave));
            self.slaves.iter_mut().try_for_each(save).map_err(|failure| failure.at(time))?;
        }
        let smallest = SMALLEST_STEP * self.plan.step;
        loop {
            let h = match self.method.tolerance {
                None if self.is_fixed => self.plan.step,
                None => end - time,
                // The rest is divided evenly, so that no tiny step remains; a rounding error is
                // none.
                Some(_) => {
                    let parts = (end - time) / self.step * (1.0 - 1e-9);
                    (end - time) / parts.ceil().max(1.0)
                }
            };
            let begin = Instant::now();
            let stepped = schemes::step(
                &self.method,
                &self.coupling,
                (&mut self.slaves, &self.sequence),
                self.feedthrough.as_ref(),
                (time, h),
            );
            self.statistics.elapsed += begin.elapsed();
            let stepped = match stepped {
                Ok(stepped) => stepped,
                Err(failure) => {
                    if self.ended(&failure) {
                        return Ok(time);
                    }
                    let may_shrink = repeats && self.method.tolerance.is_some() && h > smallest;
                    if !may_shrink || !(failure.is_discard || failure.is_of_system()) {
                        return Err(failure.at(time));
                    }
                    self.step = (h / 4.0).max(smallest);
                    self.roll_back(time)?;
                    continue;
                }
            };
            self.statistics.evaluations += stepped.passes;
            if let Some(tolerance) = self.method.tolerance {
                let error = self.error(&stepped) / tolerance;
                let exponent = -1.0 / f64::from(self.method.order + 1);
                let factor = match error.is_finite() {
                    true => (0.9 * error.powf(exponent)).clamp(0.2, 3.0),
                    false => 0.2,
                };
                self.step = (h * factor).clamp(smallest, self.plan.step);
                let is_large = error > 1.0 || error.is_nan();
                if is_large && repeats && h > smallest * 1.5 {
                    self.statistics.rejected += 1;
                    self.roll_back(time)?;
                    continue;
                }
                self.jumps += usize::from(is_large);
            }
            self.statistics.steps += 1;
            let Stepped { y, u, courses, feedthrough, .. } = stepped;
            self.coupling.advance(time, h, y, u, &courses);
            self.feedthrough = feedthrough;
            return Ok(if (time + h - end).abs() <= 1e-9 * h { end } else { time + h });
        }
    }

    /// The largest difference of the predicted inputs from those at the end of a step, relative to
    /// their magnitude (Busch and Schweizer 2011).
    fn error(&self, stepped: &Stepped) -> f64 {
        let pairs = stepped.predicted.iter().zip(&stepped.u).zip(&self.coupling.inputs);
        let errors = pairs.zip(&self.coupling.magnitude).map(|(((a, b), input), magnitude)| {
            if input.continuous { (a - b).abs() / magnitude.max(b.abs()) } else { 0.0 }
        });
        errors.fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a })
    }

    fn roll_back(&mut self, time: f64) -> Result<(), Failure> {
        let back = |slave: &mut Slave<'_>| slave.roll_back().map_err(of(slave));
        self.slaves.iter_mut().try_for_each(back).map_err(|failure| failure.at(time))
    }

    /// Whether an FMU has ended the simulation.
    fn ended(&mut self, failure: &Failure) -> bool {
        if !failure.is_discard {
            return false;
        }
        let mut slaves = self.slaves.iter_mut();
        let Some(slave) = slaves.find(|slave| failure.is_of(&slave.name)) else { return false };
        let ended = slave.instance.is_terminated().unwrap_or(false);
        if ended {
            let end = slave.instance.last_successful_time().unwrap_or(self.plan.start);
            self.terminated = Some((end, failure.to_string()));
        }
        ended
    }

    fn outcome(
        mut self,
        chosen: &Chosen,
        also: Option<&Chosen>,
        failure: Option<Error>,
        is_fatal: bool,
    ) -> RunOutcome {
        let (mut warnings, mut events, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for slave in &mut self.slaves {
            let name = slave.name.clone();
            // After fmi2Fatal no function of an instance may be called.
            if !is_fatal && let Err(call) = slave.forget() {
                notes.push(format!("{name}: {call}"));
            }
            let own = slave.instance.take_warnings();
            let own = own.iter().map(|text| run::with_time(text.trim()));
            warnings.extend(own.map(|text| format!("{name}: {text}")));
            if also.is_some() {
                let messages = slave.instance.take_messages();
                events.extend(run::logged_events(&messages).into_iter().map(|event| run::Event {
                    cause: format!("{name}: {}", event.cause),
                    ..event
                }));
            }
            if failure.is_none()
                && let Err(call) = slave.instance.terminate()
            {
                notes.push(format!("{name}: {call}"));
            }
        }
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        if self.jumps > 0 {
            notes.push(format!(
                "{} steps had larger errors of inputs than --coupling-error allows: values jump, or \
                 an FMU cannot repeat a step",
                self.jumps
            ));
        }
        notes.extend(host::take_unknown_statuses().iter().map(ToString::to_string));
        let table = chosen.joined(&self.slaves, |slave| Some(&slave.recorder));
        let also = also.map(|also| also.joined(&self.slaves, |slave| slave.also.as_ref()));
        RunOutcome {
            failure,
            notes,
            fmu_type: FmuType::CoSimulation,
            experiment: self.plan,
            signals: table.signals,
            table: table.table,
            also,
            statistics: self.statistics,
            step_times: None,
            work: None,
            events,
            warnings,
            terminated: self.terminated,
        }
    }
}
