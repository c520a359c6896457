//! Checks of the declarations of a model; every error has a message that names the variable.

use std::collections::{BTreeMap, BTreeSet};

use expressions::graph::Leaf;
use expressions::{Ex, Expression};
use kernels::limits::{Assigned, Limits, Number, unmet};
use program::{Causality, SolverCount};

use crate::model::Model;
use crate::model::variable::{self, BaseType, StartValue, VariableDeclaration};
use crate::vocabulary::description::{Experiment, Unit};
use crate::vocabulary::error::Error;
use crate::vocabulary::name;
use crate::vocabulary::unit::{Units, use_meant};

/// Checks the declarations.
pub(crate) fn declarations(model: &Model) -> Result<(), Error> {
    if let Some(error) = model.errors.first() {
        return Err(error.clone());
    }
    if !name::is_c_identifier(&model.name) {
        return Err(Error::Name(format!("{}: a model's name must be a C identifier", model.name)));
    }
    experiment(&model.name, &model.experiment)?;
    for state in &model.states {
        if state.derivative.is_none() {
            return Err(Error::Definition(format!("{}: the derivative is missing", state.name)));
        }
        if !(state.nominal > 0.0 && state.nominal.is_finite()) {
            let text =
                format!("{}: the nominal value {} is not positive", state.name, state.nominal);
            return Err(Error::Value(text));
        }
    }
    if let Some(delay) = model.delays.iter().find(|delay| delay.signal.is_none()) {
        return Err(Error::Definition(format!("{}: its signal is not given", delay.name)));
    }
    if let Some(controller) = model.controllers.iter().find(|of| of.lacks_inputs()) {
        return Err(Error::Definition(format!("{}: its inputs are not given", controller.name)));
    }
    // The independent variable is not listed, but importers use this name for it.
    let time = ("time", "the independent variable".to_owned());
    let types = model.enumerations.iter().map(|e| (&*e.name, "an enumeration type".to_owned()));
    let variables = model.variables.iter().map(|v| (&*v.name, in_words(v)));
    let counts = SolverCount::ALL.map(|count| {
        let what = variable::in_words(Causality::Local);
        (count.name(), format!("{what} ({})", count.description()))
    });
    unique([time].into_iter().chain(types).chain(variables).chain(counts))?;
    no_variable_is_a_component(&model.variables)?;
    if !model.keeps_names {
        distinct_in_openmodelica(names(model))?;
    }
    unique(model.relations.iter().map(|r| (&*r.name, "a relation".to_owned())))?;
    unique(model.blocks.iter().map(|b| (&*b.name, "a block of equations".to_owned())))?;
    for e in &model.enumerations {
        let values: BTreeSet<i32> = e.items.iter().map(|item| item.value).collect();
        if values.len() != e.items.len() || e.items.is_empty() {
            let text =
                format!("{}: an enumeration must have items, and their values must differ", e.name);
            return Err(Error::Definition(text));
        }
        unique(e.items.iter().map(|item| (&*item.name, format!("an item of {}", e.name))))?;
    }
    for relation in &model.relations {
        if !(relation.nominal > 0.0 && relation.nominal.is_finite()) {
            let text = format!(
                "{}: the nominal value {} of a relation is not positive",
                relation.name, relation.nominal
            );
            return Err(Error::Value(text));
        }
    }
    model.variables.iter().try_for_each(|v| variable(model, v))
}

/// Checks the default experiment of a model.
pub(crate) fn experiment(model: &str, e: &Experiment) -> Result<(), Error> {
    let check = |name: &str, value: f64, unit: &str, limits: Limits| match limits.contain(value) {
        true => Ok(()),
        false => {
            let sentence = limits.refuse(name, value, unit);
            Err(Error::Value(format!("{model}: {sentence}")))
        }
    };
    check("start_time", e.start_time, "s", Limits::ANY)?;
    check("stop_time", e.stop_time, "s", Limits::ANY)?;
    check("tolerance", e.tolerance, "1", Limits::between(1e-14, 1.0))?;
    check("step_size", e.step_size, "s", Limits::POSITIVE)?;
    let span = e.stop_time - e.start_time;
    let value = |name, value| Assigned { name, value, unit: "s" };
    let (of, sentence) = match e.step_size {
        _ if span <= 0.0 => {
            let start = value("start_time", e.start_time);
            (value("stop_time", e.stop_time), format!("must be after {start}"))
        }
        step if step > span => {
            let length = format!("must not be longer than the experiment, {} s", Number(span));
            (value("step_size", step), length)
        }
        _ => return Ok(()),
    };
    Err(Error::Value(format!("{model}: {}", unmet(&[of], &sentence))))
}

/// Refuses names that are used twice; the second element describes the owner of each name.
pub(crate) fn unique<'a>(names: impl Iterator<Item = (&'a str, String)>) -> Result<(), Error> {
    let mut seen: BTreeMap<&str, String> = BTreeMap::new();
    for (name, whose) in names {
        if let Some(other) = seen.get(name) {
            let whose = if *other == whose { "another one" } else { &whose };
            let text = format!("{name}: the name is used twice, by {other} and by {whose}");
            return Err(Error::Name(text));
        }
        seen.insert(name, whose);
    }
    Ok(())
}

/// Notes names that become equal where OpenModelica imports the FMU of a model that keeps them.
pub(crate) fn notes(model: &Model) -> Vec<String> {
    let note = |(name, first, imported): (&str, &str, String)| {
        format!("{name}: OpenModelica imports this variable and {first} under one name, {imported}")
    };
    let kept = model.keeps_names.then(|| name::same_in_openmodelica(names(model)).map(note));
    kept.into_iter().flatten().collect()
}

/// The names of all variables of the FMU.
fn names(model: &Model) -> impl Iterator<Item = &str> {
    let listed = model.variables.iter().map(|v| v.name.as_str());
    listed.chain(SolverCount::ALL.iter().map(|count| count.name()))
}

/// Refuses names that become equal where OpenModelica imports the FMU.
pub(crate) fn distinct_in_openmodelica<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> Result<(), Error> {
    match name::same_in_openmodelica(names).next() {
        None => Ok(()),
        Some((name, first, imported)) => Err(Error::Name(format!(
            "{name}: OpenModelica imports this variable and {first} under one name, {imported}, \
             so one of them needs another name; a variable of a component becomes an output under \
             its own name by `outputs`"
        ))),
    }
}

/// Refuses a variable with the name of a component, such as `a` beside `a.b`: importers show the
/// variables of a component below its name.
fn no_variable_is_a_component(variables: &[VariableDeclaration]) -> Result<(), Error> {
    let own: BTreeMap<&str, &VariableDeclaration> =
        variables.iter().map(|v| (&*v.name, v)).collect();
    for VariableDeclaration { name, .. } in variables {
        for (dot, _) in name.match_indices('.') {
            if let Some((component, v)) = own.get_key_value(&name[..dot]) {
                let what = in_words(v);
                return Err(Error::Name(format!(
                    "{component}: the name is used twice, by {what} and by the component of {name}"
                )));
            }
        }
    }
    Ok(())
}

/// What a variable is, in words, with its description if it has one.
fn in_words(v: &VariableDeclaration) -> String {
    let is_state = |ex: Ex| matches!(ex.as_leaf(), Some(Leaf::State(_)));
    let what = match v.expression {
        Expression::Real(ex) if v.causality == Causality::Local && is_state(ex) => "a state",
        _ => variable::in_words(v.causality),
    };
    if v.description.is_empty() { what.to_owned() } else { format!("{what} ({})", v.description) }
}

fn variable(model: &Model, v: &VariableDeclaration) -> Result<(), Error> {
    let name = &v.name;
    name_and_description(name, &v.description, v.base_type == BaseType::Real)?;
    units(&model.units, v)?;
    range(model, v)
}

/// Checks the name and the description of a variable.
pub(crate) fn name_and_description(
    name: &str,
    description: &str,
    is_real: bool,
) -> Result<(), Error> {
    match name::parse(name) {
        None => {
            return Err(Error::Name(format!(
                "{name:?} is not a name by the structured naming convention"
            )));
        }
        Some(name::Name::Derivative(..)) if !is_real => {
            return Err(Error::Name(format!("{name}: only Real variables are derivatives")));
        }
        Some(_) => {}
    }
    if description.contains(['\n', '\r', '\t']) {
        return Err(Error::Definition(format!("{name}: the description is not one line")));
    }
    Ok(())
}

fn units(units: &Units, v: &VariableDeclaration) -> Result<(), Error> {
    let name = &v.name;
    let Some(unit) = &v.unit else {
        return match &v.display_unit {
            Some(display) => {
                Err(Error::Unit(format!("{name}: there is a display unit, {display}, but no unit")))
            }
            None => Ok(()),
        };
    };
    if v.base_type != BaseType::Real {
        return Err(Error::Unit(format!(
            "{name}: only Real variables have a unit, but {unit} is given"
        )));
    }
    let declared = format!("; m.unit(\"{unit}\", factor, of) declares it");
    let mut known = known_unit(units, name, unit, &declared)?;
    match &v.display_unit {
        Some(display) if !units.add_display(&mut known, display) => Err(Error::Unit(format!(
            "{name}: the display unit {display} is not known or does not measure the same as {unit}"
        ))),
        _ => Ok(()),
    }
}

/// The unit of a variable. The message about one that is not known ends with the unit that was
/// probably meant, or with `otherwise`.
pub(crate) fn known_unit(
    units: &Units,
    name: &str,
    unit: &str,
    otherwise: &str,
) -> Result<Unit, Error> {
    if unit.is_empty() {
        return Err(Error::Unit(format!("{name}: its unit is empty: 1 is that of a pure number")));
    }
    let unknown = || {
        let end = use_meant(unit, otherwise);
        Error::Unit(format!("{name}: the unit {unit} is not known{end}"))
    };
    units.unit(unit).ok_or_else(unknown)
}

fn range(model: &Model, v: &VariableDeclaration) -> Result<(), Error> {
    let name = &v.name;
    let unit = v.unit.as_deref().filter(|unit| *unit != "1");
    let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
    let given = [v.min, v.max, v.nominal];
    if given.iter().flatten().any(|value| !value.is_finite()) {
        return Err(Error::Value(format!("{name}: min, max and nominal must be finite numbers")));
    }
    if let Some(nominal) = v.nominal.filter(|nominal| *nominal <= 0.0) {
        return Err(Error::Value(format!(
            "{name}: the nominal value {nominal}{unit} is not positive"
        )));
    }
    let (min, max) = (v.min.unwrap_or(f64::NEG_INFINITY), v.max.unwrap_or(f64::INFINITY));
    if min > max {
        return Err(Error::Value(format!(
            "{name}: min {min}{unit} is larger than max {max}{unit}"
        )));
    }
    let start = match v.start {
        StartValue::None => match v.expression {
            // The value of a constant, or of a discrete variable, must be one that its type has.
            Expression::Real(ex) => match ex.as_leaf() {
                Some(Leaf::Pre(i)) => model.discretes.get(i as usize).map(|d| d.start),
                _ => ex.constant_value(),
            },
            _ => None,
        },
        StartValue::Exact(value, _) | StartValue::Approx(value, _) => Some(value),
    };
    let Some(start) = start else { return Ok(()) };
    let limits = Limits { min, max };
    if !limits.contain(start) {
        let unit = v.unit.as_deref().unwrap_or_default();
        return Err(Error::Value(limits.refuse(name, start, unit)));
    }
    let whole = start.fract() == 0.0 && start.abs() <= f64::from(i32::MAX);
    let fits = match &v.base_type {
        BaseType::Real => true,
        BaseType::Integer => whole,
        BaseType::Boolean => start == 0.0 || start == 1.0,
        BaseType::Enumeration(type_name) => {
            let mut types = model.enumerations.iter();
            let found = types.find(|e| e.name == *type_name);
            whole && found.is_some_and(|e| e.items.iter().any(|i| f64::from(i.value) == start))
        }
    };
    if fits {
        return Ok(());
    }
    Err(Error::Value(format!("{name}: the start value {start} does not fit its type")))
}
