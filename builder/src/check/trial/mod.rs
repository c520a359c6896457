//! Runs an FMU for a few steps and looks at what it answers, and whether it keeps its promises.

mod promises;
mod run;
mod sensitivities;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use super::Finding;
use crate::error::{Call, Error};
use crate::fmu::Fmu;
use crate::host::{Instance, Kind, Library, Status};
use crate::read::{Base, Interface, ScalarVariable};
use run::{Record, Run};

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
pub fn trial(path: &Path, tell: &mut dyn FnMut(News)) -> Result<(), Error> {
    let fmu = Fmu::open(path)?;
    for (kind, interface) in [
        (Kind::ModelExchange, &fmu.description.model_exchange),
        (Kind::CoSimulation, &fmu.description.co_simulation),
    ] {
        if let Some(interface) = interface {
            let mut trial = Trial { fmu: &fmu, kind, interface, tell, told: BTreeSet::new() };
            if let Err(fault) = trial.make() {
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

/// The trial of one kind of an FMU.
struct Trial<'a> {
    fmu: &'a Fmu,
    kind: Kind,
    interface: &'a Interface,
    tell: &'a mut dyn FnMut(News),
    /// What was found, so that it is said once.
    told: BTreeSet<String>,
}

impl<'a> Trial<'a> {
    fn error(&mut self, rule: &'static str, text: impl fmt::Display) {
        self.found(Finding::error(rule, format!("{}: {text}", self.kind)));
    }

    fn warning(&mut self, rule: &'static str, text: impl fmt::Display) {
        self.found(Finding::warning(rule, format!("{}: {text}", self.kind)));
    }

    fn found(&mut self, finding: Finding) {
        if self.told.insert(finding.to_string()) {
            (self.tell)(News::Found(finding));
        }
    }

    fn stage(&mut self, what: &str) {
        (self.tell)(News::Stage(format!("{}: {what}", self.kind)));
    }

    fn make(&mut self) -> Result<(), Fault> {
        self.stage("loading the library");
        if self.fmu.library(self.kind).is_err() {
            // A library for other machines only cannot be tried here.
            return Ok(());
        }
        let library = match self.fmu.load(self.kind) {
            Ok(library) => library,
            Err(e) if self.interface.flag("needsExecutionTool") => {
                self.warning("Z07", format!("not tried without its tool: {e}"));
                return Ok(());
            }
            Err(e) => return Err(Fault("A001", e.to_string())),
        };
        self.before_instances(&library);
        let alone = self.first_run(&library)?;
        self.repeated(&library, &alone)?;
        self.restored(&library, &alone)?;
        self.other_steps(&library, &alone)?;
        self.sensitivities(&library)?;
        self.stage("unloading the library");
        Ok(())
    }

    fn before_instances(&mut self, library: &Library) {
        let (platform, version) = library.platform_and_version();
        if platform != "default" {
            self.error("A009", format!("fmi2GetTypesPlatform returned `{platform}`"));
        }
        if version != "2.0" {
            self.error("A010", format!("fmi2GetVersion returned `{version}`"));
        }
        self.stage("fmi2Instantiate with a wrong GUID");
        let (name, guid, resources) = ("trial", "{not the guid}", self.fmu.resources());
        if library.instantiate(name, self.kind, guid, &resources, false).is_ok() {
            self.error("A014", "fmi2Instantiate accepts a wrong GUID");
        }
    }

    fn instantiate<'l>(&mut self, library: &'l Library) -> Result<Instance<'l>, Fault> {
        self.stage("fmi2Instantiate");
        let (guid, resources) = (&self.fmu.description.guid, self.fmu.resources());
        library
            .instantiate("trial", self.kind, guid, &resources, false)
            .map_err(|call| Fault("A012", call.to_string()))
    }

    /// A simulation, and the same again after a reset.
    fn first_run(&mut self, library: &Library) -> Result<Vec<Record>, Fault> {
        let mut instance = self.instantiate(library)?;
        instance.take_messages();
        instance.set_debug_logging(true, &[])?;
        let mut run = Run::begin(self, instance)?;
        let alone = run.go(self, STEPS)?;
        self.stage("reading all variables");
        self.finite(&mut run)?;
        self.stage("fmi2Terminate");
        run.instance.terminate()?;
        self.log(&mut run.instance);
        self.stage("fmi2Reset");
        run.instance.reset()?;
        let mut run = Run::begin(self, run.instance)?;
        let again = run.go(self, STEPS)?;
        self.same("A049", "after fmi2Reset", &alone, &again);
        self.stage("fmi2FreeInstance");
        Ok(alone)
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

    /// A068: all variables, read one per call, are finite.
    fn finite(&mut self, run: &mut Run<'_>) -> Result<(), Fault> {
        for v in &self.fmu.description.variables {
            if v.base == Base::String {
                run.instance.get_string(&[v.value_reference])?;
                continue;
            }
            let value = number(&mut run.instance, v)?;
            if !value.is_finite() {
                self.error("A068", format!("{} is {value}", v.name));
            }
        }
        Ok(())
    }

    /// A031 and A067: messages carry declared categories, and nothing to worry about.
    fn log(&mut self, instance: &mut Instance<'_>) {
        let declared = &self.fmu.description.log_categories;
        let messages = instance.take_messages();
        let unknown = messages.iter().find(|m| !declared.contains(&m.category));
        if let Some(message) = unknown.filter(|_| !declared.is_empty()) {
            self.error("A031", format!("log category `{}` is not declared", message.category));
        }
        if let Some(message) = messages.iter().find(|m| m.status != Status::Ok) {
            let (status, text) = (message.status, message.text.trim());
            self.warning("A067", format!("a run without faults logs {status:?}: {text}"));
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
