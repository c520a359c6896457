//! Rules for making, freeing and resetting instances.

use std::fs;
use std::path::Path;

use super::faults::TrialFault;
use super::process_environment;
use super::trial_run::TrialRun;
use super::type_trial::{STEPS, TypeTrial};
use crate::fmi::FmuType;
use crate::fmu;
use crate::host::FmuLibrary;

/// A030 and A048: an instance can be freed and reset in every mode.
pub(super) fn freed_everywhere(
    trial: &mut TypeTrial<'_>,
    library: &FmuLibrary,
) -> Result<(), TrialFault> {
    for reset in [false, true] {
        let (rule, word) = if reset { ("A048", "fmi2Reset") } else { ("A030", "fmi2FreeInstance") };
        let mut instance = trial.instantiate(library)?;
        trial.risk(rule, &format!("{word} of an instance that is not initialized"));
        if reset {
            instance.reset()?;
        }
        drop(instance);
        let mut instance = trial.instantiate(library)?;
        TrialRun::prepare(trial, &mut instance)?;
        trial.risk(rule, &format!("{word} in Initialization Mode"));
        if reset {
            instance.reset()?;
        }
        drop(instance);
        let mut instance = trial.instantiate(library)?;
        TrialRun::prepare(trial, &mut instance)?;
        instance.exit_initialization_mode()?;
        trial.risk(rule, &format!("{word} after initialization"));
        if reset {
            instance.reset()?;
            // After a reset, the instance is like a new one.
            TrialRun::again(trial, instance)?;
            continue;
        }
        drop(instance);
        let instance = trial.instantiate(library)?;
        let mut run = TrialRun::begin(trial, instance)?;
        run.go(trial, 1)?;
        trial.risk(rule, "fmi2FreeInstance after a step");
        drop(run);
    }
    if trial.interface.flag("canGetAndSetFMUstate") {
        let mut instance = trial.instantiate(library)?;
        trial.risk("A079", "fmi2GetFMUstate before initialization");
        match instance.get_state() {
            Ok(state) => instance.free_state(state)?,
            Err(call) => trial.error("A079", format!("before initialization {call}")),
        }
    }
    process_environment::memory(trial);
    Ok(())
}

/// A019, A020 and D013: resources are found by their URI, and read before the end of
/// initialization.
pub(super) fn resources(trial: &mut TypeTrial<'_>) -> Result<(), TrialFault> {
    if trial.is_only_one() {
        return Ok(());
    }
    let library = trial.reload()?;
    let folder = trial.fmu.folder().join("resources");
    let guid = trial.fmu.description.guid.clone();
    if !folder.is_dir() {
        trial.importer_risk("A020", "fmi2Instantiate without a URI of resources");
        if let Err(call) = library.instantiate("trial", trial.fmu_type, &guid, "", false) {
            let text = format!("the FMU has no resources, but needs their URI: {call}");
            trial.warning("A020", text);
        }
        return Ok(());
    }
    let name = tempfile::Builder::new().prefix("fmu # 100% \u{e4} ").tempdir();
    let Ok(copy) = name else { return Ok(()) };
    // The whole FMU is copied, because its library may search for files next to the resources.
    if copy_folder(trial.fmu.folder(), copy.path()).is_err() {
        return Ok(());
    }
    let uri = fmu::uri(&copy.path().join("resources"));
    trial.risk("A019", "resources in a folder with blanks and percent signs");
    let instance = library.instantiate("trial", trial.fmu_type, &guid, &uri, false);
    let run =
        instance.map_err(TrialFault::from).and_then(|instance| TrialRun::begin(trial, instance));
    let mut run = match run {
        Ok(run) => run,
        Err(fault) => {
            let text = format!("with the resources in {uri} {}", fault.text);
            trial.error("A019", text);
            return Ok(());
        }
    };
    trial.risk("D013", "steps after the resources are gone");
    drop(copy);
    if let Err(fault) = run.go(trial, STEPS) {
        let text = format!("resources are read after initialization: {}", fault.text);
        trial.warning("D013", text);
    }
    Ok(())
}

/// A023: an FMU that can be instantiated only once refuses a second instance.
pub(super) fn twice(trial: &mut TypeTrial<'_>, library: &FmuLibrary) {
    trial.importer_risk("A023", "fmi2Instantiate of a second instance");
    let instance = || {
        let (guid, resources) = (&trial.fmu.description.guid, trial.fmu.resources());
        library.instantiate("trial", trial.fmu_type, guid, &resources, false)
    };
    if let (Ok(_first), Ok(_second)) = (instance(), instance()) {
        trial.warning(
            "A023",
            "there can be a second instance, although the flag says that there is only one",
        );
    }
}

/// A013 to A015: the arguments that fmi2Instantiate refuses.
pub(super) fn refusals(trial: &mut TypeTrial<'_>, library: &FmuLibrary) {
    let d = &trial.fmu.description;
    let resources = trial.fmu.resources();
    trial.risk("A014", "fmi2Instantiate with a wrong GUID");
    match library.instantiate("trial", trial.fmu_type, "{not the guid}", &resources, false) {
        Ok(_) => trial.error("A014", "fmi2Instantiate accepts a wrong GUID"),
        Err(call) if call.message.is_empty() => {
            trial.error("A012", "fmi2Instantiate returns NULL and does not log why");
        }
        Err(_) => {}
    }
    trial.importer_risk("A013", "fmi2Instantiate with a blank name");
    if library.instantiate(" ", trial.fmu_type, &d.guid, &resources, false).is_ok() {
        trial.warning("A013", "fmi2Instantiate accepts a blank name");
    }
    let other = match trial.fmu_type {
        FmuType::ModelExchange if d.co_simulation.is_none() => FmuType::CoSimulation,
        FmuType::CoSimulation if d.model_exchange.is_none() => FmuType::ModelExchange,
        _ => return,
    };
    trial.importer_risk("A015", "fmi2Instantiate as the other FMU type");
    if library.instantiate("trial", other, &d.guid, &resources, false).is_ok() {
        trial.warning("A015", format!("fmi2Instantiate makes instances for {other}, too"));
    }
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}
