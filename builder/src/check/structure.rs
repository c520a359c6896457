//! Rules for ModelStructure.

use std::collections::BTreeSet;

use crate::read::{Base, ModelDescription, Unknown};

/// The three lists by name.
fn lists(d: &ModelDescription) -> [(&'static str, &Vec<Unknown>); 3] {
    [
        ("Outputs", &d.outputs),
        ("Derivatives", &d.derivatives),
        ("InitialUnknowns", &d.initial_unknowns),
    ]
}

/// A variable by its name, or by its number where there is none.
fn name(d: &ModelDescription, index: usize) -> String {
    match d.variables.get(index) {
        Some(v) => v.name.clone(),
        None => format!("variable {}", index.wrapping_add(1)),
    }
}

/// X31: indices are those of variables.
pub(super) fn indices(d: &ModelDescription) -> Vec<String> {
    let n = d.variables.len();
    let mut faults = Vec::new();
    for (list, unknowns) in lists(d) {
        for u in unknowns {
            let all = u.dependencies.iter().flatten().chain([&u.index]);
            for index in all.filter(|i| **i >= n) {
                faults.push(format!("{list}: there is no variable {}", index.wrapping_add(1)));
            }
        }
    }
    faults
}

/// The variables that are missing from a list, too many in it, or in it twice.
fn differences(
    d: &ModelDescription,
    list: &str,
    unknowns: &[Unknown],
    wanted: &BTreeSet<usize>,
) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for u in unknowns {
        if !seen.insert(u.index) {
            faults.push(format!("{list}: {} is there twice", name(d, u.index)));
        } else if u.index < d.variables.len() && !wanted.contains(&u.index) {
            faults.push(format!("{list}: {} does not belong there", name(d, u.index)));
        }
    }
    let missing = wanted.difference(&seen);
    faults.extend(missing.map(|i| format!("{list}: {} is missing", name(d, *i))));
    faults
}

/// X32: the outputs are exactly the variables that are outputs.
pub(super) fn outputs(d: &ModelDescription) -> Vec<String> {
    let wanted = d.variables.iter().enumerate().filter(|(_, v)| v.causality == "output");
    differences(d, "Outputs", &d.outputs, &wanted.map(|(i, _)| i).collect())
}

/// X33: the derivatives are derivatives, each once.
pub(super) fn derivatives(d: &ModelDescription) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut seen, mut states) = (BTreeSet::new(), BTreeSet::new());
    for u in &d.derivatives {
        let Some(v) = d.variables.get(u.index) else { continue };
        if !seen.insert(u.index) {
            faults.push(format!("Derivatives: {} is there twice", v.name));
            continue;
        }
        match v.derivative {
            None => faults.push(format!("Derivatives: {} is not a derivative", v.name)),
            Some(state) if !states.insert(state) => {
                let state = name(d, state);
                faults.push(format!("Derivatives: {} is a second derivative of {state}", v.name));
            }
            Some(_) => {}
        }
    }
    faults
}

/// X34: the initial unknowns are exactly what initialization computes, ascending.
pub(super) fn initial_unknowns(d: &ModelDescription) -> Vec<String> {
    let unknown = |i: &usize| {
        d.variables.get(*i).is_some_and(|v| matches!(v.initial(), Some("approx" | "calculated")))
    };
    let by_causality = d.variables.iter().enumerate().filter(|(i, v)| match &*v.causality {
        "output" => unknown(i),
        causality => causality == "calculatedParameter",
    });
    let wanted: BTreeSet<usize> = by_causality
        .map(|(i, _)| i)
        .chain(d.states().into_iter().filter(unknown))
        .chain(d.derivatives.iter().map(|u| u.index).filter(unknown))
        .collect();
    let mut faults = differences(d, "InitialUnknowns", &d.initial_unknowns, &wanted);
    for pair in d.initial_unknowns.windows(2).filter(|pair| pair[1].index < pair[0].index) {
        let (first, second) = (name(d, pair[0].index), name(d, pair[1].index));
        faults.push(format!("InitialUnknowns: {second} comes after {first}"));
    }
    faults
}

/// X35: dependencies are ascending, and on what is known.
pub(super) fn dependencies(d: &ModelDescription) -> Vec<String> {
    let states: BTreeSet<usize> = d.states().into_iter().collect();
    let mut faults = Vec::new();
    for (list, unknowns) in lists(d) {
        let known = |i: usize| {
            let v = &d.variables[i];
            let always = matches!(&*v.causality, "input" | "independent");
            match list {
                "InitialUnknowns" => {
                    always || v.initial() == Some("exact") && v.variability != "constant"
                }
                _ => always || states.contains(&i),
            }
        };
        for u in unknowns {
            let mut fault =
                |text: String| faults.push(format!("{list}: {}: {text}", name(d, u.index)));
            let on = u.dependencies.as_deref().unwrap_or_default();
            if on.windows(2).any(|pair| pair[1] <= pair[0]) {
                fault("its dependencies are not ascending".to_owned());
            }
            if u.written_dependencies.as_ref().is_some_and(|text| {
                text.contains("  ") || text.trim() != text || text.contains(['\n', '\t'])
            }) {
                fault("its dependencies are not separated by single blanks".to_owned());
            }
            for i in on.iter().filter(|i| **i < d.variables.len() && !known(**i)) {
                fault(format!("it cannot depend on {}, which is not a known", name(d, *i)));
            }
        }
    }
    faults
}

/// X36: kinds of dependencies go with the dependencies, and with Real unknowns.
pub(super) fn dependency_kinds(d: &ModelDescription) -> Vec<String> {
    let mut faults = Vec::new();
    for (list, unknowns) in lists(d) {
        let legal: &[&str] = match list {
            "InitialUnknowns" => &["dependent", "constant"],
            _ => &["dependent", "constant", "fixed", "tunable", "discrete"],
        };
        for u in unknowns {
            let Some(kinds) = &u.kinds else { continue };
            let mut fault =
                |text: String| faults.push(format!("{list}: {}: {text}", name(d, u.index)));
            if u.dependencies.as_ref().map(Vec::len) != Some(kinds.len()) {
                fault("it has another number of kinds than of dependencies".to_owned());
            }
            if let Some(kind) = kinds.iter().find(|k| !legal.contains(&k.as_str())) {
                fault(format!("its kind of dependency `{kind}` is not allowed"));
            }
            let real = d.variables.get(u.index).is_none_or(|v| v.base == Base::Real);
            if !real && kinds.iter().any(|k| k != "dependent") {
                fault("only a Real has other kinds than dependent".to_owned());
            }
        }
    }
    faults
}
