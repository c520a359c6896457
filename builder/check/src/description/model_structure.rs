//! Rules for ModelStructure.

use std::collections::BTreeSet;

use super::model_variables::illegal_initial;
use fmus::model_description::{Base, ModelDescription, ScalarVariable, Unknown};

/// The three lists by name.
fn lists(d: &ModelDescription) -> [(&'static str, &Vec<Unknown>); 3] {
    [
        ("Outputs", &d.outputs),
        ("Derivatives", &d.derivatives),
        ("InitialUnknowns", &d.initial_unknowns),
    ]
}

/// The name of a variable, or its number if there is no such variable.
fn name(d: &ModelDescription, index: usize) -> String {
    match d.variables.get(index) {
        Some(v) => v.name.clone(),
        None => format!("variable {}", index.wrapping_add(1)),
    }
}

/// One message for each unknown of a list that breaks a rule.
fn each(
    d: &ModelDescription,
    fault: impl Fn(&'static str, &Unknown) -> Option<String>,
) -> Vec<String> {
    let mut faults = Vec::new();
    for (list, unknowns) in lists(d) {
        let found = unknowns.iter().filter_map(|u| Some((u, fault(list, u)?)));
        faults.extend(found.map(|(u, text)| format!("{list}: {}: {text}", name(d, u.index))));
    }
    faults
}

/// C067: indices are those of variables.
pub(crate) fn indices(d: &ModelDescription) -> Vec<String> {
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

/// Messages about variables that are missing from a list, or do not belong there.
fn differences(
    d: &ModelDescription,
    list: &str,
    unknowns: &[Unknown],
    wanted: &BTreeSet<usize>,
) -> Vec<String> {
    let there: BTreeSet<usize> = unknowns.iter().map(|u| u.index).collect();
    let surplus = there.difference(wanted).filter(|i| **i < d.variables.len());
    let surplus = surplus.map(|i| format!("{list}: {} does not belong there", name(d, *i)));
    // A number without a variable may have been meant as one of the missing numbers.
    let wrong = there.iter().any(|i| *i >= d.variables.len());
    let missing = wanted.difference(&there).filter(|_| !wrong);
    surplus.chain(missing.map(|i| format!("{list}: {} is missing", name(d, *i)))).collect()
}

/// Messages about variables that are listed twice.
fn repetitions(d: &ModelDescription, list: &str, unknowns: &[Unknown]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let twice = unknowns.iter().filter(|u| !seen.insert(u.index));
    twice.map(|u| format!("{list}: {} is listed twice", name(d, u.index))).collect()
}

/// C068: the outputs are exactly the variables that are outputs.
pub(crate) fn outputs(d: &ModelDescription) -> Vec<String> {
    let wanted = d.variables.iter().enumerate().filter(|(_, v)| v.causality == "output");
    let mut faults = differences(d, "Outputs", &d.outputs, &wanted.map(|(i, _)| i).collect());
    faults.extend(repetitions(d, "Outputs", &d.outputs));
    faults
}

/// C069: the derivatives are derivatives, each once.
pub(crate) fn derivatives(d: &ModelDescription) -> Vec<String> {
    if d.uses_derivatives() { no_derivatives(d) } else { Vec::new() }
}

/// C069 as a warning, for FMUs whose list importers ignore.
pub(crate) fn ignored_derivatives(d: &ModelDescription) -> Vec<String> {
    if d.uses_derivatives() { Vec::new() } else { no_derivatives(d) }
}

fn no_derivatives(d: &ModelDescription) -> Vec<String> {
    let mut faults = repetitions(d, "Derivatives", &d.derivatives);
    let listed: BTreeSet<usize> = d.derivatives.iter().map(|u| u.index).collect();
    let mut states = BTreeSet::new();
    for v in listed.into_iter().filter_map(|index| d.variables.get(index)) {
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

/// C069, as a warning: the derivatives are continuous numbers.
pub(crate) fn odd_derivatives(d: &ModelDescription) -> Vec<String> {
    let listed = d.derivatives.iter().filter_map(|u| d.variables.get(u.index));
    let odd = listed.filter(|v| {
        v.derivative.is_some() && (v.base != Base::Real || v.variability != "continuous")
    });
    odd.map(|v| format!("Derivatives: {} is not a continuous Real", v.name)).collect()
}

/// Whether initialization computes a variable.
fn is_computed(d: &ModelDescription, index: usize) -> bool {
    let v = d.variables.get(index);
    v.is_some_and(|v| matches!(v.initial(), Some("approx" | "calculated")))
}

/// The states and derivatives that initialization computes.
fn computed_states(d: &ModelDescription) -> BTreeSet<usize> {
    let all = d.states().into_iter().chain(d.derivatives.iter().map(|u| u.index));
    all.filter(|i| is_computed(d, *i)).collect()
}

/// The variables that initialization computes.
fn wanted_initial_unknowns(d: &ModelDescription) -> BTreeSet<usize> {
    let by_causality = d.variables.iter().enumerate().filter(|(i, v)| match &*v.causality {
        "output" => is_computed(d, *i),
        causality => causality == "calculatedParameter",
    });
    let mut wanted: BTreeSet<usize> = by_causality.map(|(i, _)| i).collect();
    let mut states = computed_states(d);
    if !d.uses_derivatives() {
        // The derivatives are optional here, because importers of such an FMU ignore the list of
        // derivatives.
        let listed: BTreeSet<usize> = d.initial_unknowns.iter().map(|u| u.index).collect();
        states.retain(|i| listed.contains(i));
    }
    wanted.extend(states);
    wanted
}

/// C072: the initial unknowns are exactly the variables that initialization computes.
pub(crate) fn initial_unknowns(d: &ModelDescription) -> Vec<String> {
    differences(d, "InitialUnknowns", &d.initial_unknowns, &wanted_initial_unknowns(d))
}

/// C072 as a warning, for FMUs whose list of derivatives should be ignored: not all importers do
/// so.
pub(crate) fn ignored_initial_unknowns(d: &ModelDescription) -> Vec<String> {
    if d.uses_derivatives() {
        return Vec::new();
    }
    let listed: BTreeSet<usize> = d.initial_unknowns.iter().map(|u| u.index).collect();
    let missing = computed_states(d).into_iter().filter(|i| !listed.contains(i));
    // Missing outputs have already been reported.
    let missing = missing.filter(|i| d.variables[*i].causality != "output");
    missing.map(|i| format!("InitialUnknowns: {} is missing", name(d, i))).collect()
}

/// C073: the initial unknowns ascend, each once; the order is that of those that belong there.
pub(crate) fn initial_order(d: &ModelDescription) -> Vec<String> {
    let repeated = repetitions(d, "InitialUnknowns", &d.initial_unknowns);
    if !repeated.is_empty() {
        return repeated;
    }
    let wanted = wanted_initial_unknowns(d);
    let listed = d.initial_unknowns.iter().map(|u| u.index).filter(|i| wanted.contains(i));
    let listed: Vec<usize> = listed.collect();
    let fall = listed.windows(2).find(|pair| pair[1] < pair[0]);
    let text = |first, second| format!("InitialUnknowns: {second} comes after {first}");
    fall.map(|pair| text(name(d, pair[0]), name(d, pair[1]))).into_iter().collect()
}

/// C074: dependencies ascend, each once.
pub(crate) fn dependency_order(d: &ModelDescription) -> Vec<String> {
    each(d, |_, u| {
        let on = u.dependencies.as_deref().unwrap_or_default();
        let fault = on.windows(2).any(|pair| pair[1] <= pair[0]);
        fault.then(|| "its dependencies are not ascending".to_owned())
    })
}

/// C074, as a warning: some importers cannot read lists with other blanks.
pub(crate) fn dependency_blanks(d: &ModelDescription) -> Vec<String> {
    each(d, |_, u| {
        let text = u.written_dependencies.as_ref()?;
        let fault = text.contains("  ") || text.trim() != text || text.contains(['\n', '\t']);
        fault.then(|| "its dependencies are not separated by single blanks".to_owned())
    })
}

/// Messages about dependencies of a list on variables that are not knowns there.
fn not_known(
    d: &ModelDescription,
    lists: &[&str],
    known: impl Fn(usize, &ScalarVariable) -> bool,
) -> Vec<String> {
    each(d, |list, u| {
        let on = u.dependencies.iter().flatten().filter(|_| lists.contains(&list));
        let unknown = |i: &&usize| d.variables.get(**i).is_some_and(|v| !known(**i, v));
        let surplus: Vec<String> = on.filter(unknown).map(|i| name(d, *i)).collect();
        let text = || format!("it must not depend on {}, which is not a known", surplus.join(", "));
        (!surplus.is_empty()).then(text)
    })
}

/// The states; if the list of derivatives is wrong, all variables that may be states.
pub(crate) fn possible_states(d: &ModelDescription) -> BTreeSet<usize> {
    let may_be_state = |i: &usize| {
        let v = d.variables.get(*i);
        v.is_some_and(|v| {
            let continuous = v.base == Base::Real && v.variability == "continuous";
            let given = matches!(&*v.causality, "input" | "parameter" | "calculatedParameter");
            continuous && !given && v.causality != "independent"
        })
    };
    let has_state = |u: &Unknown| {
        let state = d.variables.get(u.index).and_then(|v| v.derivative);
        state.is_some_and(|state| state != u.index && may_be_state(&state))
    };
    match d.derivatives.iter().all(has_state) {
        true => d.states().into_iter().collect(),
        false => (0..d.variables.len()).filter(may_be_state).collect(),
    }
}

/// C075: outputs and derivatives depend on inputs, states and the independent variable.
pub(crate) fn dependencies(d: &ModelDescription) -> Vec<String> {
    let states = possible_states(d);
    let lists = ["Outputs", "Derivatives"];
    not_known(d, &lists, |i, v| is_given(v) || states.contains(&i))
}

/// C076: initial unknowns depend on inputs, on variables with exact start values and on the
/// independent variable.
pub(crate) fn initial_dependencies(d: &ModelDescription) -> Vec<String> {
    not_known(d, &["InitialUnknowns"], |_, v| {
        is_given(v) || v.initial() == Some("exact") || illegal_initial(v).is_some()
    })
}

/// Whether the importer provides the value of a variable.
fn is_given(v: &ScalarVariable) -> bool {
    matches!(&*v.causality, "input" | "independent")
}

/// C078: there is one kind for each dependency, and only Real unknowns have other kinds than
/// `dependent`.
pub(crate) fn dependency_kinds(d: &ModelDescription) -> Vec<String> {
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
                fault("its dependenciesKind and dependencies have different lengths".to_owned());
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
