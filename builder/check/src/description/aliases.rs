//! Rules for variables that share a value reference.

use std::collections::BTreeMap;

use fmus::model_description::{Base, ModelDescription, ScalarVariable};

/// One message for each set of two or more aliases that breaks a rule.
fn each(
    d: &ModelDescription,
    fault: impl Fn(&[&ScalarVariable]) -> Option<&'static str>,
) -> Vec<String> {
    let mut sets: BTreeMap<(Base, u32), Vec<&ScalarVariable>> = BTreeMap::new();
    for v in &d.variables {
        sets.entry((v.base.name_space(), v.value_reference)).or_default().push(v);
    }
    let sets = sets.into_iter().filter(|(_, set)| set.len() > 1);
    let text = |((base, reference), set): ((Base, u32), Vec<&ScalarVariable>)| {
        let names: Vec<&str> = set.iter().map(|v| v.name.as_str()).collect();
        let (names, base) = (names.join(", "), base.name());
        Some(format!("{names}: {base} value reference {reference}: {}", fault(&set)?))
    };
    sets.filter_map(text).collect()
}

fn is_constant(v: &ScalarVariable) -> bool {
    v.variability == "constant"
}

/// Whether an importer may set a variable.
fn is_settable(v: &ScalarVariable) -> bool {
    matches!(&*v.causality, "input" | "parameter") || !is_constant(v) && v.start.is_some()
}

/// C035: only numbers of one kind share a value reference.
pub(crate) fn kinds(d: &ModelDescription) -> Vec<String> {
    each(d, |set| {
        set.iter()
            .any(|v| v.base != set[0].base)
            .then_some("it belongs to both an Integer and an Enumeration")
    })
}

/// C056: at most one variable of an alias set can be set, and none if the set contains the
/// independent variable.
pub(crate) fn settable(d: &ModelDescription) -> Vec<String> {
    each(d, |set| {
        let given = |v: &&&ScalarVariable| matches!(&*v.causality, "input" | "parameter");
        let independent = set.iter().any(|v| v.causality == "independent");
        match set.iter().filter(given).count() {
            2.. => Some("more than one of them is an input or a parameter"),
            _ if independent && set.iter().any(|v| is_settable(v)) => {
                Some("the independent variable shares it with a variable that can be set")
            }
            _ => None,
        }
    })
}

/// C057: at most one has a start value.
pub(crate) fn starts(d: &ModelDescription) -> Vec<String> {
    each(d, |set| {
        let with = set.iter().filter(|v| !is_constant(v) && v.start.is_some()).count();
        (with > 1).then_some("more than one of them has a start value")
    })
}

/// C058: constants are shared with constants of the same value.
pub(crate) fn constants(d: &ModelDescription) -> Vec<String> {
    each(d, |set| {
        let constants = set.iter().filter(|v| is_constant(v)).count();
        let value = |v: &ScalarVariable| match v.base {
            Base::String => Err(v.start.clone()),
            _ => Ok(v.start_number().map(f64::to_bits)),
        };
        match constants {
            0 => None,
            n if n < set.len() => Some("a constant shares it with a variable"),
            _ if set.iter().any(|v| value(v) != value(set[0])) => {
                Some("constants with different values share it")
            }
            _ => None,
        }
    })
}

/// C059: all have the same unit, or none has one.
pub(crate) fn units(d: &ModelDescription) -> Vec<String> {
    each(d, |set| {
        let unit = |v: &ScalarVariable| v.attributes.unit.clone();
        set.iter().any(|v| unit(v) != unit(set[0])).then_some("their units differ")
    })
}
