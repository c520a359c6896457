//! Rules for getting and setting variables.

use super::faults::TestFault;
use super::start_values::value_of;
use super::test_run::TestRun;
use super::type_test::{ROUNDING, TypeTest};
use crate::calls::causes::LISTS;
use fmus::fmi::{FmuType, Status};
use fmus::host::{FmuLibrary, Instance};
use fmus::model_description::{Base, ScalarVariable};

/// A mode in which start values may be set.
#[derive(Clone, Copy, PartialEq)]
enum SettableMode {
    Instantiated,
    Initialization,
    Initialized,
}

impl SettableMode {
    fn name(self) -> &'static str {
        match self {
            SettableMode::Instantiated => "before initialization",
            SettableMode::Initialization => "in Initialization Mode",
            SettableMode::Initialized => "after initialization",
        }
    }

    /// Whether the standard allows a variable to be set in this mode.
    fn allows(self, v: &ScalarVariable) -> bool {
        let exact = v.initial() == Some("exact") && v.variability != "constant";
        let input = v.causality == "input";
        match self {
            SettableMode::Instantiated => {
                exact || v.initial() == Some("approx") && v.variability != "constant"
            }
            SettableMode::Initialization => exact || input,
            SettableMode::Initialized => {
                input || v.causality == "parameter" && v.variability == "tunable"
            }
        }
    }
}

/// A055, A056, A063 and A068: all variables, each read in a call of its own, have possible values.
pub(super) fn plausible(
    test: &mut TypeTest<'_>,
    instance: &mut Instance<'_>,
) -> Result<(), TestFault> {
    let d = &test.fmu.description;
    for v in &d.variables {
        let name = &v.name;
        if v.base == Base::String {
            if instance.get_texts(&[v.value_reference])?[0].is_none() {
                test.error_due_to(value_of(v), "A056", format!("{name} is NULL"));
            }
            continue;
        }
        let value = instance.number(v)?;
        let items = d.declared_type(v).map(|t| &t.items[..]).unwrap_or_default();
        if !value.is_finite() {
            test.warning("A068", format!("{name} is {value}"));
        }
        if v.base == Base::Boolean && value != 0.0 && value != 1.0 {
            test.error_due_to(value_of(v), "A055", format!("{name} is {value}"));
        }
        if v.base == Base::Enumeration && !items.iter().any(|(_, item)| *item as f64 == value) {
            test.warning("A063", format!("{name} is {value}, which is not one of its items"));
        }
        let (min, max) = (v.attributes.min, v.attributes.max);
        let outside = min.is_some_and(|min| value < min) || max.is_some_and(|max| value > max);
        if v.base == Base::Integer && outside {
            test.warning("A063", format!("{name} is {value}, not within min and max"));
        }
    }
    Ok(())
}

/// A040, A050, A051 and A056 to A058: getters and setters accept what the standard allows.
pub(super) fn check(test: &mut TypeTest<'_>, library: &FmuLibrary) -> Result<(), TestFault> {
    settable(test, library, SettableMode::Instantiated)?;
    settable(test, library, SettableMode::Initialization)?;
    settable(test, library, SettableMode::Initialized)?;
    let mut instance = test.instantiate(library)?;
    let (start, _) = TestRun::prepare(test, &mut instance)?;
    test.stage("fmi2ExitInitializationMode");
    instance.exit_initialization_mode()?;
    let d = &test.fmu.description;
    for v in d.variables.iter().filter(|v| v.causality == "independent") {
        let value = instance.number(v)?;
        if (value - start).abs() > ROUNDING * start.abs() {
            test.error("A040", format!("{} is {value} at the start time {start}", v.name));
        }
    }
    test.stage("reading many variables in one call");
    lists(test, &mut instance)?;
    texts(test, &mut instance)?;
    test.importer_risk("A050", "empty lists");
    if let Err(call) = instance.empty_lists() {
        test.warning("A050", format!("an empty list with NULL: {call}"));
    }
    Ok(())
}

/// Makes an instance in a mode.
fn instance_in<'l>(
    test: &mut TypeTest<'_>,
    library: &'l FmuLibrary,
    mode: SettableMode,
) -> Result<Instance<'l>, TestFault> {
    let mut instance = test.instantiate(library)?;
    if mode != SettableMode::Instantiated {
        TestRun::prepare(test, &mut instance)?;
    }
    if mode == SettableMode::Initialized {
        instance.exit_initialization_mode()?;
    }
    test.stage(&format!("setting start values {}", mode.name()));
    Ok(instance)
}

/// A057 and A058: variables can be set to their start values.
fn settable(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
    mode: SettableMode,
) -> Result<(), TestFault> {
    /// After this number of failures, no other variables are tried.
    const MAX_FAILURES: u32 = 20;
    let when = mode.name();
    let mut failures = 0;
    let mut texts = Vec::new();
    let mut instance = instance_in(test, library, mode)?;
    for v in test.fmu.description.variables.iter().filter(|v| mode.allows(v)) {
        let Some(start) = v.start.as_deref() else { continue };
        let result = match (v.base, v.start_number()) {
            (Base::String, _) => instance.set_passing_text(v.value_reference, start),
            (_, Some(value)) => instance.set_number(v, value),
            _ => continue,
        };
        if let Err(call) = result {
            // The same answer for many variables has one cause.
            let text = format!("{} cannot be set {when}: {call}", v.name);
            test.error_due_to(format!("A058 {call}"), "A058", text);
            failures += 1;
            if failures == MAX_FAILURES {
                return Ok(());
            }
            if call.status != Status::Discard {
                drop(instance);
                instance = instance_in(test, library, mode)?;
                texts.clear();
            }
        } else if v.base == Base::String && v.initial() != Some("approx") {
            texts.push((v, start));
        }
    }
    if mode == SettableMode::Instantiated {
        TestRun::prepare(test, &mut instance)?;
    }
    if mode != SettableMode::Initialized {
        test.stage("fmi2ExitInitializationMode");
        instance.exit_initialization_mode()?;
    } else if test.fmu_type == FmuType::CoSimulation {
        // Values that were set are not read before a step.
        return Ok(());
    }
    for (v, start) in texts {
        let read = instance.get_texts(&[v.value_reference]);
        if read.is_ok_and(|read| read[0].as_deref().unwrap_or_default() != start) {
            let text = format!("{} does not have the value to which it was set {when}", v.name);
            test.error_due_to(value_of(v), "A057", text);
        }
    }
    Ok(())
}

/// A051: variables that are read in any number and order, also twice, have the same values as if
/// read one by one.
fn lists(test: &mut TypeTest<'_>, instance: &mut Instance<'_>) -> Result<(), TestFault> {
    for base in [Base::Real, Base::Integer, Base::Boolean] {
        let all = test.fmu.description.variables.iter().enumerate();
        let still = all.filter(|(index, _)| !test.restless.contains(index)).map(|(_, v)| v);
        let mut variables: Vec<_> = still.filter(|v| v.base.name_space() == base).collect();
        if variables.is_empty() {
            continue;
        }
        variables.reverse();
        variables.extend_from_within(..);
        let references: Vec<u32> = variables.iter().map(|v| v.value_reference).collect();
        let together = instance.numbers(base, &references)?;
        for (v, together) in variables.into_iter().zip(together) {
            let single = instance.number(v)?;
            if single.to_bits() != together.to_bits() {
                let name = &v.name;
                let text =
                    format!("{name} is {single} if read alone, but {together} if read with others");
                test.error_due_to(LISTS, "A051", text);
            }
        }
    }
    Ok(())
}

/// A056: texts that are read together are all valid.
fn texts(test: &mut TypeTest<'_>, instance: &mut Instance<'_>) -> Result<(), TestFault> {
    let texts = test.fmu.description.variables.iter().filter(|v| v.base == Base::String);
    let (names, references): (Vec<&str>, Vec<u32>) =
        texts.map(|v| (&*v.name, v.value_reference)).unzip();
    if references.is_empty() {
        return Ok(());
    }
    let together = instance.get_texts(&references)?;
    for ((name, reference), together) in names.iter().zip(&references).zip(together) {
        if instance.get_texts(&[*reference])?[0] != together {
            test.error("A056", format!("{name} is another text if read with others"));
        }
    }
    Ok(())
}
