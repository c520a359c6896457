//! The library test of an FMU: runs its library for a few steps and checks the results.

mod faults;
mod getters_and_setters;
mod instances;
mod modes;
mod process_environment;
mod promises;
mod restless;
mod run_comparison;
mod sensitivities;
mod start_values;
mod steps;
mod strictness;
mod test_run;
mod type_test;

use std::path::Path;

use fmus::error::Error;
use fmus::fmi::{FmuType, Status};
use fmus::fmu::Fmu;
use fmus::host::{FmuLibrary, Instance};
pub use type_test::TestMessage;

use faults::TestFault;
use process_environment::ProcessEnvironment;
use run_comparison::Exactness;
use test_run::{Record, TestRun};
use type_test::{EarlierFindings, STEPS, TypeTest};

/// Tries an FMU in this process; `report` receives every report immediately, because the FMU may
/// crash.
///
/// # Errors
/// If the file is not an FMU.
pub fn test(path: &Path, report: &mut dyn FnMut(TestMessage)) -> Result<(), Error> {
    let fmu = Fmu::open(path)?;
    let mut earlier = EarlierFindings::default();
    let mut tried = Vec::new();
    for (fmu_type, interface) in [
        (FmuType::ModelExchange, &fmu.description.model_exchange),
        (FmuType::CoSimulation, &fmu.description.co_simulation),
    ] {
        let Some(interface) = interface else { continue };
        let mut test = TypeTest::new(&fmu, fmu_type, interface, &mut *report, &mut earlier);
        match try_type(&mut test) {
            Ok(true) => tried.push((fmu_type, interface, test.refinement)),
            Ok(false) => {}
            Err(fault) => test.fault(fault),
        }
        test.unknown_statuses();
    }
    for (name, part) in LAST_PARTS {
        for (fmu_type, interface, refinement) in &tried {
            let mut test = TypeTest::new(&fmu, *fmu_type, interface, &mut *report, &mut earlier);
            test.refinement = *refinement;
            test.part(name, part);
        }
    }
    Ok(())
}

/// A part of the library test that loads the library again.
type LastPart = fn(&mut TypeTest<'_>) -> Result<(), TestFault>;

/// The last parts, which may end the process: the FMU is moved, and then the importer makes
/// mistakes.
const LAST_PARTS: [(&str, LastPart); 3] = [
    ("resources", instances::resources),
    ("faults of importers", strictness::check),
    ("freeing nothing", strictness::free_nothing),
];

/// Tries everything that the standard allows; false if nothing can be tried here.
fn try_type(test: &mut TypeTest<'_>) -> Result<bool, TestFault> {
    if test.fmu.library(test.fmu_type).is_err() {
        // The library is for other machines only.
        return Ok(false);
    }
    let before = ProcessEnvironment::now(test.fmu);
    let tool = test.interface.flag("needsExecutionTool");
    let library = match test.load() {
        Err(fault) if tool => {
            test.warning("D021", format!("not tried without its tool: {}", fault.text));
            return Ok(false);
        }
        library => library?,
    };
    before_instances(test, &library);
    let instance = match test.logging(&library) {
        Err(fault) if tool => {
            test.warning("D021", format!("not tried without its tool: {}", fault.text));
            return Ok(false);
        }
        instance => instance?,
    };
    test.phase = "the first run";
    let (alone, again) = match first_run(test, instance) {
        Err(fault) if fault.is_legal() && may_refine(test) => {
            test.refinement = REFINEMENT;
            let instance = test.logging(&library)?;
            first_run(test, instance)?
        }
        runs => runs?,
    };
    process_environment::memory(test);
    if test.is_only_one() {
        // A second instance is not allowed, so only one run, and another one after a reset, are
        // possible.
        same_after_reset(test, &alone, &again);
        before.compare(test);
        return Ok(true);
    }
    // Each of these parts begins with an instance of its own, so that all can be tried.
    test.part("values", |test| getters_and_setters::check(test, &library));
    test.part("a second run", |test| {
        is_determined(test, &library, &alone, &again)?;
        same_after_reset(test, &alone, &again);
        test.part("two instances", |test| promises::repeated(test, &library, &alone));
        test.part("restoring", |test| promises::restored(test, &library, &alone));
        test.part("other steps", |test| promises::other_steps(test, &library, &alone));
        Ok(())
    });
    test.part("dependencies", |test| sensitivities::check(test, &library));
    test.part("derivatives of inputs", |test| steps::input_derivatives(test, &library));
    test.part("derivatives of outputs", |test| steps::output_derivatives(test, &library));
    test.part("continuous time", |test| modes::continuous_time(test, &library));
    test.part("initialization", |test| modes::initialization_mode(test, &library));
    test.part("freeing and resetting", |test| instances::freed_everywhere(test, &library));
    test.phase = "";
    before.compare(test);
    test.risk("A007", "unloading the library");
    Ok(true)
}

fn before_instances(test: &mut TypeTest<'_>, library: &FmuLibrary) {
    let (platform, version) = library.platform_and_version();
    if platform != "default" {
        test.error("A009", format!("fmi2GetTypesPlatform returned `{platform}`"));
    }
    if version != "2.0" {
        test.error("A010", format!("fmi2GetVersion returned `{version}`"));
    }
}

/// The length of the steps, relative to those of the description, with which a run of Model
/// Exchange is repeated that the FMU has discarded: Euler's method may have left its domain.
const REFINEMENT: f64 = 0.01;

/// Whether the first run can be repeated with shorter steps.
fn may_refine(test: &TypeTest<'_>) -> bool {
    test.fmu_type == FmuType::ModelExchange && test.refinement == 1.0 && !test.is_only_one()
}

/// A049: a run after a reset repeats the first one; wrong start values were reported already.
fn same_after_reset(test: &mut TypeTest<'_>, alone: &[Record], again: &[Record]) {
    if !test.reset_differs {
        let rule = ("A049", "A049");
        run_comparison::same(test, rule, "after fmi2Reset", alone, again, Exactness::Rounded);
    }
}

/// A simulation, which is repeated after a reset.
fn first_run(
    test: &mut TypeTest<'_>,
    mut instance: Instance<'_>,
) -> Result<(Vec<Record>, Vec<Record>), TestFault> {
    instance.take_back();
    let mut run = TestRun::begin(test, instance)?;
    let alone = run.go(test, STEPS)?;
    test.stage("reading all variables");
    getters_and_setters::plausible(test, &mut run.instance)?;
    restless::watch(test, &mut run, restless::MOMENT)?;
    let last = run.record(&test.fmu.description)?;
    test.stage("fmi2Terminate");
    run.instance.terminate()?;
    log(test, &mut run.instance);
    after_the_end(test, &mut run, last);
    test.stage("fmi2Reset");
    run.instance.reset()?;
    test.quiet(&mut run.instance);
    let mut run = TestRun::again(test, run.instance)?;
    let again = run.go(test, STEPS)?;
    log_off(test, &mut run.instance);
    test.stage("fmi2FreeInstance");
    Ok((alone, again))
}

/// A005: a new instance gives the same results as the first one; otherwise runs of different
/// instances are not compared from here on.
fn is_determined(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
    alone: &[Record],
    again: &[Record],
) -> Result<(), TestFault> {
    let instance = test.instantiate(library)?;
    let mut run = TestRun::begin(test, instance)?;
    let second = run.go(test, STEPS)?;
    restless::in_no_run(test, alone, [again, &second]);
    if run_comparison::difference(test, alone, &second, Exactness::Rounded).is_some() {
        restless::watch(test, &mut run, restless::SECOND)?;
    }
    let Some(text) = run_comparison::difference(test, alone, &second, Exactness::Rounded) else {
        return Ok(());
    };
    if run_comparison::difference(test, alone, again, Exactness::Rounded).is_none() {
        // The same instance repeats its run, so another instance causes the difference.
        test.error_due_to("A005", "A005", format!("after another instance {text}"));
    } else {
        let text = format!("in a second run {text}: runs cannot be compared");
        test.warning_due_to("A005", "A005", text);
    }
    test.comparable = false;
    Ok(())
}

/// A066: values can be read after fmi2Terminate; that they differ then is legal.
fn after_the_end(test: &mut TypeTest<'_>, run: &mut TestRun<'_>, last: Record) {
    test.risk("A066", "reading all variables after fmi2Terminate");
    match difference_at_the_end(test, run, last) {
        Ok(None) => {}
        Ok(Some(text)) => test.note_due_to("A066", "A066", format!("after fmi2Terminate {text}")),
        Err(fault) => test.error("A066", format!("after fmi2Terminate {}", fault.text)),
    }
}

/// A variable that does not have its last value, though time alone does not change it.
fn difference_at_the_end(
    test: &mut TypeTest<'_>,
    run: &mut TestRun<'_>,
    last: Record,
) -> Result<Option<String>, TestFault> {
    let (last, now) = ([last], [run.record(&test.fmu.description)?]);
    let difference =
        |test: &TypeTest<'_>| run_comparison::difference(test, &last, &now, Exactness::Rounded);
    if difference(test).is_some() {
        restless::watch(test, run, restless::SECOND)?;
    }
    Ok(difference(test))
}

/// A031 and A067: messages have declared categories, and a run without faults logs no problems.
fn log(test: &mut TypeTest<'_>, instance: &mut Instance<'_>) {
    let declared = &test.fmu.description.log_categories;
    let messages = instance.take_messages();
    let unknown = messages.iter().find(|m| !declared.contains(&m.category));
    if let Some(message) = unknown.filter(|_| !declared.is_empty()) {
        test.error("A031", format!("log category `{}` is not declared", message.category));
    }
    if let Some(message) = messages.iter().find(|m| m.status != Status::Ok) {
        let (status, text) = (message.status, message.text.trim());
        test.warning("A067", format!("a run without faults logs {status:?}: {text}"));
    }
    if let Some(message) = messages.iter().find(|m| m.text.ends_with('\n')) {
        let text = message.text.trim();
        test.warning("A034", format!("the message `{text}` ends with a line break"));
    }
    if instance.misnamed() {
        let text = "messages do not have the instance name that was given to fmi2Instantiate";
        test.error("A018", text);
    }
    if instance.late() {
        let text = "the name or the struct of callbacks is used after fmi2Instantiate";
        test.warning("A017", text);
    }
}

/// A032: messages that are switched off are not logged, except for errors.
fn log_off(test: &mut TypeTest<'_>, instance: &mut Instance<'_>) {
    let messages = instance.take_messages();
    if let Some(message) = messages.iter().find(|m| m.status == Status::Ok) {
        let text = message.text.trim();
        test.warning("A032", format!("logging is off, but it logs: {text}"));
    }
}
