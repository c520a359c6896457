//! Notes about variables that jump where a comparison changes that is no relation.
//!
//! The solver does not locate such a jump, and takes very small steps to pass it.

use std::collections::BTreeSet;

use expressions::graph::{Id, Leaf};
use expressions::{jumps_at, parts, switches};

use crate::analysis::leaf_kinds::LeafKinds;
use crate::model::Model;
use crate::vocabulary::name;

/// An expression with the name of its variable.
struct Named {
    name: String,
    id: Id,
    switches: Vec<Id>,
}

/// The notes about variables on which derivatives of states depend.
pub(crate) fn notes(model: &Model, kinds: &LeafKinds) -> Vec<String> {
    let is_free = |leaf: Leaf| kinds.is_continuous(&leaf);
    let named = |name: String, id: Id| {
        let switches = switches(id, &is_free);
        (!switches.is_empty()).then_some(Named { name, id, switches })
    };
    let derivatives = model
        .states
        .iter()
        .filter_map(|state| named(name::derivative_of(&state.name), state.derivative?.id()));
    let derivatives: Vec<Named> = derivatives.collect();
    let all: Vec<Id> = model.states.iter().filter_map(|s| Some(s.derivative?.id())).collect();
    let used = parts(&all);
    let variables = model.variables.iter().map(|v| (v.name.clone(), v.expression.id()));
    let mut variables: Vec<Named> = variables
        .filter(|(_, id)| used.contains(id))
        .filter_map(|(name, id)| named(name, id))
        .collect();
    // The smallest expressions are the causes.
    variables.sort_by_key(|variable| parts(&[variable.id]).len());
    let jumps = |of: &Named, switch: Id| {
        [0.0, 1.0].iter().all(|&truth| {
            let value = |leaf: Leaf| trial_value(model, leaf, truth);
            jumps_at(of.id, switch, &is_free, &value)
        })
    };
    let mut reported: BTreeSet<Id> = BTreeSet::new();
    let mut notes = Vec::new();
    for (k, of) in variables.iter().chain(&derivatives).enumerate() {
        let new = of.switches.iter().filter(|switch| !reported.contains(switch));
        // A product with the jump may be continuous; only a derivative shows it.
        let harmful = |switch: &&Id| {
            let mut containing = derivatives.iter().filter(|d| d.switches.contains(switch));
            let is_examined = containing.clone().next().is_some();
            jumps(of, **switch)
                && (k >= variables.len() || !is_examined || containing.any(|d| jumps(d, **switch)))
        };
        let found: Vec<Id> = new.filter(harmful).copied().collect();
        if !found.is_empty() {
            notes.push(format!(
                "{}: it jumps where a comparison changes that is no event, so that the solver \
                 takes many small steps there; a relation makes it an event (m.relation in a model \
                 text, e.relation in a component)",
                of.name
            ));
        }
        reported.extend(found);
    }
    notes
}

/// A value of a leaf near its start value, away from special points; relations are all true or all
/// false.
fn trial_value(model: &Model, leaf: Leaf, truth: f64) -> f64 {
    let parameter = |i: u32| model.parameters.get(i as usize).copied().unwrap_or_default();
    match leaf {
        Leaf::Time => {
            let e = &model.experiment;
            e.start_time + 0.618 * (e.stop_time - e.start_time)
        }
        Leaf::State(i) => {
            let state = &model.states[i as usize];
            let start = match state.start.as_leaf() {
                Some(Leaf::Parameter(slot)) => parameter(slot),
                _ => 0.0,
            };
            start + state.nominal * (0.37 + 0.01 * f64::from(i % 17))
        }
        Leaf::Input(i) => model.inputs[i as usize] + 0.53,
        Leaf::Parameter(i) => parameter(i),
        Leaf::Calculated(_) => 1.0,
        Leaf::Pre(i) => model.discretes[i as usize].start,
        Leaf::Relation(_) => truth,
        Leaf::Delayed(_, order) => 0.29 / f64::from(order + 1),
        Leaf::Initial | Leaf::Anchor(_) | Leaf::Symbol(_) => 0.0,
    }
}
