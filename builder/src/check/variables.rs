//! Rules for the variables of modelDescription.xml.

use std::collections::{BTreeMap, BTreeSet};

use super::definitions::{limits, repeated, unit_use};
use super::names;
use crate::read::{Base, ModelDescription, ScalarVariable};

/// One sentence for each variable that has a fault.
fn each<'d>(
    d: &'d ModelDescription,
    fault: impl Fn(&'d ScalarVariable) -> Option<String>,
) -> Vec<String> {
    d.variables.iter().filter_map(|v| Some(format!("{}: {}", v.name, fault(v)?))).collect()
}

/// X13: units are defined.
pub(super) fn units(d: &ModelDescription) -> Vec<String> {
    each(d, |v| unit_use(&d.units, &v.attributes))
}

/// X17: limits are in order and hold the start value.
pub(super) fn ranges(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let a = &v.attributes;
        let start = v.start_number();
        let below = start.zip(a.min).filter(|(start, min)| start < min);
        let above = start.zip(a.max).filter(|(start, max)| start > max);
        limits(a)
            .or_else(|| below.map(|(start, min)| format!("start {start} is below min {min}")))
            .or_else(|| above.map(|(start, max)| format!("start {start} is above max {max}")))
    })
}

/// X18: declared types exist and are of the variable's base type.
pub(super) fn declared_types(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let name = v.declared_type.as_ref()?;
        match d.declared_type(v) {
            None => Some(format!("type `{name}` is not defined")),
            Some(t) if t.base != v.base => {
                Some(format!("type `{name}` is {}, not {}", t.base.name(), v.base.name()))
            }
            Some(_) => None,
        }
    })
}

/// X19: the start value of an enumeration is one of its items.
pub(super) fn enumeration_starts(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let start: i64 = v.start.as_ref().filter(|_| v.base == Base::Enumeration)?.parse().ok()?;
        let items = &d.declared_type(v)?.items;
        let known = items.iter().any(|(_, value)| *value == start);
        (!known).then(|| format!("start {start} is none of the items"))
    })
}

/// X20: names are unique, not empty, on one line.
pub(super) fn unique_names(d: &ModelDescription) -> Vec<String> {
    let mut faults: Vec<String> = repeated(d.variables.iter().map(|v| v.name.as_str()))
        .into_iter()
        .map(|name| format!("{name}: there are two variables of this name"))
        .collect();
    for (index, v) in d.variables.iter().enumerate() {
        if v.name.is_empty() || v.name.contains(['\n', '\r', '\t']) {
            faults.push(format!("variable {}: its name is empty or not on one line", index + 1));
        }
    }
    faults
}

/// X21: causality and variability go together, and only a Real is continuous.
pub(super) fn causality_and_variability(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let legal = matches!(
            (&*v.causality, &*v.variability),
            ("output" | "local", "constant")
                | ("parameter" | "calculatedParameter" | "local", "fixed" | "tunable")
                | ("input" | "output" | "local", "discrete" | "continuous")
                | ("independent", "continuous")
        );
        if !legal {
            return Some(format!("causality {} with variability {}", v.causality, v.variability));
        }
        let continuous = v.base != Base::Real && v.variability == "continuous";
        continuous.then(|| format!("its variability is continuous, but it is {}", v.base.name()))
    })
}

/// X22: `initial` is one that causality and variability allow.
pub(super) fn initials(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let written = v.written_initial.as_deref()?;
        let allowed: &[&str] = match (&*v.causality, &*v.variability) {
            ("input" | "independent", _) => &[],
            ("parameter", _) | (_, "constant") => &["exact"],
            ("calculatedParameter", _) | ("local", "fixed" | "tunable") => {
                &["calculated", "approx"]
            }
            _ => &["exact", "approx", "calculated"],
        };
        let legal = allowed.contains(&written);
        (!legal).then(|| format!("initial {written} is not allowed for {}", v.causality))
    })
}

/// X23: a start value is there exactly where it has to be.
pub(super) fn starts(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let needed = v.causality == "input" || matches!(v.initial(), Some("exact" | "approx"));
        match (needed, &v.start) {
            (true, None) => Some("it lacks its start value".to_owned()),
            (false, Some(_)) => Some("it has a start value, but it is calculated".to_owned()),
            _ => None,
        }
    })
}

/// X24: at most one independent variable, a Real.
pub(super) fn independent(d: &ModelDescription) -> Vec<String> {
    let all: Vec<_> = d.variables.iter().filter(|v| v.causality == "independent").collect();
    let several = all.get(1).map(|v| format!("{}: it is a second independent variable", v.name));
    let types = all.iter().filter(|v| v.base != Base::Real);
    several
        .into_iter()
        .chain(types.map(|v| format!("{}: the independent variable is not Real", v.name)))
        .collect()
}

/// X25: continuous states are local or outputs.
pub(super) fn states(d: &ModelDescription) -> Vec<String> {
    let states = d.states().into_iter().map(|i| &d.variables[i]);
    states
        .filter(|v| !matches!(&*v.causality, "local" | "output"))
        .map(|v| format!("{}: it is a continuous state and {}", v.name, v.causality))
        .collect()
}

/// X26: derivatives point to other continuous variables.
pub(super) fn derivatives(d: &ModelDescription) -> Vec<String> {
    let mut faults = Vec::new();
    for (index, v) in d.variables.iter().enumerate() {
        let Some(of) = v.derivative else { continue };
        let fault = match d.variables.get(of) {
            None => "it is the derivative of a variable that does not exist".to_owned(),
            Some(_) if of == index => "it is the derivative of itself".to_owned(),
            Some(s) if s.base != Base::Real || s.variability != "continuous" => {
                format!("it is the derivative of {}, which is not continuous", s.name)
            }
            Some(_) => continue,
        };
        faults.push(format!("{}: {fault}", v.name));
    }
    faults
}

/// X27: only inputs of a Model Exchange FMU say how often they can be set.
pub(super) fn multiple_sets(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        v.can_handle_multiple_set?;
        let legal = v.causality == "input" && d.model_exchange.is_some();
        (!legal).then(|| "canHandleMultipleSetPerTimeInstant is only for inputs".to_owned())
    })
}

/// X29: structured names follow their grammar.
pub(super) fn grammar(d: &ModelDescription) -> Vec<String> {
    if d.variable_naming_convention != "structured" {
        return Vec::new();
    }
    each(d, |v| (!names::is_structured(&v.name)).then(|| "it is not a structured name".to_owned()))
}

/// X30: the elements of an array follow each other, last index fastest.
pub(super) fn array_order(d: &ModelDescription) -> Vec<String> {
    if d.variable_naming_convention != "structured" {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let mut finished = BTreeSet::new();
    let mut current: Option<(&str, Vec<u32>)> = None;
    for v in &d.variables {
        let element = names::element(&v.name);
        let fault = match (&current, &element) {
            (Some((array, before)), Some((same, now))) if array == same => {
                (now <= before).then_some("it is not in the order of its indices")
            }
            (_, Some((array, _))) if finished.contains(array) => {
                Some("it is apart from the elements before it")
            }
            _ => None,
        };
        faults.extend(fault.map(|fault| format!("{}: {fault}", v.name)));
        if let Some((array, _)) = &current {
            finished.insert(*array);
        }
        current = element;
    }
    faults
}

/// X50: variables that share a value reference are the same thing.
pub(super) fn aliases(d: &ModelDescription) -> Vec<String> {
    let mut sets: BTreeMap<(Base, u32), Vec<&ScalarVariable>> = BTreeMap::new();
    for v in &d.variables {
        sets.entry((v.base.name_space(), v.value_reference)).or_default().push(v);
    }
    let mut faults = Vec::new();
    for ((base, reference), set) in sets.into_iter().filter(|(_, set)| set.len() > 1) {
        let names: Vec<&str> = set.iter().map(|v| v.name.as_str()).collect();
        let mut fault = |text: &str| {
            let names = names.join(", ");
            faults.push(format!("{names}: {} value reference {reference}: {text}", base.name()));
        };
        let constants = set.iter().filter(|v| v.variability == "constant").count();
        let settable = |v: &&&ScalarVariable| {
            matches!(&*v.causality, "input" | "parameter")
                || v.variability != "constant" && v.start.is_some()
        };
        if constants > 0 && constants < set.len() {
            fault("a constant is shared with a variable");
        }
        if constants == set.len() && set.iter().any(|v| v.start != set[0].start) {
            fault("constants of different values");
        }
        if constants == 0 && set.iter().filter(settable).count() > 1 {
            fault("more than one of them has a start value");
        }
        if set.iter().any(|v| v.attributes.unit != set[0].attributes.unit) {
            fault("their units differ");
        }
        if set.iter().any(|v| v.causality == "independent") && set.iter().any(|v| settable(&v)) {
            fault("the independent variable is shared with one that can be set");
        }
    }
    faults
}

/// X57: only continuous states of a Model Exchange FMU are reinitialised.
pub(super) fn reinit(d: &ModelDescription) -> Vec<String> {
    let states: BTreeSet<usize> = d.states().into_iter().collect();
    let with = d.variables.iter().enumerate().filter(|(_, v)| v.reinit.is_some());
    with.filter(|(index, _)| d.model_exchange.is_none() || !states.contains(index))
        .map(|(_, v)| format!("{}: reinit, but it is not a continuous state", v.name))
        .collect()
}
