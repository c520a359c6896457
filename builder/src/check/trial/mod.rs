//! The trial of an FMU: runs its library for a few steps and checks the answers.

mod comparison;
mod faults;
mod getters_and_setters;
mod instances;
mod modes;
mod process_environment;
mod promises;
mod run;
mod sensitivities;
mod session;
mod start_values;
mod steps;
mod strictness;

use std::path::Path;

use crate::error::Error;
use crate::fmi::{FmuType, Status};
use crate::fmu::Fmu;
use crate::host::{FmuLibrary, Instance};
pub use session::Report;

use comparison::Compared;
use faults::Fault;
use process_environment::ProcessEnvironment;
use run::{Record, Run};
use session::{History, STEPS, Trial};

/// Tries an FMU in this process; `report` receives everything at once, since the FMU may crash.
///
/// # Errors
/// The file is not an FMU.
pub fn trial(path: &Path, report: &mut dyn FnMut(Report)) -> Result<(), Error> {
    let fmu = Fmu::open(path)?;
    let mut history = History::default();
    let mut tried = Vec::new();
    for (fmu_type, interface) in [
        (FmuType::ModelExchange, &fmu.description.model_exchange),
        (FmuType::CoSimulation, &fmu.description.co_simulation),
    ] {
        let Some(interface) = interface else { continue };
        let mut trial = Trial::new(&fmu, fmu_type, interface, &mut *report, &mut history);
        match trial.make() {
            Ok(true) => tried.push((fmu_type, interface)),
            Ok(false) => {}
            Err(fault) => trial.error(fault.rule, fault.text),
        }
        trial.unknown_statuses();
    }
    for (name, part) in LAST_PARTS {
        for (fmu_type, interface) in &tried {
            Trial::new(&fmu, *fmu_type, interface, &mut *report, &mut history).part(name, part);
        }
    }
    Ok(())
}

/// A part of the trial that loads the library itself, if there is anything to try.
type LastPart = fn(&mut Trial<'_>) -> Result<(), Fault>;

/// What comes last, because it may end the process: the FMU is moved, and then importers with
/// faults come.
const LAST_PARTS: [(&str, LastPart); 3] = [
    ("resources", |trial| trial.resources()),
    ("faults of importers", |trial| trial.strictness()),
    ("freeing nothing", |trial| trial.free_nothing()),
];

impl<'a> Trial<'a> {
    /// Tries all that the standard allows; false where nothing can be tried here.
    fn make(&mut self) -> Result<bool, Fault> {
        if self.fmu.library(self.fmu_type).is_err() {
            // A library for other machines only.
            return Ok(false);
        }
        let before = ProcessEnvironment::now(self.fmu);
        let tool = self.interface.flag("needsExecutionTool");
        let library = match self.load() {
            Err(fault) if tool => {
                self.warning("D021", format!("not tried without its tool: {}", fault.text));
                return Ok(false);
            }
            library => library?,
        };
        self.before_instances(&library);
        let instance = match self.logging(&library) {
            Err(fault) if tool => {
                self.warning("D021", format!("not tried without its tool: {}", fault.text));
                return Ok(false);
            }
            instance => instance?,
        };
        self.phase = "the first run";
        let (alone, again) = self.first_run(instance)?;
        self.memory();
        if self.is_only_one() {
            // Any other instance may break it: what one run and a reset show is all there is.
            self.same("A049", "after fmi2Reset", &alone, &again, Compared::Rounded);
            before.compare(self);
            return Ok(true);
        }
        // Each of these begins with an instance of its own, so that all can be tried.
        self.part("values", |trial| trial.values(&library));
        self.part("a second run", |trial| {
            trial.is_determined(&library, &alone, &again)?;
            trial.same("A049", "after fmi2Reset", &alone, &again, Compared::Rounded);
            trial.part("two instances", |trial| trial.repeated(&library, &alone));
            trial.part("restoring", |trial| trial.restored(&library, &alone));
            trial.part("other steps", |trial| trial.other_steps(&library, &alone));
            Ok(())
        });
        self.part("dependencies", |trial| trial.sensitivities(&library));
        self.part("derivatives of inputs", |trial| trial.input_derivatives(&library));
        self.part("derivatives of outputs", |trial| trial.output_derivatives(&library));
        self.part("continuous time", |trial| trial.continuous_time(&library));
        self.part("initialization", |trial| trial.initialization_mode(&library));
        self.part("freeing and resetting", |trial| trial.freed_everywhere(&library));
        self.phase = "";
        before.compare(self);
        self.risk("A007", "unloading the library");
        Ok(true)
    }

    fn before_instances(&mut self, library: &FmuLibrary) {
        let (platform, version) = library.platform_and_version();
        if platform != "default" {
            self.error("A009", format!("fmi2GetTypesPlatform returned `{platform}`"));
        }
        if version != "2.0" {
            self.error("A010", format!("fmi2GetVersion returned `{version}`"));
        }
    }

    /// A simulation, and the same again after a reset.
    fn first_run(
        &mut self,
        mut instance: Instance<'_>,
    ) -> Result<(Vec<Record>, Vec<Record>), Fault> {
        instance.take_back();
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
        self.quiet(&mut run.instance);
        let mut run = Run::again(self, run.instance)?;
        let again = run.go(self, STEPS)?;
        self.log_off(&mut run.instance);
        self.stage("fmi2FreeInstance");
        Ok((alone, again))
    }

    /// A005: a new instance does what the first one did; otherwise runs of different instances are
    /// not compared from now on.
    fn is_determined(
        &mut self,
        library: &FmuLibrary,
        alone: &[Record],
        again: &[Record],
    ) -> Result<(), Fault> {
        let instance = self.instantiate(library)?;
        let mut run = Run::begin(self, instance)?;
        let second = run.go(self, STEPS)?;
        let Some(text) = self.difference(alone, &second, Compared::Rounded) else { return Ok(()) };
        if self.difference(alone, again, Compared::Rounded).is_none() {
            // An instance repeats its run, so that the difference comes from another one.
            self.error("A005", format!("after another instance {text}"));
        } else {
            self.warning("A005", format!("in a second run {text}: runs cannot be compared"));
        }
        self.comparable = false;
        Ok(())
    }

    /// A066: after fmi2Terminate the values are still there.
    fn after_the_end(&mut self, run: &mut Run<'_>, last: Record) {
        self.risk("A066", "reading all variables after fmi2Terminate");
        match run.record(&self.fmu.description) {
            Ok(record) => {
                self.same("A066", "after fmi2Terminate", &[last], &[record], Compared::Rounded)
            }
            Err(fault) => self.error("A066", format!("after fmi2Terminate {}", fault.text)),
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

    /// A032: what is switched off is not logged, unless it is an error.
    fn log_off(&mut self, instance: &mut Instance<'_>) {
        let messages = instance.take_messages();
        if let Some(message) = messages.iter().find(|m| m.status == Status::Ok) {
            let text = message.text.trim();
            self.warning("A032", format!("logging is off, but it logs: {text}"));
        }
    }
}
