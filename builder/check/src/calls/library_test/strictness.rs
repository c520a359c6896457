//! Rules for the reaction of a library to mistakes of the importer.

use super::faults::TestFault;
use super::instances;
use super::test_run::TestRun;
use super::type_test::TypeTest;
use fmus::fmi::{FmuType, Status};
use fmus::host::{FmuLibrary, ModelExchangeArray};
use fmus::model_description::Base;

/// A012 to A015, A036, A048, A053, A083 and A085: mistakes of the importer are refused.
pub(super) fn check(test: &mut TypeTest<'_>) -> Result<(), TestFault> {
    let library = test.reload()?;
    if test.is_only_one() {
        instances::twice(test, &library);
        return Ok(());
    }
    instances::refusals(test, &library);
    if test.fmu_type == FmuType::ModelExchange {
        no_states(test, &library)?;
        lengths(test, &library)?;
    }
    let instance = test.logging(&library)?;
    let mut run = TestRun::begin(test, instance)?;
    let instance = &mut run.instance;
    instance.take_messages();
    let reals = test.fmu.description.variables.iter().filter(|v| v.base == Base::Real);
    let Some(last) = reals.map(|v| v.value_reference).max() else { return Ok(()) };
    let unknown = last.saturating_add(1000);
    test.importer_risk(
        "A053",
        &format!("fmi2GetReal of the value reference {unknown}, which does not exist"),
    );
    let mut value = [0.0];
    let Err(call) = instance.get_real(&[unknown], &mut value) else {
        let text = format!("fmi2GetReal accepts the value reference {unknown}, not declared");
        test.warning("A053", text);
        return Ok(());
    };
    if instance.take_messages().is_empty() && !test.earlier.silent {
        test.error("A036", "fmi2GetReal returns an error and does not log why");
    }
    if call.status == Status::Fatal {
        return Ok(());
    }
    test.risk("A048", "fmi2Reset after an error");
    run.instance.reset()?;
    TestRun::again(test, run.instance)?;
    Ok(())
}

/// A028: NULL can be freed.
pub(super) fn free_nothing(test: &mut TypeTest<'_>) -> Result<(), TestFault> {
    let library = test.reload()?;
    test.risk("A028", "fmi2FreeInstance of NULL");
    library.free_nothing();
    test.stage("unloading the library");
    Ok(())
}

/// A085: if there are no states, reading an empty vector of states succeeds.
fn no_states(test: &mut TypeTest<'_>, library: &FmuLibrary) -> Result<(), TestFault> {
    if !test.fmu.description.derivatives.is_empty() {
        return Ok(());
    }
    for array in
        [ModelExchangeArray::States, ModelExchangeArray::Derivatives, ModelExchangeArray::Nominals]
    {
        let instance = test.instantiate(library)?;
        let mut run = TestRun::begin(test, instance)?;
        if run.progress.ended {
            return Ok(());
        }
        test.importer_risk("A085", &format!("reading {array:?}, of which there are none"));
        if let Err(call) = run.instance.array(array, 0) {
            let text = format!("there are no {array:?}, but reading none of them fails: {call}");
            test.warning_due_to("empty vectors", "A085", text);
        }
    }
    Ok(())
}

/// A085 and C010: other numbers of values than declared are refused.
fn lengths(test: &mut TypeTest<'_>, library: &FmuLibrary) -> Result<(), TestFault> {
    let d = &test.fmu.description;
    let states = d.derivatives.len();
    for (array, n, rule) in [
        (ModelExchangeArray::Derivatives, states, "A085"),
        (ModelExchangeArray::Indicators, d.number_of_event_indicators, "C010"),
    ] {
        let instance = test.instantiate(library)?;
        let mut run = TestRun::begin(test, instance)?;
        if run.progress.ended {
            return Ok(());
        }
        test.importer_risk("A085", &format!("reading {array:?}, one more than there are"));
        let Ok(written) = run.instance.array(array, n + 1) else { continue };
        if written.untouched == 0 {
            test.error(rule, format!("there are more {array:?} than the {n} declared"));
        } else {
            let more = n + 1;
            let text = format!("{array:?}: reading {more} succeeds, but only {n} are declared");
            test.warning_due_to("other lengths", "A085", text);
        }
    }
    Ok(())
}
