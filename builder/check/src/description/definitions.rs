//! Rules for everything in modelDescription.xml that comes before the variables.

use std::collections::BTreeSet;

use equations::is_c_identifier;
use fmus::model_description::{Attributes, DisplayUnit, ModelDescription, Unit};
use fmus::wording::hidden_in;

/// C007: the GUID is not empty.
pub(crate) fn guid(d: &ModelDescription) -> Vec<String> {
    if d.guid.trim().is_empty() { vec!["guid: it is empty".to_owned()] } else { Vec::new() }
}

/// C007: modelName can be read.
pub(crate) fn model_name(d: &ModelDescription) -> Vec<String> {
    hidden_in(&d.model_name).map(|hidden| format!("modelName has {hidden}")).into_iter().collect()
}

/// C011: there is at least one interface.
pub(crate) fn interfaces(d: &ModelDescription) -> Vec<String> {
    let none = d.model_exchange.is_none() && d.co_simulation.is_none();
    if none {
        vec!["there is neither ModelExchange nor CoSimulation".to_owned()]
    } else {
        Vec::new()
    }
}

/// C014: model identifiers are identifiers of C.
pub(crate) fn identifiers(d: &ModelDescription) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, interface) in
        [("ModelExchange", &d.model_exchange), ("CoSimulation", &d.co_simulation)]
    {
        let Some(interface) = interface else { continue };
        let identifier = &interface.model_identifier;
        if !is_c_identifier(identifier) {
            faults.push(format!("{name}: modelIdentifier `{identifier}` is not a C identifier"));
        }
    }
    faults
}

/// C015: states that can be serialised can also be got and set.
pub(crate) fn capabilities(d: &ModelDescription) -> Vec<String> {
    [("ModelExchange", &d.model_exchange), ("CoSimulation", &d.co_simulation)]
        .into_iter()
        .filter_map(|(name, interface)| Some((name, interface.as_ref()?)))
        .filter(|(_, i)| i.flag("canSerializeFMUstate") && !i.flag("canGetAndSetFMUstate"))
        .map(|(name, _)| format!("{name}: canSerializeFMUstate without canGetAndSetFMUstate"))
        .collect()
}

/// The names that occur more than once.
pub(crate) fn repeated<'a>(names: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| !seen.insert(*name)).collect()
}

/// C018: units are unique.
pub(crate) fn unit_names(d: &ModelDescription) -> Vec<String> {
    repeated(d.units.iter().map(|u| u.name.as_str()))
        .into_iter()
        .map(|name| format!("unit `{name}` is defined twice"))
        .collect()
}

/// C021: display units are unique within their unit.
pub(crate) fn display_names(d: &ModelDescription) -> Vec<String> {
    let mut faults = Vec::new();
    let twice = repeated(d.units.iter().map(|unit| unit.name.as_str()));
    for unit in d.units.iter().filter(|unit| !twice.contains(&&*unit.name)) {
        for name in repeated(unit.display.iter().map(|d| d.name.as_str())) {
            faults.push(format!("unit `{}`: display unit `{name}` is defined twice", unit.name));
        }
    }
    faults
}

/// C020, as a warning: factors are not zero.
pub(crate) fn unit_factors(d: &ModelDescription) -> Vec<String> {
    let mut faults = Vec::new();
    for unit in &d.units {
        if unit.base.as_ref().is_some_and(|b| b.factor == 0.0) {
            faults.push(format!("unit `{}`: its factor is 0", unit.name));
        }
        for display in unit.display.iter().filter(|display| display.factor == 0.0) {
            let name = &display.name;
            faults.push(format!("unit `{}`: the factor of `{name}` is 0", unit.name));
        }
    }
    faults
}

/// C021, as a warning: well-known display units convert in the right direction.
pub(crate) fn display_factors(d: &ModelDescription) -> Vec<String> {
    let degree = 180.0 / std::f64::consts::PI;
    let known = [
        ("rad", "deg", degree, 0.0),
        ("rad/s", "deg/s", degree, 0.0),
        ("K", "degC", 1.0, -273.15),
        ("Pa", "bar", 1e-5, 0.0),
        ("m", "mm", 1e3, 0.0),
    ];
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs();
    let mut faults = Vec::new();
    for (unit, display, factor, offset) in known {
        let found = d.units.iter().filter(|u| u.name == unit).flat_map(|u| &u.display);
        for DisplayUnit { factor: f, offset: o, .. } in found.filter(|d| d.name == display) {
            // A factor of zero breaks C020.
            if *f != 0.0 && (!near(*f, factor) || !near(*o, offset) && *o != offset) {
                faults.push(format!(
                    "unit `{unit}`: `{display}` = {f} * `{unit}` + {o}, not {factor} and {offset}"
                ));
            }
        }
    }
    faults
}

/// The unit of a type or variable that is not defined.
pub(crate) fn undefined_unit(units: &[Unit], a: &Attributes) -> Option<String> {
    let unit = a.unit.as_ref()?;
    let defined = units.iter().any(|u| u.name == *unit);
    (!defined).then(|| format!("unit `{unit}` is not defined"))
}

/// The display unit of a type or variable that has no unit.
pub(crate) fn display_unit_without_unit(a: &Attributes) -> Option<String> {
    let display = a.display_unit.as_ref().filter(|_| a.unit.is_none())?;
    Some(format!("it has displayUnit `{display}`, but no unit"))
}

/// The display unit of a type or variable that is not defined, and that importers therefore ignore.
pub(crate) fn undefined_display_unit(units: &[Unit], a: &Attributes) -> Option<String> {
    let (display, unit) = (a.display_unit.as_ref()?, a.unit.as_ref()?);
    let definition = units.iter().find(|u| u.name == *unit)?;
    let defined = definition.display.iter().any(|d| d.name == *display);
    (!defined).then(|| format!("displayUnit `{display}` is not defined for `{unit}`"))
}

/// C025: names of types are unique, and different from those of variables.
pub(crate) fn type_names(d: &ModelDescription) -> Vec<String> {
    let types = || d.types.iter().map(|t| t.name.as_str());
    let variables: BTreeSet<&str> = d.variables.iter().map(|v| v.name.as_str()).collect();
    let twice = repeated(types()).into_iter().map(|t| format!("type `{t}` is defined twice"));
    let shared = types().filter(|t| variables.contains(t));
    twice.chain(shared.map(|t| format!("type `{t}` has the name of a variable"))).collect()
}

/// One message for each type that breaks a rule.
fn each_type(d: &ModelDescription, fault: impl Fn(&Attributes) -> Option<String>) -> Vec<String> {
    d.types
        .iter()
        .filter_map(|t| Some(format!("type `{}`: {}", t.name, fault(&t.attributes)?)))
        .collect()
}

/// C022 for types: units are defined.
pub(crate) fn type_units(d: &ModelDescription) -> Vec<String> {
    each_type(d, |a| undefined_unit(&d.units, a))
}

/// C023 for types: a display unit requires a unit.
pub(crate) fn type_display_units_without_unit(d: &ModelDescription) -> Vec<String> {
    each_type(d, display_unit_without_unit)
}

/// C023 for types, as a warning: display units are defined.
pub(crate) fn type_display_units(d: &ModelDescription) -> Vec<String> {
    each_type(d, |a| undefined_display_unit(&d.units, a))
}

/// C027: the items of an enumeration have distinct names and values.
pub(crate) fn items(d: &ModelDescription) -> Vec<String> {
    let mut faults = Vec::new();
    for t in &d.types {
        for name in repeated(t.items.iter().map(|(name, _)| name.as_str())) {
            faults.push(format!("type `{}`: item `{name}` is defined twice", t.name));
        }
        let mut values = BTreeSet::new();
        for (name, value) in t.items.iter().filter(|(_, value)| !values.insert(*value)) {
            faults.push(format!("type `{}`: item `{name}` has the value {value} again", t.name));
        }
    }
    faults
}

/// The error in the limits of a type or variable.
pub(crate) fn limits(a: &Attributes) -> Option<String> {
    match (a.min, a.max, a.nominal) {
        (Some(min), Some(max), _) if max < min => Some(format!("max {max} is below min {min}")),
        (_, _, Some(nominal)) if nominal <= 0.0 => {
            Some(format!("nominal {nominal} is not positive"))
        }
        _ => None,
    }
}

/// C028 for types: limits are in order.
pub(crate) fn type_limits(d: &ModelDescription) -> Vec<String> {
    each_type(d, limits)
}

/// C031: log categories are unique.
pub(crate) fn categories(d: &ModelDescription) -> Vec<String> {
    repeated(d.log_categories.iter().map(String::as_str))
        .into_iter()
        .map(|name| format!("log category `{name}` is listed twice"))
        .collect()
}

/// C032, as a warning: the values of the default experiment are reasonable.
pub(crate) fn experiment(d: &ModelDescription) -> Vec<String> {
    let e = &d.experiment;
    let mut faults = Vec::new();
    let (start, stop) = (e.start_time.unwrap_or(0.0), e.stop_time);
    if let Some(stop) = stop.filter(|stop| *stop <= start) {
        faults.push(format!("DefaultExperiment: stopTime {stop} is not after startTime {start}"));
    }
    if let Some(tolerance) = e.tolerance.filter(|t| *t <= 0.0) {
        faults.push(format!("DefaultExperiment: tolerance {tolerance} is not positive"));
    }
    if let Some(step) = e.step_size.filter(|s| *s <= 0.0) {
        faults.push(format!("DefaultExperiment: stepSize {step} is not positive"));
    }
    faults
}

/// C032, as a note: the default experiment is complete, as importers expect.
pub(crate) fn experiment_complete(d: &ModelDescription) -> Vec<String> {
    let e = &d.experiment;
    [
        ("startTime", e.start_time),
        ("stopTime", e.stop_time),
        ("tolerance", e.tolerance),
        ("stepSize", e.step_size),
    ]
    .into_iter()
    .filter(|(_, value)| value.is_none())
    .map(|(name, _)| format!("DefaultExperiment: {name} is missing"))
    .collect()
}
