//! Rules for the variables of modelDescription.xml.

use std::collections::BTreeSet;

use super::definitions::{
    display_unit_without_unit, limits, repeated, undefined_display_unit, undefined_unit,
};
use super::model_structure::possible_states;
use super::structured_names;
use fmus::model_description::{Base, ModelDescription, ScalarVariable};
use fmus::wording::hidden_in;

/// One message for each variable that breaks a rule.
fn each<'d>(
    d: &'d ModelDescription,
    fault: impl Fn(&'d ScalarVariable) -> Option<String>,
) -> Vec<String> {
    d.variables.iter().filter_map(|v| Some(format!("{}: {}", v.name, fault(v)?))).collect()
}

/// C022: units are defined.
pub(crate) fn units(d: &ModelDescription) -> Vec<String> {
    each(d, |v| undefined_unit(&d.units, &v.attributes))
}

/// C023: a display unit requires a unit.
pub(crate) fn display_units_without_unit(d: &ModelDescription) -> Vec<String> {
    each(d, |v| display_unit_without_unit(&v.attributes))
}

/// C023, as a warning: display units are defined.
pub(crate) fn display_units(d: &ModelDescription) -> Vec<String> {
    each(d, |v| undefined_display_unit(&d.units, &v.attributes))
}

/// C028: limits are in order.
pub(crate) fn ordered_limits(d: &ModelDescription) -> Vec<String> {
    each(d, |v| limits(&v.attributes))
}

/// C044: start values are within their limits.
pub(crate) fn start_values(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let (start, a) = (v.start_number()?, &v.attributes);
        // Nothing is within limits in the wrong order.
        if limits(a).is_some() {
            return None;
        }
        let below = a.min.filter(|min| start < *min);
        let above = a.max.filter(|max| start > *max);
        below
            .map(|min| format!("start {start} is below min {min}"))
            .or_else(|| above.map(|max| format!("start {start} is above max {max}")))
    })
}

/// C029, as a warning: limits of variables are within those of their types.
pub(crate) fn narrower_than_types(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let (a, t) = (&v.attributes, &d.declared_type(v)?.attributes);
        let (name, own, limit) = match (a.min.zip(t.min), a.max.zip(t.max)) {
            (Some((own, limit)), _) if own < limit => ("min", own, limit),
            (_, Some((own, limit))) if own > limit => ("max", own, limit),
            _ => return None,
        };
        Some(format!("{name} {own} is outside {name} {limit} of its type"))
    })
}

/// C029: declared types exist and have the variable's base type.
pub(crate) fn declared_types(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let name = v.declared_type.as_ref()?;
        match d.declared_type(v) {
            None => Some(format!("type `{name}` is not defined")),
            Some(t) if t.base != v.base && is_defined_once(d, name) => {
                Some(format!("type `{name}` is {}, not {}", t.base.name(), v.base.name()))
            }
            Some(_) => None,
        }
    })
}

fn is_defined_once(d: &ModelDescription, name: &str) -> bool {
    d.types.iter().filter(|t| t.name == name).count() == 1
}

/// C030: the start value of an enumeration is one of its items.
pub(crate) fn enumeration_starts(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let start: i64 = v.start.as_ref().filter(|_| v.base == Base::Enumeration)?.parse().ok()?;
        let items = &d.declared_type(v)?.items;
        let known = items.iter().any(|(_, value)| *value == start);
        (!known).then(|| format!("start {start} is not the value of an item"))
    })
}

/// C034: names are unique and not empty.
pub(crate) fn unique_names(d: &ModelDescription) -> Vec<String> {
    let mut faults: Vec<String> = repeated(d.variables.iter().map(|v| v.name.as_str()))
        .into_iter()
        .map(|name| format!("{name}: there are two variables of this name"))
        .collect();
    for (index, _) in d.variables.iter().enumerate().filter(|(_, v)| v.name.is_empty()) {
        faults.push(format!("variable {}: its name is empty", index + 1));
    }
    faults
}

/// C066: names are on one line.
pub(crate) fn one_line(d: &ModelDescription) -> Vec<String> {
    let lines = |v: &&ScalarVariable| v.name.contains(['\n', '\r', '\t']);
    let named = |v: &ScalarVariable| {
        format!("{}: its name holds a line break or a tab", v.name.escape_debug())
    };
    d.variables.iter().filter(lines).map(named).collect()
}

/// C066: names can be read.
pub(crate) fn visible(d: &ModelDescription) -> Vec<String> {
    let on_lines = one_line(d);
    let named =
        |v: &ScalarVariable| Some(format!("{}: its name has {}", v.name, hidden_in(&v.name)?));
    if on_lines.is_empty() { d.variables.iter().filter_map(named).collect() } else { Vec::new() }
}

/// The words of the schema; others break C036.
const CAUSALITIES: &[&str] =
    &["parameter", "calculatedParameter", "input", "output", "local", "independent"];
const VARIABILITIES: &[&str] = &["constant", "fixed", "tunable", "discrete", "continuous"];

/// Whether causality and variability may be combined.
fn go_together(v: &ScalarVariable) -> bool {
    matches!(
        (&*v.causality, &*v.variability),
        ("output" | "local", "constant")
            | ("parameter" | "calculatedParameter" | "local", "fixed" | "tunable")
            | ("input" | "output" | "local", "discrete" | "continuous")
            | ("independent", "continuous")
    )
}

/// Whether a variable is a parameter that is continuous, perhaps by default.
fn is_continuous_parameter(v: &ScalarVariable) -> bool {
    let parameter = matches!(&*v.causality, "parameter" | "calculatedParameter");
    parameter && v.variability == "continuous"
}

/// C037: causality and variability may be combined.
pub(crate) fn causality_and_variability(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let known =
            CAUSALITIES.contains(&&*v.causality) && VARIABILITIES.contains(&&*v.variability);
        let fault = known && !go_together(v) && !is_continuous_parameter(v);
        fault.then(|| format!("causality {} with variability {}", v.causality, v.variability))
    })
}

/// C038: only a Real is continuous.
pub(crate) fn continuous(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let fault = go_together(v) && v.base != Base::Real && v.variability == "continuous";
        fault.then(|| format!("its variability is continuous, but it is {}", v.base.name()))
    })
}

/// C039: parameters are declared fixed or tunable.
pub(crate) fn parameters(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let text = "it is a parameter, but its variability is neither fixed nor tunable";
        is_continuous_parameter(v).then(|| text.to_owned())
    })
}

/// The attribute `initial` of a variable, if causality and variability do not allow it.
pub(crate) fn illegal_initial(v: &ScalarVariable) -> Option<&str> {
    const ALL: &[&str] = &["exact", "approx", "calculated"];
    let allowed: &[&str] = match (&*v.causality, &*v.variability) {
        ("input" | "independent", _) => return None,
        ("parameter", _) | (_, "constant") => &["exact"],
        ("calculatedParameter", _) | ("local", "fixed" | "tunable") => &["calculated", "approx"],
        _ => ALL,
    };
    v.written_initial.as_deref().filter(|written| !allowed.contains(written))
}

/// C040: `initial` is one that causality and variability allow; words that are not in the schema
/// are found there.
pub(crate) fn initials(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let written = illegal_initial(v)?;
        let known = matches!(written, "exact" | "approx" | "calculated");
        let (causality, variability) = (&v.causality, &v.variability);
        known.then(|| format!("initial {written} is not allowed for {causality}, {variability}"))
    })
}

/// C041: inputs and the independent variable have no `initial`.
pub(crate) fn initials_of_inputs(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let written = v.written_initial.as_deref()?;
        let fault = matches!(&*v.causality, "input" | "independent");
        fault.then(|| format!("it has initial {written}, but its causality is {}", v.causality))
    })
}

/// Whether a variable needs a start value.
fn needs_start(v: &ScalarVariable) -> bool {
    v.causality == "input" || matches!(v.initial(), Some("exact" | "approx"))
}

/// C042: variables that are not calculated have start values.
pub(crate) fn missing_starts(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let fault = needs_start(v) && v.start.is_none();
        fault.then(|| "it lacks its start value".to_owned())
    })
}

/// C043: variables that are calculated have no start values.
pub(crate) fn unwanted_starts(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let calculated = !needs_start(v) && illegal_initial(v).is_none();
        let fault = calculated && v.start.is_some() && v.causality != "independent";
        fault.then(|| "it has a start value, but it is calculated".to_owned())
    })
}

/// C045: at most one independent variable, a Real without a start value.
pub(crate) fn independent(d: &ModelDescription) -> Vec<String> {
    let all: Vec<_> = d.variables.iter().filter(|v| v.causality == "independent").collect();
    let mut faults = Vec::new();
    for (k, v) in all.into_iter().enumerate() {
        let mut fault = |text: &str| faults.push(format!("{}: {text}", v.name));
        if k > 0 {
            fault("it is a second independent variable");
        }
        if v.base != Base::Real {
            fault("the independent variable is not Real");
        }
        if v.start.is_some() {
            fault("the independent variable has a start value");
        }
    }
    faults
}

/// C046: continuous states are local or outputs.
pub(crate) fn states(d: &ModelDescription) -> Vec<String> {
    if d.uses_derivatives() { odd_states(d) } else { Vec::new() }
}

/// C046 as a warning, for FMUs whose states importers ignore.
pub(crate) fn ignored_states(d: &ModelDescription) -> Vec<String> {
    if d.uses_derivatives() { Vec::new() } else { odd_states(d) }
}

fn odd_states(d: &ModelDescription) -> Vec<String> {
    let states = d.states().into_iter().map(|i| &d.variables[i]);
    states
        .filter(|v| CAUSALITIES.contains(&&*v.causality))
        .filter(|v| !matches!(&*v.causality, "local" | "output"))
        .map(|v| format!("{}: it is a continuous state and {}", v.name, v.causality))
        .collect()
}

/// C047: the attribute `derivative` refers to a variable.
pub(crate) fn derivatives(d: &ModelDescription) -> Vec<String> {
    let text = "it is the derivative of a variable that does not exist";
    each(d, |v| (v.derivative? >= d.variables.len()).then(|| text.to_owned()))
}

/// C047, as a warning: it refers to another variable, which is continuous.
pub(crate) fn odd_derivatives(d: &ModelDescription) -> Vec<String> {
    let mut faults = Vec::new();
    for (index, v) in d.variables.iter().enumerate() {
        let Some((of, s)) = v.derivative.and_then(|of| Some((of, d.variables.get(of)?))) else {
            continue;
        };
        if of == index {
            faults.push(format!("{}: it is the derivative of itself", v.name));
        } else if s.base != Base::Real || s.variability != "continuous" {
            let text = format!("it is the derivative of {}, which is not continuous", s.name);
            faults.push(format!("{}: {text}", v.name));
        }
    }
    faults
}

/// C049: only inputs of a Model Exchange FMU declare whether they can be set several times at an
/// instant.
pub(crate) fn multiple_sets(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        v.can_handle_multiple_set?;
        let legal = v.causality == "input" && d.model_exchange.is_some();
        (!legal).then(|| {
            "canHandleMultipleSetPerTimeInstant is only for inputs of Model Exchange".to_owned()
        })
    })
}

/// Messages about structured names of a form that are not legal.
fn illegal_names(d: &ModelDescription, kind: structured_names::NameForm) -> Vec<String> {
    if d.variable_naming_convention != "structured" {
        return Vec::new();
    }
    each(d, |v| {
        // Empty names and hidden characters break other rules.
        if v.name.is_empty() || hidden_in(&v.name).is_some() {
            return None;
        }
        let fault =
            !structured_names::is_structured(&v.name) && structured_names::form(&v.name) == kind;
        fault.then(|| format!("it is not {}", kind.name()))
    })
}

/// C062: structured names follow their grammar.
pub(crate) fn plain_names(d: &ModelDescription) -> Vec<String> {
    illegal_names(d, structured_names::NameForm::Plain)
}

/// C063: names in quotes contain legal characters only.
pub(crate) fn quoted_names(d: &ModelDescription) -> Vec<String> {
    illegal_names(d, structured_names::NameForm::Quoted)
}

/// C064: names of derivatives have the form `der(..)`.
pub(crate) fn derivative_names(d: &ModelDescription) -> Vec<String> {
    illegal_names(d, structured_names::NameForm::Derivative)
}

/// C064, as a warning: a variable that is named as a derivative is a Real.
pub(crate) fn derivatives_of_others(d: &ModelDescription) -> Vec<String> {
    each(d, |v| {
        let named = d.variable_naming_convention == "structured" && v.name.starts_with("der(");
        let text = || format!("it is named as a derivative, but it is {}", v.base.name());
        (named && v.base != Base::Real).then(text)
    })
}

/// C065: the elements of an array follow each other, the last index changing fastest.
pub(crate) fn array_order(d: &ModelDescription) -> Vec<String> {
    if d.variable_naming_convention != "structured" {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let mut finished = BTreeSet::new();
    let mut current: Option<(&str, Vec<u32>)> = None;
    for v in &d.variables {
        let element = structured_names::element(&v.name);
        let fault = match (&current, &element) {
            (Some((array, before)), Some((same, now))) if array == same => {
                (now <= before).then_some("it is not in the order of its indices")
            }
            (_, Some((array, _))) if finished.contains(array) => {
                Some("it does not follow the other elements of its array")
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

/// C048: only continuous states of a Model Exchange FMU are reinitialised.
pub(crate) fn reinit(d: &ModelDescription) -> Vec<String> {
    let states = possible_states(d);
    let with = d.variables.iter().enumerate().filter(|(_, v)| v.reinit.is_some());
    with.filter(|(index, _)| d.model_exchange.is_none() || !states.contains(index))
        .map(|(_, v)| {
            format!(
                "{}: reinit is true, but it is not a continuous state of Model Exchange",
                v.name
            )
        })
        .collect()
}
