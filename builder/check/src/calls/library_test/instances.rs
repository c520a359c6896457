//! Rules for making, freeing and resetting instances.

use std::fs;
use std::path::Path;

use super::faults::TestFault;
use super::process_environment;
use super::test_run::TestRun;
use super::type_test::{STEPS, TypeTest};
use fmus::fmi::FmuType;
use fmus::fmu;
use fmus::host::FmuLibrary;

/// A030 and A048: an instance can be freed and reset in every mode.
pub(super) fn freed_everywhere(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
) -> Result<(), TestFault> {
    for reset in [false, true] {
        let (rule, word) = if reset { ("A048", "fmi2Reset") } else { ("A030", "fmi2FreeInstance") };
        let mut instance = test.instantiate(library)?;
        test.risk(rule, &format!("{word} of an instance that is not initialized"));
        if reset {
            instance.reset()?;
        }
        drop(instance);
        let mut instance = test.instantiate(library)?;
        TestRun::prepare(test, &mut instance)?;
        test.risk(rule, &format!("{word} in Initialization Mode"));
        if reset {
            instance.reset()?;
        }
        drop(instance);
        let mut instance = test.instantiate(library)?;
        TestRun::prepare(test, &mut instance)?;
        instance.exit_initialization_mode()?;
        test.risk(rule, &format!("{word} after initialization"));
        if reset {
            instance.reset()?;
            // After a reset, the instance is like a new one.
            TestRun::again(test, instance)?;
            continue;
        }
        drop(instance);
        let instance = test.instantiate(library)?;
        let mut run = TestRun::begin(test, instance)?;
        run.go(test, 1)?;
        test.risk(rule, "fmi2FreeInstance after a step");
        drop(run);
    }
    if test.interface.flag("canGetAndSetFMUstate") {
        let mut instance = test.instantiate(library)?;
        test.risk("A079", "fmi2GetFMUstate before initialization");
        match instance.get_state() {
            Ok(state) => instance.free_state(state)?,
            Err(call) => test.error("A079", format!("before initialization {call}")),
        }
    }
    process_environment::memory(test);
    Ok(())
}

/// A019, A020 and D013: resources are found by their URI, and read before the end of
/// initialization.
pub(super) fn resources(test: &mut TypeTest<'_>) -> Result<(), TestFault> {
    if test.is_only_one() {
        return Ok(());
    }
    let library = test.reload()?;
    let folder = test.fmu.folder().join("resources");
    let guid = test.fmu.description.guid.clone();
    if !folder.is_dir() {
        test.importer_risk("A020", "fmi2Instantiate without a URI of resources");
        if let Err(call) = library.instantiate("test", test.fmu_type, &guid, "", false) {
            let text = format!("the FMU has no resources, but needs their URI: {call}");
            test.warning("A020", text);
        }
        return Ok(());
    }
    let name = tempfile::Builder::new().prefix("fmu # 100% \u{e4} ").tempdir();
    let Ok(copy) = name else { return Ok(()) };
    // The whole FMU is copied, because its library may search for files next to the resources.
    if copy_folder(test.fmu.folder(), copy.path()).is_err() {
        return Ok(());
    }
    let uri = fmu::uri(&copy.path().join("resources"));
    test.risk("A019", "resources in a folder with blanks and percent signs");
    let instance = library.instantiate("test", test.fmu_type, &guid, &uri, false);
    let run = instance.map_err(TestFault::from).and_then(|instance| TestRun::begin(test, instance));
    let mut run = match run {
        Ok(run) => run,
        Err(fault) => {
            let text = format!("with the resources in {uri} {}", fault.text);
            test.error_due_to("A019", "A019", text);
            return Ok(());
        }
    };
    test.risk("D013", "steps after the resources are gone");
    drop(copy);
    if let Err(fault) = run.go(test, STEPS) {
        let text = format!("resources are read after initialization: {}", fault.text);
        test.warning("D013", text);
    }
    Ok(())
}

/// A023: an FMU that can be instantiated only once refuses a second instance.
pub(super) fn twice(test: &mut TypeTest<'_>, library: &FmuLibrary) {
    test.importer_risk("A023", "fmi2Instantiate of a second instance");
    let instance = || {
        let (guid, resources) = (&test.fmu.description.guid, test.fmu.resources());
        library.instantiate("test", test.fmu_type, guid, &resources, false)
    };
    if let (Ok(_first), Ok(_second)) = (instance(), instance()) {
        test.warning(
            "A023",
            "there can be a second instance, although the flag says that there is only one",
        );
    }
}

/// A013 to A015: the arguments that fmi2Instantiate refuses.
pub(super) fn refusals(test: &mut TypeTest<'_>, library: &FmuLibrary) {
    let d = &test.fmu.description;
    let resources = test.fmu.resources();
    test.risk("A014", "fmi2Instantiate with a wrong GUID");
    match library.instantiate("test", test.fmu_type, "{not the guid}", &resources, false) {
        Ok(_) => test.error("A014", "fmi2Instantiate accepts a wrong GUID"),
        Err(call) if call.message.is_empty() => {
            test.error("A012", "fmi2Instantiate returns NULL and does not log why");
        }
        Err(_) => {}
    }
    test.importer_risk("A013", "fmi2Instantiate with a blank name");
    if library.instantiate(" ", test.fmu_type, &d.guid, &resources, false).is_ok() {
        test.warning("A013", "fmi2Instantiate accepts a blank name");
    }
    let other = match test.fmu_type {
        FmuType::ModelExchange if d.co_simulation.is_none() => FmuType::CoSimulation,
        FmuType::CoSimulation if d.model_exchange.is_none() => FmuType::ModelExchange,
        _ => return,
    };
    test.importer_risk("A015", "fmi2Instantiate as the other FMU type");
    if library.instantiate("test", other, &d.guid, &resources, false).is_ok() {
        test.warning("A015", format!("fmi2Instantiate makes instances for {other}, too"));
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
