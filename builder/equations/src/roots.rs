//! The roots of the code: the numbers of all expressions whose values a program computes.

use expressions::Ex;
use expressions::code::Code;
use expressions::graph::Id;
use kernels::relations::RelationKind;
use program::Subject;

use crate::initial::InitialValues;
use crate::model::{Model, Requirement};

/// The numbers in the code of all expressions whose values a program computes.
#[derive(Clone, Debug)]
pub(crate) struct Roots {
    pub derivatives: Vec<Id>,
    pub unknowns: Vec<Id>,
    pub relations: Vec<Id>,
    /// The relations that have an event indicator.
    pub state_relations: Vec<u32>,
    pub actives: Vec<Id>,
    pub next_discretes: Vec<Id>,
    pub next_states: Vec<Id>,
    pub terminate: Id,
    /// The requirements, each with its subject.
    pub requirements: Vec<(Subject, Id)>,
    pub initial_states: Vec<Id>,
    pub initial_calculated: Vec<Id>,
    pub initial_unknowns: Vec<Id>,
    /// The first modes: truth values at the guesses of the initial values.
    pub first_modes: Vec<Id>,
    pub variables: Vec<Id>,
}

impl Roots {
    /// The code that a model needs, and the numbers of the roots in it.
    pub fn extract(model: &Model, initial: &InitialValues) -> (Code, Roots) {
        let derivatives = model.states.iter().map(|s| s.derivative.map_or(0, |ex| ex.id()));
        let unknowns = model
            .blocks
            .iter()
            .flat_map(|b| b.solution.iter().chain([&b.sign]).chain(&b.kept))
            .map(|e| e.id());
        let ids = |list: &[Ex]| list.iter().map(|ex| ex.id()).collect::<Vec<Id>>();
        let lists: Vec<Vec<Id>> = vec![
            derivatives.collect(),
            unknowns.collect(),
            ids(&model.residuals()),
            model.relations.iter().map(|r| r.active.id()).collect(),
            ids(&model.updates()),
            ids(&model.next_states()),
            vec![model.terminate.id()],
            model.requirements.iter().map(|r| r.condition.id()).collect(),
            ids(&initial.states),
            ids(&initial.calculated),
            ids(&initial.unknowns),
            initial.first.iter().map(|(_, truth)| truth.id()).collect(),
            model.variables.iter().map(|v| v.quantity.id()).collect(),
        ];
        let (code, all) = Code::extract(&lists.concat());
        let mut rest = &all[..];
        let mut parts = lists.iter().map(|list| {
            let (part, after) = rest.split_at(list.len());
            rest = after;
            part.to_vec()
        });
        let mut next = || parts.next().expect("as many parts as lists");
        let roots = Roots {
            derivatives: next(),
            unknowns: next(),
            relations: next(),
            state_relations: {
                let kinds = (0..).zip(&model.relations);
                let state = kinds.filter(|(_, relation)| relation.kind == RelationKind::State);
                state.map(|(i, _)| i).collect()
            },
            actives: next(),
            next_discretes: next(),
            next_states: next(),
            terminate: next()[0],
            requirements: {
                let subjects = model.requirements.iter().map(Requirement::subject);
                subjects.zip(next()).collect()
            },
            initial_states: next(),
            initial_calculated: next(),
            initial_unknowns: next(),
            first_modes: next(),
            variables: next(),
        };
        (code, roots)
    }
}
