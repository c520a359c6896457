//! Checks of a model before it is compiled; every error has a message that names the variable.

use std::collections::{BTreeMap, BTreeSet};

use expressions::code::Code;
use expressions::graph::{Id, Leaf, Node};
use expressions::{Ex, Quantity};
use kernels::limits::{Assigned, Limits, Number, unmet};
use kernels::newton::BlockKind;
use kernels::relations::RelationKind;
use program::{Causality, SolverCount, Subject};

use crate::dependencies::Dependencies;
use crate::description::{Experiment, Unit};
use crate::error::Error;
use crate::initial::InitialValues;
use crate::model::{Model, Requirement};
use crate::name;
use crate::publish::{LeafKinds, leaf_of};
use crate::roots::Roots;
use crate::unit::{Units, use_meant};
use crate::variable::{self, BaseType, StartValue, VariableDeclaration};

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
    let listed = model.variables.iter().map(|v| v.name.as_str());
    distinct_in_openmodelica(listed.chain(SolverCount::ALL.iter().map(|count| count.name())))?;
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
    let what = match v.quantity {
        Quantity::Real(ex) if v.causality == Causality::Local && is_state(ex) => "a state",
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
    let mut known = known_unit(units, name, unit)?;
    match &v.display_unit {
        Some(display) if !units.add_display(&mut known, display) => Err(Error::Unit(format!(
            "{name}: the display unit {display} is not known or does not measure the same as {unit}"
        ))),
        _ => Ok(()),
    }
}

/// The unit of a variable.
pub(crate) fn known_unit(units: &Units, name: &str, unit: &str) -> Result<Unit, Error> {
    if unit.is_empty() {
        return Err(Error::Unit(format!("{name}: its unit is empty: 1 is that of a pure number")));
    }
    let meant = || use_meant(unit);
    let unknown = || Error::Unit(format!("{name}: the unit {unit} is not known{}", meant()));
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
        StartValue::None => match v.quantity {
            // The value of a constant, or of a discrete variable, must be one that its type has.
            Quantity::Real(ex) => match ex.as_leaf() {
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

/// Checks the dependencies: all leaves belong to this model, and are discrete where that is
/// required.
pub(crate) fn structure(
    model: &Model,
    code: &Code,
    roots: &Roots,
    dependencies: &Dependencies,
    kinds: &LeafKinds,
) -> Result<(), Error> {
    let check = |name: &str, id: Id| foreign(model, name, &dependencies.leaves(id));
    for (state, &id) in model.states.iter().zip(&roots.derivatives) {
        check(&state.name, id)?;
    }
    for (state, &id) in model.states.iter().zip(&roots.next_states) {
        check(&state.name, id)?;
    }
    for (state, &id) in model.states.iter().zip(&roots.initial_states) {
        check(&state.name, id)?;
    }
    for ((calculated, _), &id) in model.calculated.iter().zip(&roots.initial_calculated) {
        check(calculated, id)?;
    }
    for block in &model.blocks {
        let first = block.offset as usize;
        for &id in &roots.initial_unknowns[first..=first + block.solution.len()] {
            check(&block.name, id)?;
        }
    }
    for (discrete, &id) in model.discretes.iter().zip(&roots.next_discretes) {
        check(&discrete.name, id)?;
    }
    for (v, &id) in model.variables.iter().zip(&roots.variables) {
        check(&v.name, id)?;
    }
    for (_, block, _) in code.blocks() {
        let unknowns = block.unknowns.iter().filter_map(|&unknown| match code.node(unknown) {
            Node::Leaf(leaf) => Some(*leaf),
            _ => None,
        });
        let unknowns: BTreeSet<Leaf> = unknowns.collect();
        for &id in block.residuals.iter() {
            let leaves = dependencies.leaves(id).difference(&unknowns).copied().collect();
            foreign(model, &block.name, &leaves)?;
        }
    }
    check("the condition of termination", roots.terminate)?;
    for (requirement, &(_, id)) in model.requirements.iter().zip(&roots.requirements) {
        check(&requirement.sentence, id)?;
    }
    relations(model, roots, dependencies, kinds)?;
    discreteness(model, roots, dependencies, kinds)
}

/// Refuses parameters and initial values that violate a requirement.
pub(crate) fn requirements(model: &Model, initial: &InitialValues) -> Result<(), Error> {
    // Initial values that depend on modes, or that have no solution here, are determined when the
    // simulation starts.
    let modes = !initial.modes.is_empty();
    let known = |r: &&Requirement| !(modes && r.subject() == Subject::InitialValues);
    model
        .requirements
        .iter()
        .filter(known)
        .try_for_each(|r| requirement(model, r, |ids| initial.evaluate(model, ids).ok()))
}

/// Refuses loops that cannot be assembled at the default parameters, start values and inputs: they
/// would not start either.
pub(crate) fn assemblies(model: &Model, initial: &InitialValues, code: &Code) -> Result<(), Error> {
    if code.blocks().all(|(_, block, _)| block.kind != BlockKind::Assembly) {
        return Ok(());
    }
    let positions: Vec<Id> = initial.unknowns.iter().map(|ex| ex.id()).collect();
    match initial.evaluate(model, &positions) {
        Err(failure) if failure.block_kind == BlockKind::Assembly => {
            Err(Error::Value(failure.to_string()))
        }
        _ => Ok(()),
    }
}

/// The remarks on the default parameters and initial values, as messages.
pub(crate) fn remarks(model: &Model, initial: &InitialValues) -> Result<Vec<String>, Error> {
    // If the run time must find modes, the default modes found here suffice for a note.
    let unmet = |r| unmet_requirement(model, r, |ids| initial.evaluate(model, ids).ok());
    let unmet: Result<Vec<Option<String>>, Error> = model.remarks.iter().map(unmet).collect();
    Ok(unmet?.into_iter().flatten().collect())
}

/// Refuses a requirement that is not met, with the values of the variables that it names.
pub(crate) fn requirement(
    model: &Model,
    requirement: &Requirement,
    evaluate: impl FnOnce(&[Id]) -> Option<Vec<f64>>,
) -> Result<(), Error> {
    let unmet = unmet_requirement(model, requirement, evaluate)?;
    unmet.map_or(Ok(()), |sentence| Err(Error::Value(sentence)))
}

/// The message with the values of the variables that a requirement names, if it is not met.
fn unmet_requirement(
    model: &Model,
    requirement: &Requirement,
    evaluate: impl FnOnce(&[Id]) -> Option<Vec<f64>>,
) -> Result<Option<String>, Error> {
    let mut of = Vec::new();
    for name in &requirement.of {
        let variable = model.variables.iter().find(|v| v.name == *name);
        of.push(variable.ok_or_else(|| {
            let sentence = &requirement.sentence;
            Error::Definition(format!(
                "{name}: there is no such variable, but the requirement \"{sentence}\" names it"
            ))
        })?);
    }
    let ids = of.iter().map(|v| v.quantity.id());
    let ids: Vec<Id> = [requirement.condition.id()].into_iter().chain(ids).collect();
    let Some(values) = evaluate(&ids).filter(|values| values[0] == 0.0) else { return Ok(None) };
    let of: Vec<Assigned<'_>> = of
        .iter()
        .zip(&values[1..])
        .map(|(v, &value)| Assigned {
            name: &v.name,
            value: if leaf_of(v).is_some() { value } else { Number::computed(value) },
            unit: v.unit.as_deref().unwrap_or_default(),
        })
        .collect();
    Ok(Some(unmet(&of, &model.sentence(requirement))))
}

/// Refuses leaves of another model, and placeholders that have not been replaced.
fn foreign(model: &Model, name: &str, leaves: &BTreeSet<Leaf>) -> Result<(), Error> {
    for &leaf in leaves {
        let length = match leaf {
            Leaf::Time | Leaf::Initial => continue,
            Leaf::Symbol(_) => {
                let text = format!("{name}: an unknown is used outside of its nonlinear block");
                return Err(Error::Definition(text));
            }
            Leaf::State(i) => (i, model.states.len()),
            Leaf::Input(i) => (i, model.inputs.len()),
            Leaf::Parameter(i) => (i, model.parameters.len()),
            Leaf::Calculated(i) => (i, model.calculated.len()),
            Leaf::Pre(i) => (i, model.discretes.len()),
            Leaf::Relation(i) => (i, model.relations.len()),
            Leaf::Anchor(_) => continue,
        };
        if length.0 as usize >= length.1 {
            let text = format!("{name}: {leaf:?} belongs to another model");
            return Err(Error::Definition(text));
        }
    }
    Ok(())
}

fn relations(
    model: &Model,
    roots: &Roots,
    dependencies: &Dependencies,
    kinds: &LeafKinds,
) -> Result<(), Error> {
    for (i, relation) in model.relations.iter().enumerate() {
        let name = &relation.name;
        let leaves = dependencies.leaves(roots.relations[i]);
        foreign(model, name, &leaves)?;
        if relation.kind == RelationKind::Time {
            let known = |leaf: &Leaf| {
                matches!(leaf, Leaf::Parameter(_) | Leaf::Calculated(_) | Leaf::Pre(_))
            };
            if !leaves.iter().all(known) {
                return Err(Error::Definition(format!(
                    "{name}: the instant of a time relation may depend only on parameters and discrete \
                     variables"
                )));
            }
        }
        let active = dependencies.leaves(roots.actives[i]);
        if active.iter().any(|leaf| kinds.is_continuous(leaf)) {
            return Err(Error::Definition(format!(
                "{name}: the relation may become active or inactive only at events"
            )));
        }
    }
    Ok(())
}

/// Refuses discrete variables that change between events.
fn discreteness(
    model: &Model,
    roots: &Roots,
    dependencies: &Dependencies,
    kinds: &LeafKinds,
) -> Result<(), Error> {
    for (v, &id) in model.variables.iter().zip(&roots.variables) {
        let published = matches!(v.causality, Causality::Local | Causality::Output);
        if !published || (v.base_type == BaseType::Real && !v.discrete) {
            continue;
        }
        if dependencies.leaves(id).iter().any(|leaf| kinds.is_continuous(leaf)) {
            return Err(Error::Definition(format!(
                "{}: a discrete variable depends on a continuous one without a relation or an \
                 update at events",
                v.name
            )));
        }
    }
    Ok(())
}
