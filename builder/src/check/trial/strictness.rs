//! Rules for the reaction of a library to mistakes of the importer.

use super::faults::Fault;
use super::instances;
use super::run::Run;
use super::session::Trial;
use crate::fmi::{FmuType, Status};
use crate::host::{Array, FmuLibrary};
use crate::model_description::Base;

/// A012 to A015, A036, A048, A053, A083 and A085: mistakes of the importer are refused.
pub(super) fn check(trial: &mut Trial<'_>) -> Result<(), Fault> {
    let library = trial.reload()?;
    if trial.is_only_one() {
        instances::twice(trial, &library);
        return Ok(());
    }
    instances::refusals(trial, &library);
    if trial.fmu_type == FmuType::ModelExchange {
        no_states(trial, &library)?;
        lengths(trial, &library)?;
    }
    let instance = trial.logging(&library)?;
    let mut run = Run::begin(trial, instance)?;
    let instance = &mut run.instance;
    instance.take_messages();
    let reals = trial.fmu.description.variables.iter().filter(|v| v.base == Base::Real);
    let Some(last) = reals.map(|v| v.value_reference).max() else { return Ok(()) };
    let unknown = last.saturating_add(1000);
    trial.importer_risk(
        "A053",
        &format!("fmi2GetReal of the value reference {unknown}, which does not exist"),
    );
    let mut value = [0.0];
    let Err(call) = instance.get_real(&[unknown], &mut value) else {
        let text = format!("fmi2GetReal accepts the value reference {unknown}, not declared");
        trial.warning("A053", text);
        return Ok(());
    };
    if instance.take_messages().is_empty() && !trial.history.silent {
        trial.error("A036", "fmi2GetReal returns an error and does not log why");
    }
    if call.status == Status::Fatal {
        return Ok(());
    }
    trial.risk("A048", "fmi2Reset after an error");
    run.instance.reset()?;
    Run::again(trial, run.instance)?;
    Ok(())
}

/// A028: NULL can be freed.
pub(super) fn free_nothing(trial: &mut Trial<'_>) -> Result<(), Fault> {
    let library = trial.reload()?;
    trial.risk("A028", "fmi2FreeInstance of NULL");
    library.free_nothing();
    trial.stage("unloading the library");
    Ok(())
}

/// A085: if there are no states, reading an empty vector of states succeeds.
fn no_states(trial: &mut Trial<'_>, library: &FmuLibrary) -> Result<(), Fault> {
    if !trial.fmu.description.derivatives.is_empty() {
        return Ok(());
    }
    for array in [Array::States, Array::Derivatives, Array::Nominals] {
        let instance = trial.instantiate(library)?;
        let mut run = Run::begin(trial, instance)?;
        if run.progress.ended {
            return Ok(());
        }
        trial.importer_risk("A085", &format!("reading {array:?}, of which there are none"));
        if let Err(call) = run.instance.array(array, 0) {
            trial.warning(
                "A085",
                format!("there are no {array:?}, but reading none of them fails: {call}"),
            );
        }
    }
    Ok(())
}

/// A085 and C010: other numbers of values than declared are refused.
fn lengths(trial: &mut Trial<'_>, library: &FmuLibrary) -> Result<(), Fault> {
    let d = &trial.fmu.description;
    let states = d.derivatives.len();
    for (array, n, rule) in [
        (Array::Derivatives, states, "A085"),
        (Array::Indicators, d.number_of_event_indicators, "C010"),
    ] {
        let instance = trial.instantiate(library)?;
        let mut run = Run::begin(trial, instance)?;
        if run.progress.ended {
            return Ok(());
        }
        trial.importer_risk("A085", &format!("reading {array:?}, one more than there are"));
        let Ok(written) = run.instance.array(array, n + 1) else { continue };
        if written.untouched == 0 {
            trial.error(rule, format!("there are more {array:?} than the {n} declared"));
        } else {
            let more = n + 1;
            trial.warning(
                "A085",
                format!("{array:?}: reading {more} succeeds, but only {n} are declared"),
            );
        }
    }
    Ok(())
}
