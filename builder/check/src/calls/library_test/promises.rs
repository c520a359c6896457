//! Rules for whole runs: other instances, restored states and other steps do not change the
//! results.

use std::slice;

use super::faults::TestFault;
use super::run_comparison;
use super::run_comparison::{Exactness, STEP_DEPENDENCE};
use super::test_run::{Record, RunProgress, TestRun};
use super::type_test::{STEPS, TypeTest};
use crate::calls::causes::RESTORED;
use fmus::fmi::FmuType;
use fmus::host::{FmuLibrary, FmuState};
use fmus::model_description::Base;

/// A005: instances that run at the same time do not influence each other.
pub(super) fn repeated(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
    alone: &[Record],
) -> Result<(), TestFault> {
    test.stage("two instances at the same time");
    let mut twins = Vec::new();
    for _ in 0..2 {
        let instance = test.instantiate(library)?;
        twins.push((TestRun::begin(test, instance)?, Vec::new()));
    }
    for _ in 0..STEPS {
        for (run, records) in &mut twins {
            records.extend(run.go(test, 1)?);
        }
    }
    for (_, records) in &twins {
        run_comparison::same(
            test,
            ("A005", "A005"),
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
fn continued(test: &TypeTest<'_>) -> Exactness {
    match test.fmu_type {
        FmuType::CoSimulation => Exactness::Integrated,
        FmuType::ModelExchange => Exactness::Rounded,
    }
}

/// A069 to A077: a run that continues from a restored state has the same results as the first time.
pub(super) fn restored(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
    alone: &[Record],
) -> Result<(), TestFault> {
    if !test.interface.flag("canGetAndSetFMUstate") {
        return Ok(());
    }
    test.stage("fmi2GetFMUstate");
    let instance = test.instantiate(library)?;
    let mut run = TestRun::begin(test, instance)?;
    let mut state = run.instance.get_state()?;
    let before = run.go(test, STEPS / 2)?.len();
    test.stage("fmi2GetFMUstate into a copy that exists");
    run.instance.refill_state(&mut state)?;
    let d = &test.fmu.description;
    let at = run.record(d)?;
    let progress = run.progress.clone();
    let rest = alone.get(before..).unwrap_or_default();
    run.go(test, STEPS)?;
    for _ in 0..2 {
        test.stage("fmi2SetFMUstate");
        run.restore(test, &state, &progress)?;
        let (wanted, found) = (slice::from_ref(&at), [run.record(d)?]);
        run_comparison::same(
            test,
            (RESTORED, "A072"),
            "right after fmi2SetFMUstate",
            wanted,
            &found,
            Exactness::Rounded,
        );
        let again = run.go(test, rest.len() as u32)?;
        let exactness = continued(test);
        let rule = (RESTORED, "A072");
        run_comparison::same(test, rule, "after fmi2SetFMUstate", rest, &again, exactness);
    }
    if test.interface.flag("canSerializeFMUstate") {
        serialised(test, library, &mut run, &state, (progress, at), rest)?;
    }
    test.stage("fmi2FreeFMUstate");
    if !run.instance.free_state_twice(state)? {
        test.error("A073", "fmi2FreeFMUstate does not set the pointer to NULL");
    }
    Ok(())
}

/// A075 to A077: a state is serialised, and restored from the bytes in another instance.
fn serialised(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
    run: &mut TestRun<'_>,
    state: &FmuState,
    (progress, at): (RunProgress, Record),
    rest: &[Record],
) -> Result<(), TestFault> {
    test.stage("fmi2SerializeFMUstate");
    let (bytes, exact) = run.instance.watched_bytes(state)?;
    if !exact {
        test.error("A075", "fmi2SerializedFMUstateSize does not return the number of bytes");
    }
    let instance = test.instantiate(library)?;
    let mut into = TestRun::begin(test, instance)?;
    test.stage("fmi2DeSerializeFMUstate");
    let d = &test.fmu.description;
    let untouched = into.record(d)?;
    let state = into.instance.deserialize(&bytes)?;
    let after = into.record(d)?;
    let rounded = Exactness::Rounded;
    run_comparison::same(
        test,
        ("A077", "A077"),
        "after fmi2DeSerializeFMUstate alone",
        &[untouched],
        &[after],
        rounded,
    );
    into.restore(test, &state, &progress)?;
    let found = into.record(d)?;
    run_comparison::same(
        test,
        (RESTORED, "A076"),
        "right after fmi2DeSerializeFMUstate",
        &[at],
        &[found],
        rounded,
    );
    let again = into.go(test, rest.len() as u32)?;
    run_comparison::same(
        test,
        (RESTORED, "A076"),
        "after fmi2DeSerializeFMUstate",
        rest,
        &again,
        continued(test),
    );
    into.instance.free_state(state)?;
    Ok(())
}

/// B035: in Co-Simulation the result does not depend on the communication steps.
pub(super) fn other_steps(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
    alone: &[Record],
) -> Result<(), TestFault> {
    let variable = test.interface.flag("canHandleVariableCommunicationStepSize");
    let Some(wanted) = alone.last().filter(|_| alone.len() == STEPS as usize) else {
        return Ok(());
    };
    if test.fmu_type == FmuType::ModelExchange || !variable || !test.comparable {
        return Ok(());
    }
    test.stage("steps of other lengths");
    let instance = test.instantiate(library)?;
    let mut run = TestRun::begin(test, instance)?;
    for _ in 0..STEPS {
        for part in [0.25, 0.5, 0.25] {
            if !run.progress.ended {
                run.advance(test, part * run.step)?;
            }
        }
    }
    let d = &test.fmu.description;
    let found = run.record(d)?;
    let numbers = d.variables.iter().enumerate().filter(|(_, v)| v.base != Base::String);
    for (((index, v), wanted), found) in numbers.zip(wanted).zip(&found) {
        let scale = v.attributes.nominal.unwrap_or(1.0).abs().max(wanted.abs());
        let continuous = v.variability == "continuous" && v.causality == "output";
        let is_result = continuous && !test.restless.contains(&index);
        if is_result && (wanted - found).abs() > STEP_DEPENDENCE * scale {
            let name = &v.name;
            let text = format!("{name} is {found} instead of {wanted} if steps are shorter");
            test.warning("B035", text);
        }
    }
    Ok(())
}
