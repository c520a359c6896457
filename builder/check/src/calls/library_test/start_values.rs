//! Rules for start values: which variables have them, and in which mode.

use super::faults::TestFault;
use super::type_test::{TypeTest, shown};
use fmus::fmi::FmuType;
use fmus::host::Instance;
use fmus::model_description::{Base, ScalarVariable};

/// Tolerance for start values that are calculated, such as the sum of a state and a length, or a
/// solution.
const CALCULATED: f64 = 1e-12;

/// Tolerance for numbers that are written with 15 digits, truncated or rounded. The number of
/// digits in the text does not matter, because trailing zeros are often omitted, as in 0.3 for 0.1
/// + 0.2.
const DIGITS: f64 = 1e-14;

/// The cause of findings about the value of a variable.
pub(super) fn value_of(v: &ScalarVariable) -> String {
    format!("the value of {}", v.name)
}

/// Whether a variable has exactly its start value when the simulation begins.
fn is_exact(v: &ScalarVariable) -> bool {
    v.start.is_some() && v.initial() == Some("exact")
}

/// C050: outputs with `initial` exact have their start values; only these outputs may be read in
/// Initialization Mode.
pub(super) fn outputs_at_start(
    test: &mut TypeTest<'_>,
    instance: &mut Instance<'_>,
) -> Result<(), TestFault> {
    for v in test.fmu.description.variables.iter() {
        if v.causality == "output" && is_exact(v) {
            at_start(test, "C050", instance, v)?;
        }
    }
    Ok(())
}

/// C050: states with `initial` exact have their start values in Initialization Mode.
pub(super) fn states_at_start(test: &mut TypeTest<'_>, values: &[f64]) {
    let d = &test.fmu.description;
    for (index, value) in d.states().into_iter().zip(values) {
        let v = &d.variables[index];
        if is_exact(v) && !is_start(v, *value) {
            not_at_start(test, "C050", v, &shown(*value));
        }
    }
}

/// C050 and C054: after initialization, inputs and variables with `initial` exact have their start
/// values.
pub(super) fn starts(
    test: &mut TypeTest<'_>,
    instance: &mut Instance<'_>,
) -> Result<(), TestFault> {
    for v in &test.fmu.description.variables {
        let given = matches!(&*v.causality, "input" | "parameter");
        let constant = matches!(&*v.variability, "constant" | "fixed");
        // In Model Exchange, continuous variables keep their start values until the first event.
        let goes_on = test.fmu_type == FmuType::ModelExchange && v.variability != "discrete";
        if v.causality == "input" && v.start.is_some() || is_exact(v) && given {
            at_start(test, "C050", instance, v)?;
        } else if is_exact(v) && (constant || goes_on) {
            at_start(test, "C054", instance, v)?;
        } else if is_exact(v) {
            // The equations of events have been evaluated and may have changed it.
            at_start(test, "", instance, v)?;
        }
    }
    Ok(())
}

/// Reports a variable that does not have its start value; without a rule, only as a warning.
fn at_start(
    test: &mut TypeTest<'_>,
    rule: &'static str,
    instance: &mut Instance<'_>,
    v: &ScalarVariable,
) -> Result<(), TestFault> {
    let actual = if v.base == Base::String {
        let actual = instance.get_texts(&[v.value_reference])?.remove(0);
        if actual.is_none() {
            test.error_due_to(value_of(v), "A056", format!("{} is NULL", v.name));
            return Ok(());
        }
        // XML does not distinguish an empty text from a missing one.
        let same = actual.as_deref().unwrap_or_default() == v.start.as_deref().unwrap_or("");
        actual.filter(|_| !same)
    } else {
        let value = instance.number(v)?;
        if v.base == Base::Boolean && value != 0.0 && value != 1.0 {
            test.error_due_to(value_of(v), "A055", format!("{} is {value}", v.name));
            return Ok(());
        }
        (!is_start(v, value)).then(|| shown(value))
    };
    match actual {
        Some(actual) => not_at_start(test, rule, v, &actual),
        // A new instance does not have the value that a reset gives.
        None if test.after_reset && test.earlier.not_at_start.contains(&v.name) => {
            test.reset_differs = true;
        }
        None => {}
    }
    Ok(())
}

fn not_at_start(test: &mut TypeTest<'_>, rule: &'static str, v: &ScalarVariable, actual: &str) {
    let (name, start) = (&v.name, v.start.as_deref().unwrap_or_default());
    if test.after_reset {
        // A wrong value that new instances also have was reported already.
        if !test.earlier.not_at_start.contains(name) {
            test.reset_differs = true;
            let text = format!("after fmi2Reset {name} is {actual}, but its start is {start}");
            test.error_due_to(format!("A049 {name}"), "A049", text);
        }
        return;
    }
    test.earlier.not_at_start.insert(name.clone());
    let cause = value_of(v);
    match rule {
        "C050" => {
            test.error_due_to(cause, rule, format!("{name}: start is {start}, but it is {actual}"))
        }
        "C054" => {
            let text = format!(
                "{name}: its exact start value is {start}, but it is {actual} after initialization"
            );
            test.error_due_to(cause, rule, text);
        }
        _ => {
            let text = format!(
                "{name}: its exact start value is {start}, but it is {actual} after the first \
                 events"
            );
            test.warning_due_to(cause, "C054", text);
        }
    }
}

/// Whether a value that is not a text is the start value of a variable.
fn is_start(v: &ScalarVariable, value: f64) -> bool {
    let Some(start) = v.start_number() else { return true };
    if start.to_bits() == value.to_bits() || v.base != Base::Real {
        return start == value;
    }
    let calculated = v.causality != "input" && v.variability == "continuous";
    let rounding = if calculated { CALCULATED * start.abs().max(1.0) } else { 0.0 };
    (start - value).abs() <= rounding.max(DIGITS * start.abs())
}
