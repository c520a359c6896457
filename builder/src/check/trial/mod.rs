//! Runs an FMU for a few steps and looks at what it answers, and whether it keeps its promises.

mod faults;
mod instances;
mod modes;
mod promises;
mod run;
mod sensitivities;
mod steps;
mod strictness;
mod surroundings;
mod values;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use super::Finding;
use crate::error::Error;
use crate::fmu::Fmu;
use crate::host::{Instance, Kind, Library, Status};
use crate::read::Interface;
use faults::Fault;
use run::{Record, Run};
use surroundings::Surroundings;

/// How many steps are made.
const STEPS: u32 = 10;

/// What is said while an FMU is tried.
#[derive(Clone, Debug)]
pub enum News {
    /// What is about to be done, and the rule that is broken if the process does not survive it.
    Stage(&'static str, String),
    /// A rule that the FMU breaks.
    Found(Finding),
}

/// Tries an FMU in this process; `tell` hears the news at once, for the FMU may crash.
///
/// # Errors
/// The file is not an FMU.
pub fn trial(path: &Path, tell: &mut dyn FnMut(News)) -> Result<(), Error> {
    let fmu = Fmu::open(path)?;
    let mut told = BTreeSet::new();
    let mut tried = Vec::new();
    for (kind, interface) in [
        (Kind::ModelExchange, &fmu.description.model_exchange),
        (Kind::CoSimulation, &fmu.description.co_simulation),
    ] {
        let Some(interface) = interface else { continue };
        let mut trial = Trial { fmu: &fmu, kind, interface, tell: &mut *tell, told: &mut told };
        match trial.make() {
            Ok(true) => tried.push((kind, interface)),
            Ok(false) => {}
            Err(fault) => trial.error(fault.0, fault.1),
        }
    }
    // What only importers with faults do comes last: it may end the process.
    for phase in 0..3 {
        for (kind, interface) in &tried {
            let (kind, tell, told) = (*kind, &mut *tell, &mut told);
            let mut trial = Trial { fmu: &fmu, kind, interface, tell, told };
            match trial.load() {
                Ok(library) => match phase {
                    0 => trial.part(|trial| trial.resources(&library)),
                    1 => trial.part(|trial| trial.strictness(&library)),
                    _ => trial.free_nothing(&library),
                },
                Err(fault) => trial.error("A007", fault.1),
            }
        }
    }
    Ok(())
}

/// The trial of one kind of an FMU.
struct Trial<'a> {
    fmu: &'a Fmu,
    kind: Kind,
    interface: &'a Interface,
    tell: &'a mut dyn FnMut(News),
    /// What was found, so that it is said once.
    told: &'a mut BTreeSet<String>,
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
        self.risk("A006", what);
    }

    /// A stage that breaks a rule of its own where the process ends.
    fn risk(&mut self, rule: &'static str, what: &str) {
        (self.tell)(News::Stage(rule, format!("{}: {what}", self.kind)));
    }

    fn load(&mut self) -> Result<Library, Fault> {
        self.risk("A007", "loading the library");
        self.fmu.load(self.kind).map_err(|e| Fault("D010", e.to_string()))
    }

    /// Tries all that the standard allows; false where nothing can be tried here.
    fn make(&mut self) -> Result<bool, Fault> {
        if self.fmu.library(self.kind).is_err() {
            // A library for other machines only.
            return Ok(false);
        }
        let before = Surroundings::now(self.fmu);
        let tool = self.interface.flag("needsExecutionTool");
        let library = match self.load() {
            Err(fault) if tool => {
                self.warning("D021", format!("not tried without its tool: {}", fault.1));
                return Ok(false);
            }
            library => library?,
        };
        self.before_instances(&library);
        if let Err(fault) = self.instantiate(&library).map(drop) {
            if !tool {
                return Err(fault);
            }
            self.warning("D021", format!("not tried without its tool: {}", fault.1));
            return Ok(false);
        }
        let alone = self.first_run(&library)?;
        self.memory();
        // Each of these begins with an instance of its own, so that all can be tried.
        self.part(|trial| trial.values(&library));
        self.part(|trial| trial.repeated(&library, &alone));
        self.part(|trial| trial.restored(&library, &alone));
        self.part(|trial| trial.other_steps(&library, &alone));
        self.part(|trial| trial.sensitivities(&library));
        self.part(|trial| trial.input_derivatives(&library));
        self.part(|trial| trial.output_derivatives(&library));
        self.part(|trial| trial.continuous_time(&library));
        self.part(|trial| trial.initialization_mode(&library));
        self.part(|trial| trial.freed_everywhere(&library));
        before.compare(self);
        self.risk("A007", "unloading the library");
        Ok(true)
    }

    /// A part of the trial that may fail without an end to the others.
    fn part(&mut self, part: impl FnOnce(&mut Self) -> Result<(), Fault>) {
        if let Err(fault) = part(self) {
            self.error(fault.0, fault.1);
        }
    }

    fn before_instances(&mut self, library: &Library) {
        let (platform, version) = library.platform_and_version();
        if platform != "default" {
            self.error("A009", format!("fmi2GetTypesPlatform returned `{platform}`"));
        }
        if version != "2.0" {
            self.error("A010", format!("fmi2GetVersion returned `{version}`"));
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
        instance.take_back();
        instance.take_messages();
        instance.set_debug_logging(true, &[])?;
        let mut run = Run::begin(self, instance)?;
        let alone = run.go(self, STEPS)?;
        self.stage("reading all variables");
        self.plausible(&mut run.instance)?;
        let last = run.record(&self.fmu.description)?;
        self.stage("fmi2Terminate");
        run.instance.terminate()?;
        self.log(&mut run.instance);
        self.after_the_end(&mut run, last);
        self.stage("fmi2Reset");
        run.instance.reset()?;
        self.quiet(&mut run.instance)?;
        let mut run = Run::begin(self, run.instance)?;
        let again = run.go(self, STEPS)?;
        self.same("A049", "after fmi2Reset", &alone, &again);
        self.log_off(&mut run.instance);
        self.stage("fmi2FreeInstance");
        Ok(alone)
    }

    /// A066: after fmi2Terminate the values are still there.
    fn after_the_end(&mut self, run: &mut Run<'_>, last: Record) {
        self.stage("reading all variables after fmi2Terminate");
        match run.record(&self.fmu.description) {
            Ok(record) => self.same("A066", "after fmi2Terminate", &[last], &[record]),
            Err(Fault(_, text)) => self.error("A066", format!("after fmi2Terminate {text}")),
        }
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
        if let Some(message) = messages.iter().find(|m| m.text.ends_with('\n')) {
            let text = message.text.trim();
            self.warning("A034", format!("the message `{text}` ends with a line break"));
        }
        if instance.misnamed() {
            let text = "messages do not carry the name that fmi2Instantiate was given";
            self.error("A018", text);
        }
        if instance.late() {
            let text = "the name or the struct of callbacks is used after fmi2Instantiate";
            self.warning("A017", text);
        }
    }

    /// Switches the logging off.
    fn quiet(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        self.stage("fmi2SetDebugLogging");
        instance.set_debug_logging(false, &[])?;
        instance.take_messages();
        Ok(())
    }

    /// A032: what is switched off is not logged, unless it is an error.
    fn log_off(&mut self, instance: &mut Instance<'_>) {
        let messages = instance.take_messages();
        if let Some(message) = messages.iter().find(|m| m.status == Status::Ok) {
            let text = message.text.trim();
            self.warning("A032", format!("logging is off, but it logs: {text}"));
        }
    }
}
