//! Runs an FMU for a few steps and looks at what it answers.

use std::path::Path;

use super::Finding;
use crate::error::{Call, Error};
use crate::fmu::Fmu;
use crate::host::{Instance, Kind};
use crate::read::{Base, ModelDescription, ScalarVariable};

/// How many steps are made.
const STEPS: u32 = 10;

/// What is said while an FMU is tried.
#[derive(Clone, Debug)]
pub enum News {
    /// What is about to be done.
    Stage(String),
    /// A rule that the FMU breaks.
    Found(Finding),
}

/// Tries an FMU in this process; `tell` hears the news at once, for the FMU may crash.
///
/// # Errors
/// The file is not an FMU.
pub fn smoke(path: &Path, tell: &mut dyn FnMut(News)) -> Result<(), Error> {
    let fmu = Fmu::open(path)?;
    for (kind, interface) in [
        (Kind::ModelExchange, &fmu.description.model_exchange),
        (Kind::CoSimulation, &fmu.description.co_simulation),
    ] {
        if interface.is_some() {
            let mut trial = Trial { fmu: &fmu, kind, tell };
            if let Err(fault) = trial.run() {
                trial.error(fault.0, fault.1);
            }
        }
    }
    Ok(())
}

/// A rule that is broken such that the trial cannot go on.
struct Fault(&'static str, String);

impl From<Call> for Fault {
    fn from(call: Call) -> Fault {
        Fault("H19", call.to_string())
    }
}

struct Trial<'a> {
    fmu: &'a Fmu,
    kind: Kind,
    tell: &'a mut dyn FnMut(News),
}

impl Trial<'_> {
    fn error(&mut self, rule: &'static str, text: impl std::fmt::Display) {
        (self.tell)(News::Found(Finding::error(rule, format!("{}: {text}", self.kind))));
    }

    fn stage(&mut self, what: &str) {
        (self.tell)(News::Stage(format!("{}: {what}", self.kind)));
    }

    fn run(&mut self) -> Result<(), Fault> {
        let d = &self.fmu.description;
        self.stage("loading the library");
        if self.fmu.library(self.kind).is_err() {
            // A library for other machines only cannot be tried here.
            return Ok(());
        }
        let library = self.fmu.load(self.kind).map_err(|e| Fault("A001", e.to_string()))?;
        let (platform, version) = library.platform_and_version();
        if platform != "default" {
            self.error("A009", format!("fmi2GetTypesPlatform returned `{platform}`"));
        }
        if version != "2.0" {
            self.error("A010", format!("fmi2GetVersion returned `{version}`"));
        }
        let resources = self.fmu.resources();
        self.stage("fmi2Instantiate with a wrong GUID");
        if library.instantiate("trial", self.kind, "{not the guid}", &resources, false).is_ok() {
            self.error("A014", "fmi2Instantiate accepts a wrong GUID");
        }
        self.stage("fmi2Instantiate");
        let mut instance = library
            .instantiate("trial", self.kind, &d.guid, &resources, false)
            .map_err(|call| Fault("A012", call.to_string()))?;
        instance.take_messages();
        instance.set_debug_logging(true, &[])?;
        self.initialize(&mut instance)?;
        match self.kind {
            Kind::ModelExchange => self.integrate(&mut instance)?,
            Kind::CoSimulation => self.step(&mut instance)?,
        }
        self.stage("reading all variables");
        self.read_all(&mut instance)?;
        self.stage("fmi2Terminate");
        instance.terminate()?;
        self.stage("fmi2Reset");
        instance.reset()?;
        self.log(&mut instance);
        self.stage("fmi2FreeInstance");
        drop(instance);
        self.stage("unloading the library");
        Ok(())
    }

    fn start_and_step(&self) -> (f64, f64) {
        let e = &self.fmu.description.experiment;
        let start = e.start_time.unwrap_or(0.0);
        let span = e.stop_time.unwrap_or(start + 1.0) - start;
        (start, e.step_size.unwrap_or(span / 500.0))
    }

    fn initialize(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        let (start, _) = self.start_and_step();
        self.stage("fmi2SetupExperiment");
        instance.setup_experiment(self.fmu.description.experiment.tolerance, start, None)?;
        self.stage("fmi2EnterInitializationMode");
        instance.enter_initialization_mode()?;
        self.stage("reading start values");
        self.starts(instance)?;
        self.stage("fmi2ExitInitializationMode");
        Ok(instance.exit_initialization_mode()?)
    }

    /// X60: what can be set has its start value; what is calculated from it, up to rounding.
    fn starts(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        // A few units in the last place: a start value may be the sum of a state and a length.
        const ROUNDING: f64 = 16.0 * f64::EPSILON;
        let exact = |v: &&ScalarVariable| {
            v.start.is_some() && (v.causality == "input" || v.initial() == Some("exact"))
        };
        for v in self.fmu.description.variables.iter().filter(exact) {
            let reference = &[v.value_reference];
            let start = v.start.clone().unwrap_or_default();
            let actual = match v.base {
                Base::String => {
                    instance.get_string(reference)?.first().filter(|s| **s != start).cloned()
                }
                _ => {
                    let value = number(instance, v)?;
                    let calculated = v.causality != "input" && v.variability == "continuous";
                    let same = v.start_number().is_some_and(|start| {
                        let rounding =
                            if calculated { ROUNDING * start.abs().max(1.0) } else { 0.0 };
                        start.to_bits() == value.to_bits() || (start - value).abs() <= rounding
                    });
                    (!same).then(|| value.to_string())
                }
            };
            if let Some(actual) = actual {
                self.error("X60", format!("{}: start is {start}, but it is {actual}", v.name));
            }
        }
        Ok(())
    }

    /// Reads every variable, one per call.
    fn read_all(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        for v in &self.fmu.description.variables {
            if v.base == Base::String {
                instance.get_string(&[v.value_reference])?;
                continue;
            }
            let value = number(instance, v)?;
            if !value.is_finite() {
                self.error("A068", format!("{} is {value}", v.name));
            }
        }
        Ok(())
    }

    fn step(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        let (start, step) = self.start_and_step();
        for i in 0..STEPS {
            let time = start + f64::from(i) * step;
            self.stage(&format!("fmi2DoStep at {time} s"));
            instance.do_step(time, step)?;
        }
        Ok(())
    }

    /// Explicit Euler: good enough to see whether the functions answer.
    fn integrate(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        let d = &self.fmu.description;
        let (start, step) = self.start_and_step();
        let n = d.states().len();
        let mut x = vec![0.0; n];
        let mut dx = vec![0.0; n];
        let mut z = vec![0.0; d.number_of_event_indicators];
        let mut next_event = self.iterate(instance)?;
        self.nominals(instance, d)?;
        instance.get_event_indicators(&mut z)?;
        if let Some(i) = z.iter().position(|z| *z == 0.0) {
            let text = format!("{}: event indicator {} is 0 after an event", self.kind, i + 1);
            (self.tell)(News::Found(Finding::warning("B024", text)));
        }
        for i in 1..=STEPS {
            self.stage(&format!("step {i} of Model Exchange"));
            instance.get_continuous_states(&mut x)?;
            instance.get_derivatives(&mut dx)?;
            if let Some(i) = dx.iter().position(|dx| !dx.is_finite()) {
                return Err(Fault("A068", format!("derivative {} is {}", i + 1, dx[i])));
            }
            let before: Vec<bool> = z.iter().map(|z| *z > 0.0).collect();
            let time = start + f64::from(i) * step;
            instance.set_time(time)?;
            x.iter_mut().zip(&dx).for_each(|(x, dx)| *x += step * dx);
            instance.set_continuous_states(&x)?;
            instance.get_event_indicators(&mut z)?;
            let crossed = z.iter().zip(&before).any(|(z, before)| (*z > 0.0) != *before);
            let (enter, terminate) = instance.completed_integrator_step()?;
            if terminate {
                break;
            }
            if crossed || enter || next_event.is_some_and(|t| t <= time) {
                instance.enter_event_mode()?;
                next_event = self.iterate(instance)?;
                if let Some(next) = next_event.filter(|next| *next <= time) {
                    self.error("B017", format!("the next event at {next} s is not after {time} s"));
                }
            }
        }
        Ok(())
    }

    fn nominals(&mut self, instance: &mut Instance<'_>, d: &ModelDescription) -> Result<(), Fault> {
        let states = d.states();
        let mut nominals = vec![0.0; states.len()];
        instance.get_nominals(&mut nominals)?;
        for (state, nominal) in states.iter().zip(nominals) {
            if nominal.is_nan() || nominal <= 0.0 {
                let name = &d.variables[*state].name;
                self.error("A090", format!("the nominal value of {name} is {nominal}"));
            }
        }
        Ok(())
    }

    fn iterate(&mut self, instance: &mut Instance<'_>) -> Result<Option<f64>, Fault> {
        self.stage("fmi2NewDiscreteStates");
        for _ in 0..1000 {
            let info = instance.new_discrete_states()?;
            if !info.new_discrete_states_needed || info.terminate_simulation {
                instance.enter_continuous_time_mode()?;
                return Ok(info.next_event_time);
            }
        }
        Err(Fault("B012", "the event iteration does not end after 1000 passes".to_owned()))
    }

    /// A031: messages carry declared categories.
    fn log(&mut self, instance: &mut Instance<'_>) {
        let declared = &self.fmu.description.log_categories;
        let messages = instance.take_messages();
        let unknown = messages.iter().find(|m| !declared.contains(&m.category));
        if let Some(message) = unknown.filter(|_| !declared.is_empty()) {
            self.error("A031", format!("log category `{}` is not declared", message.category));
        }
    }
}

/// The value of a variable that is not a text.
fn number(instance: &mut Instance<'_>, v: &ScalarVariable) -> Result<f64, Call> {
    let reference = &[v.value_reference];
    let (mut real, mut whole) = ([0.0], [0]);
    match v.base {
        Base::Real => {
            instance.get_real(reference, &mut real)?;
            return Ok(real[0]);
        }
        Base::Boolean => instance.get_boolean(reference, &mut whole)?,
        _ => instance.get_integer(reference, &mut whole)?,
    }
    Ok(f64::from(whole[0]))
}
