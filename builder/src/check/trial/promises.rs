//! Rules for whole runs: other instances, restored states and other steps do not change the
//! results.

use std::slice;

use super::faults::TrialFault;
use super::run_comparison;
use super::run_comparison::{Exactness, STEP_DEPENDENCE};
use super::trial_run::{Record, RunProgress, TrialRun};
use super::type_trial::{STEPS, TypeTrial};
use crate::fmi::FmuType;
use crate::host::{FmuLibrary, FmuState};
use crate::model_description::Base;

/// A005: instances that run at the same time do not influence each other.
pub(super) fn repeated(
    trial: &mut TypeTrial<'_>,
    library: &FmuLibrary,
    alone: &[Record],
) -> Result<(), TrialFault> {
    trial.stage("two instances at the same time");
    let mut twins = Vec::new();
    for _ in 0..2 {
        let instance = trial.instantiate(library)?;
        twins.push((TrialRun::begin(trial, instance)?, Vec::new()));
    }
    for _ in 0..STEPS {
        for (run, records) in &mut twins {
            records.extend(run.go(trial, 1)?);
        }
    }
    for (_, records) in &twins {
        run_comparison::same(
            trial,
            "A005",
            "beside another instance",
            alone,
            records,
            Exactness::Rounded,
        );
    }
    Ok(())
}

/// How a run that continues from a restored state is compared. A Co-Simulation may restart its
/// integrator at the restored point; its results then differ by the integrator's error.
fn continued(trial: &TypeTrial<'_>) -> Exactness {
    match trial.fmu_type {
        FmuType::CoSimulation => Exactness::Integrated,
        FmuType::ModelExchange => Exactness::Rounded,
    }
}

/// A069 to A077: a run that continues from a restored state has the same results as the first time.
pub(super) fn restored(
    trial: &mut TypeTrial<'_>,
    library: &FmuLibrary,
    alone: &[Record],
) -> Result<(), TrialFault> {
    if !trial.interface.flag("canGetAndSetFMUstate") {
        return Ok(());
    }
    trial.stage("fmi2GetFMUstate");
    let instance = trial.instantiate(library)?;
    let mut run = TrialRun::begin(trial, instance)?;
    let mut state = run.instance.get_state()?;
    let before = run.go(trial, STEPS / 2)?.len();
    trial.stage("fmi2GetFMUstate into a copy that exists");
    run.instance.refill_state(&mut state)?;
    let d = &trial.fmu.description;
    let at = run.record(d)?;
    let progress = run.progress.clone();
    let rest = alone.get(before..).unwrap_or_default();
    run.go(trial, STEPS)?;
    for _ in 0..2 {
        trial.stage("fmi2SetFMUstate");
        run.restore(trial, &state, &progress)?;
        let (wanted, found) = (slice::from_ref(&at), [run.record(d)?]);
        run_comparison::same(
            trial,
            "A072",
            "right after fmi2SetFMUstate",
            wanted,
            &found,
            Exactness::Rounded,
        );
        let again = run.go(trial, rest.len() as u32)?;
        run_comparison::same(
            trial,
            "A072",
            "after fmi2SetFMUstate",
            rest,
            &again,
            continued(trial),
        );
    }
    if trial.interface.flag("canSerializeFMUstate") {
        serialised(trial, library, &mut run, &state, (progress, at), rest)?;
    }
    trial.stage("fmi2FreeFMUstate");
    if !run.instance.free_state_twice(state)? {
        trial.error("A073", "fmi2FreeFMUstate does not set the pointer to NULL");
    }
    Ok(())
}

/// A075 to A077: a state is serialised, and restored from the bytes in another instance.
fn serialised(
    trial: &mut TypeTrial<'_>,
    library: &FmuLibrary,
    run: &mut TrialRun<'_>,
    state: &FmuState,
    (progress, at): (RunProgress, Record),
    rest: &[Record],
) -> Result<(), TrialFault> {
    trial.stage("fmi2SerializeFMUstate");
    let (bytes, exact) = run.instance.watched_bytes(state)?;
    if !exact {
        trial.error("A075", "fmi2SerializedFMUstateSize does not return the number of bytes");
    }
    let instance = trial.instantiate(library)?;
    let mut into = TrialRun::begin(trial, instance)?;
    trial.stage("fmi2DeSerializeFMUstate");
    let d = &trial.fmu.description;
    let untouched = into.record(d)?;
    let state = into.instance.deserialize(&bytes)?;
    let after = into.record(d)?;
    let rounded = Exactness::Rounded;
    run_comparison::same(
        trial,
        "A077",
        "after fmi2DeSerializeFMUstate alone",
        &[untouched],
        &[after],
        rounded,
    );
    into.restore(trial, &state, &progress)?;
    let found = into.record(d)?;
    run_comparison::same(
        trial,
        "A076",
        "right after fmi2DeSerializeFMUstate",
        &[at],
        &[found],
        rounded,
    );
    let again = into.go(trial, rest.len() as u32)?;
    run_comparison::same(
        trial,
        "A076",
        "after fmi2DeSerializeFMUstate",
        rest,
        &again,
        continued(trial),
    );
    into.instance.free_state(state)?;
    Ok(())
}

/// B035: in Co-Simulation the result does not depend on the communication steps.
pub(super) fn other_steps(
    trial: &mut TypeTrial<'_>,
    library: &FmuLibrary,
    alone: &[Record],
) -> Result<(), TrialFault> {
    let variable = trial.interface.flag("canHandleVariableCommunicationStepSize");
    let Some(wanted) = alone.last().filter(|_| alone.len() == STEPS as usize) else {
        return Ok(());
    };
    if trial.fmu_type == FmuType::ModelExchange || !variable || !trial.comparable {
        return Ok(());
    }
    trial.stage("steps of other lengths");
    let instance = trial.instantiate(library)?;
    let mut run = TrialRun::begin(trial, instance)?;
    for _ in 0..STEPS {
        for part in [0.25, 0.5, 0.25] {
            if !run.progress.ended {
                run.advance(trial, part * run.step)?;
            }
        }
    }
    let d = &trial.fmu.description;
    let found = run.record(d)?;
    let numbers = d.variables.iter().filter(|v| v.base != Base::String);
    for ((v, wanted), found) in numbers.zip(wanted).zip(&found) {
        let scale = v.attributes.nominal.unwrap_or(1.0).abs().max(wanted.abs());
        let continuous = v.variability == "continuous" && v.causality == "output";
        if continuous && (wanted - found).abs() > STEP_DEPENDENCE * scale {
            let name = &v.name;
            let text = format!("{name} is {found} instead of {wanted} if steps are shorter");
            trial.warning("B035", text);
        }
    }
    Ok(())
}
