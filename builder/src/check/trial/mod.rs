//! The trial of an FMU: runs its library for a few steps and checks the results.

mod faults;
mod getters_and_setters;
mod instances;
mod modes;
mod process_environment;
mod promises;
mod run_comparison;
mod sensitivities;
mod start_values;
mod steps;
mod strictness;
mod trial_run;
mod type_trial;

use std::path::Path;

use crate::error::Error;
use crate::fmi::{FmuType, Status};
use crate::fmu::Fmu;
use crate::host::{FmuLibrary, Instance};
pub use type_trial::TrialMessage;

use faults::TrialFault;
use process_environment::ProcessEnvironment;
use run_comparison::Exactness;
use trial_run::{Record, TrialRun};
use type_trial::{EarlierFindings, STEPS, TypeTrial};

/// Tries an FMU in this process; `report` receives every report immediately, because the FMU may
/// crash.
///
/// # Errors
/// If the file is not an FMU.
pub fn trial(path: &Path, report: &mut dyn FnMut(TrialMessage)) -> Result<(), Error> {
    let fmu = Fmu::open(path)?;
    let mut earlier = EarlierFindings::default();
    let mut tried = Vec::new();
    for (fmu_type, interface) in [
        (FmuType::ModelExchange, &fmu.description.model_exchange),
        (FmuType::CoSimulation, &fmu.description.co_simulation),
    ] {
        let Some(interface) = interface else { continue };
        let mut trial = TypeTrial::new(&fmu, fmu_type, interface, &mut *report, &mut earlier);
        match try_type(&mut trial) {
            Ok(true) => tried.push((fmu_type, interface)),
            Ok(false) => {}
            Err(fault) => trial.error(fault.rule, fault.text),
        }
        trial.unknown_statuses();
    }
    for (name, part) in LAST_PARTS {
        for (fmu_type, interface) in &tried {
            TypeTrial::new(&fmu, *fmu_type, interface, &mut *report, &mut earlier).part(name, part);
        }
    }
    Ok(())
}

/// A part of the trial that loads the library again.
type LastPart = fn(&mut TypeTrial<'_>) -> Result<(), TrialFault>;

/// The last parts, which may end the process: the FMU is moved, and then the importer makes
/// mistakes.
const LAST_PARTS: [(&str, LastPart); 3] = [
    ("resources", instances::resources),
    ("faults of importers", strictness::check),
    ("freeing nothing", strictness::free_nothing),
];

/// Tries everything that the standard allows; false if nothing can be tried here.
fn try_type(trial: &mut TypeTrial<'_>) -> Result<bool, TrialFault> {
    if trial.fmu.library(trial.fmu_type).is_err() {
        // The library is for other machines only.
        return Ok(false);
    }
    let before = ProcessEnvironment::now(trial.fmu);
    let tool = trial.interface.flag("needsExecutionTool");
    let library = match trial.load() {
        Err(fault) if tool => {
            trial.warning("D021", format!("not tried without its tool: {}", fault.text));
            return Ok(false);
        }
        library => library?,
    };
    before_instances(trial, &library);
    let instance = match trial.logging(&library) {
        Err(fault) if tool => {
            trial.warning("D021", format!("not tried without its tool: {}", fault.text));
            return Ok(false);
        }
        instance => instance?,
    };
    trial.phase = "the first run";
    let (alone, again) = first_run(trial, instance)?;
    process_environment::memory(trial);
    if trial.is_only_one() {
        // A second instance is not allowed, so only one run, and another one after a reset, are
        // possible.
        run_comparison::same(trial, "A049", "after fmi2Reset", &alone, &again, Exactness::Rounded);
        before.compare(trial);
        return Ok(true);
    }
    // Each of these parts begins with an instance of its own, so that all can be tried.
    trial.part("values", |trial| getters_and_setters::check(trial, &library));
    trial.part("a second run", |trial| {
        is_determined(trial, &library, &alone, &again)?;
        run_comparison::same(trial, "A049", "after fmi2Reset", &alone, &again, Exactness::Rounded);
        trial.part("two instances", |trial| promises::repeated(trial, &library, &alone));
        trial.part("restoring", |trial| promises::restored(trial, &library, &alone));
        trial.part("other steps", |trial| promises::other_steps(trial, &library, &alone));
        Ok(())
    });
    trial.part("dependencies", |trial| sensitivities::check(trial, &library));
    trial.part("derivatives of inputs", |trial| steps::input_derivatives(trial, &library));
    trial.part("derivatives of outputs", |trial| steps::output_derivatives(trial, &library));
    trial.part("continuous time", |trial| modes::continuous_time(trial, &library));
    trial.part("initialization", |trial| modes::initialization_mode(trial, &library));
    trial.part("freeing and resetting", |trial| instances::freed_everywhere(trial, &library));
    trial.phase = "";
    before.compare(trial);
    trial.risk("A007", "unloading the library");
    Ok(true)
}

fn before_instances(trial: &mut TypeTrial<'_>, library: &FmuLibrary) {
    let (platform, version) = library.platform_and_version();
    if platform != "default" {
        trial.error("A009", format!("fmi2GetTypesPlatform returned `{platform}`"));
    }
    if version != "2.0" {
        trial.error("A010", format!("fmi2GetVersion returned `{version}`"));
    }
}

/// A simulation, which is repeated after a reset.
fn first_run(
    trial: &mut TypeTrial<'_>,
    mut instance: Instance<'_>,
) -> Result<(Vec<Record>, Vec<Record>), TrialFault> {
    instance.take_back();
    let mut run = TrialRun::begin(trial, instance)?;
    let alone = run.go(trial, STEPS)?;
    trial.stage("reading all variables");
    getters_and_setters::plausible(trial, &mut run.instance)?;
    let last = run.record(&trial.fmu.description)?;
    trial.stage("fmi2Terminate");
    run.instance.terminate()?;
    log(trial, &mut run.instance);
    after_the_end(trial, &mut run, last);
    trial.stage("fmi2Reset");
    run.instance.reset()?;
    trial.quiet(&mut run.instance);
    let mut run = TrialRun::again(trial, run.instance)?;
    let again = run.go(trial, STEPS)?;
    log_off(trial, &mut run.instance);
    trial.stage("fmi2FreeInstance");
    Ok((alone, again))
}

/// A005: a new instance gives the same results as the first one; otherwise runs of different
/// instances are not compared from here on.
fn is_determined(
    trial: &mut TypeTrial<'_>,
    library: &FmuLibrary,
    alone: &[Record],
    again: &[Record],
) -> Result<(), TrialFault> {
    let instance = trial.instantiate(library)?;
    let mut run = TrialRun::begin(trial, instance)?;
    let second = run.go(trial, STEPS)?;
    let Some(text) = run_comparison::difference(trial, alone, &second, Exactness::Rounded) else {
        return Ok(());
    };
    if run_comparison::difference(trial, alone, again, Exactness::Rounded).is_none() {
        // The same instance repeats its run, so another instance causes the difference.
        trial.error("A005", format!("after another instance {text}"));
    } else {
        trial.warning("A005", format!("in a second run {text}: runs cannot be compared"));
    }
    trial.comparable = false;
    Ok(())
}

/// A066: values can be read after fmi2Terminate.
fn after_the_end(trial: &mut TypeTrial<'_>, run: &mut TrialRun<'_>, last: Record) {
    trial.risk("A066", "reading all variables after fmi2Terminate");
    match run.record(&trial.fmu.description) {
        Ok(record) => run_comparison::same(
            trial,
            "A066",
            "after fmi2Terminate",
            &[last],
            &[record],
            Exactness::Rounded,
        ),
        Err(fault) => trial.error("A066", format!("after fmi2Terminate {}", fault.text)),
    }
}

/// A031 and A067: messages have declared categories, and a run without faults logs no problems.
fn log(trial: &mut TypeTrial<'_>, instance: &mut Instance<'_>) {
    let declared = &trial.fmu.description.log_categories;
    let messages = instance.take_messages();
    let unknown = messages.iter().find(|m| !declared.contains(&m.category));
    if let Some(message) = unknown.filter(|_| !declared.is_empty()) {
        trial.error("A031", format!("log category `{}` is not declared", message.category));
    }
    if let Some(message) = messages.iter().find(|m| m.status != Status::Ok) {
        let (status, text) = (message.status, message.text.trim());
        trial.warning("A067", format!("a run without faults logs {status:?}: {text}"));
    }
    if let Some(message) = messages.iter().find(|m| m.text.ends_with('\n')) {
        let text = message.text.trim();
        trial.warning("A034", format!("the message `{text}` ends with a line break"));
    }
    if instance.misnamed() {
        let text = "messages do not have the instance name that was given to fmi2Instantiate";
        trial.error("A018", text);
    }
    if instance.late() {
        let text = "the name or the struct of callbacks is used after fmi2Instantiate";
        trial.warning("A017", text);
    }
}

/// A032: messages that are switched off are not logged, except for errors.
fn log_off(trial: &mut TypeTrial<'_>, instance: &mut Instance<'_>) {
    let messages = instance.take_messages();
    if let Some(message) = messages.iter().find(|m| m.status == Status::Ok) {
        let text = message.text.trim();
        trial.warning("A032", format!("logging is off, but it logs: {text}"));
    }
}
