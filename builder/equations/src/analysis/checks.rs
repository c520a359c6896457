//! Checks of a model that need its expressions and initial values: dependencies, requirements.

use std::collections::BTreeSet;

use expressions::code::Code;
use expressions::graph::{Id, Leaf, Node};
use expressions::{Bool, leaves_of_ids, substitute_ids};
use kernels::newton::BlockKind;
use kernels::relations::RelationKind;
use program::{Causality, Subject};

use crate::analysis::dependencies::Dependencies;
use crate::analysis::initial::InitialValues;
use crate::analysis::leaf_kinds::LeafKinds;
use crate::analysis::roots::Roots;
use crate::model::variable::BaseType;
use crate::model::{Model, Requirement};
use crate::vocabulary::error::Error;

/// Checks a model after its declarations; the result are the remarks on it, as messages.
pub(crate) fn check(
    model: &Model,
    (initial, code, roots): (&InitialValues, &Code, &Roots),
    dependencies: &Dependencies,
    kinds: &LeafKinds,
) -> Result<Vec<String>, Error> {
    structure(model, code, roots, dependencies, kinds)?;
    requirements(model, initial)?;
    assemblies(model, initial, code)?;
    remarks(model, initial)
}

/// Checks the dependencies: all leaves belong to this model, and are discrete where that is
/// required.
fn structure(
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
    for (assertion, &id) in model.assertions.iter().zip(&roots.assertions) {
        check(&assertion.sentence, id)?;
    }
    for (requirement, &(_, id)) in model.requirements.iter().zip(&roots.requirements) {
        check(&requirement.sentence, id)?;
    }
    for (delay, (&time, &signal)) in
        model.delays.iter().zip(roots.delay_times.iter().zip(&roots.delayed))
    {
        check(&delay.name, signal)?;
        let known = |leaf: &Leaf| matches!(leaf, Leaf::Parameter(_) | Leaf::Calculated(_));
        if !dependencies.leaves(time).iter().all(known) {
            let name = &delay.name;
            let text = format!("{name}: the delay time may depend on parameters only");
            return Err(Error::Definition(text));
        }
    }
    for (controller, ids) in model.controllers.iter().zip(&roots.controllers) {
        ids.iter().try_for_each(|&id| check(&controller.name, id))?;
    }
    relations(model, roots, dependencies, kinds)?;
    discreteness(model, roots, dependencies, kinds)
}

/// Refuses parameters and initial values that violate a requirement.
fn requirements(model: &Model, initial: &InitialValues) -> Result<(), Error> {
    // Initial values that depend on modes, or that have no solution here, are determined when the
    // simulation starts.
    let modes = !initial.modes.is_empty();
    let known = |r: &&Requirement| !(modes && r.subject() == Subject::InitialValues);
    model
        .requirements
        .iter()
        .filter(known)
        .try_for_each(|r| model.refuse_unmet(r, |ids| initial.evaluate(model, ids).ok()))
}

/// Refuses loops that cannot be assembled at the default parameters, start values and inputs: they
/// would not start either.
fn assemblies(model: &Model, initial: &InitialValues, code: &Code) -> Result<(), Error> {
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
fn remarks(model: &Model, initial: &InitialValues) -> Result<Vec<String>, Error> {
    // If the run time must find modes, the default modes found here suffice for a note.
    let unmet = |r| model.unmet(r, |ids| initial.evaluate(model, ids).ok());
    let unmet: Result<Vec<Option<String>>, Error> = model.remarks.iter().map(unmet).collect();
    Ok(unmet?.into_iter().flatten().collect())
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
            Leaf::Delayed(i, _) => (i, model.delays.len()),
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
        let is_continuous = |leaves: &BTreeSet<Leaf>| leaves.iter().any(|l| kinds.is_continuous(l));
        // The initial value may be computed from continuous ones.
        let later = || {
            let start = (Bool::leaf(Leaf::Initial).id(), Bool::constant(false).id());
            leaves_of_ids(&substitute_ids(&[v.expression.id()], &[start]))
        };
        if is_continuous(&dependencies.leaves(id)) && is_continuous(&later()) {
            return Err(Error::Definition(format!(
                "{}: a discrete variable depends on a continuous one without a relation or an \
                 update at events",
                v.name
            )));
        }
    }
    Ok(())
}
