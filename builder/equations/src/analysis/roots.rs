//! The roots of the code: the numbers of all expressions whose values a program computes.

use expressions::code::Code;
use expressions::graph::{Id, Leaf};
use expressions::{Affine, Ex, LeafKind};
use kernels::relations::RelationKind;
use program::Subject;

use crate::analysis::initial::InitialValues;
use crate::analysis::partial_derivatives::lasts;
use crate::model::{Model, RelationEquation, Requirement};
use crate::vocabulary::controller::ControllerEquation;

/// The numbers in the code of all expressions whose values a program computes.
#[derive(Clone, Debug)]
pub(crate) struct Roots {
    pub derivatives: Vec<Id>,
    /// What is stored of the nonlinear blocks, block after block: the solution, the sign of the
    /// determinant, and further values.
    pub unknowns: Vec<Id>,
    /// For each nonlinear block, the number of its stored values.
    pub block_lengths: Vec<usize>,
    pub relations: Vec<Id>,
    /// The relations that have an event indicator.
    pub state_relations: Vec<u32>,
    /// For each relation, its residual as an affine function of the states, if it has an indicator
    /// and is one in some modes.
    pub affine: Vec<Option<AffineRoots>>,
    pub actives: Vec<Id>,
    pub next_discretes: Vec<Id>,
    pub next_states: Vec<Id>,
    pub terminate: Id,
    pub assertions: Vec<Id>,
    /// The requirements, each with its subject.
    pub requirements: Vec<(Subject, Id)>,
    pub initial_states: Vec<Id>,
    pub initial_calculated: Vec<Id>,
    pub initial_unknowns: Vec<Id>,
    /// The first modes: truth values at the guesses of the initial values.
    pub first_modes: Vec<Id>,
    pub variables: Vec<Id>,
    /// The delay times.
    pub delay_times: Vec<Id>,
    /// The signals that are delayed.
    pub delayed: Vec<Id>,
    /// For each compiled controller, the tick, the number of the tick, and the inputs.
    pub controllers: Vec<Vec<Id>>,
}

/// An affine function of the states.
#[derive(Clone, Debug)]
pub(crate) struct AffineRoots {
    /// Whether the residual is this function in the present mode.
    pub holds: Id,
    /// The states with their coefficients.
    pub coefficients: Vec<(u32, Id)>,
}

impl AffineRoots {
    /// The condition, then the coefficients.
    pub fn ids(&self) -> impl Iterator<Item = Id> {
        [self.holds].into_iter().chain(self.coefficients.iter().map(|(_, id)| *id))
    }
}

impl Roots {
    /// The code that a model needs, and the numbers of the roots in it.
    pub fn extract(model: &Model, initial: &InitialValues) -> (Code, Roots) {
        let derivatives = model.states.iter().map(|s| s.derivative.map_or(0, |ex| ex.id()));
        let of_blocks: Vec<Vec<Id>> = model
            .blocks
            .iter()
            .map(|b| b.solution.iter().chain([&b.sign]).chain(&b.kept).map(|e| e.id()).collect())
            .collect();
        let ids = |list: &[Ex]| list.iter().map(|ex| ex.id()).collect::<Vec<Id>>();
        let affine = affine_residuals(model);
        let lists: Vec<Vec<Id>> = vec![
            derivatives.collect(),
            of_blocks.concat(),
            ids(&model.residuals()),
            model.relations.iter().map(|r| r.active.id()).collect(),
            ids(&model.updates()),
            ids(&model.next_states()),
            vec![model.terminate.id()],
            model.assertions.iter().map(|assertion| assertion.condition.id()).collect(),
            model.requirements.iter().map(|r| r.condition.id()).collect(),
            ids(&initial.states),
            ids(&initial.calculated),
            ids(&initial.unknowns),
            initial.first.iter().map(|(_, truth)| truth.id()).collect(),
            model.variables.iter().map(|v| v.expression.id()).collect(),
            model.delays.iter().map(|delay| delay.time.id()).collect(),
            model.delays.iter().map(|delay| delay.signal.map_or(0, |ex| ex.id())).collect(),
            affine.iter().flatten().flat_map(AffineRoots::ids).collect(),
            model.controllers.iter().flat_map(ControllerEquation::ids).collect(),
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
            block_lengths: of_blocks.iter().map(Vec::len).collect(),
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
            assertions: next(),
            requirements: {
                let subjects = model.requirements.iter().map(Requirement::subject);
                subjects.zip(next()).collect()
            },
            initial_states: next(),
            initial_calculated: next(),
            initial_unknowns: next(),
            first_modes: next(),
            variables: next(),
            delay_times: next(),
            delayed: next(),
            affine: {
                let mut ids = next().into_iter();
                let mut renumber = |id: &mut Id| *id = ids.next().expect("as many as before");
                let mut affine = affine;
                for residual in affine.iter_mut().flatten() {
                    renumber(&mut residual.holds);
                    residual.coefficients.iter_mut().for_each(|(_, id)| renumber(id));
                }
                affine
            },
            controllers: {
                let mut ids = next().into_iter();
                let all = model.controllers.iter();
                all.map(|of| ids.by_ref().take(of.ids().count()).collect()).collect()
            },
        };
        (code, roots)
    }
}

/// The residuals of the state relations as affine functions of the states, in the numbers of the
/// arena.
fn affine_residuals(model: &Model) -> Vec<Option<AffineRoots>> {
    let kind = |leaf: Leaf| match leaf {
        Leaf::State(_) => LeafKind::Variable,
        leaf if lasts(leaf) => LeafKind::Constant,
        _ => LeafKind::Other,
    };
    let roots = |Affine { holds, coefficients }: Affine| {
        let coefficients = coefficients.into_iter().map(|(leaf, coefficient)| match leaf {
            Leaf::State(i) => (i, coefficient.id()),
            _ => unreachable!("only states vary"),
        });
        AffineRoots { holds: holds.id(), coefficients: coefficients.collect() }
    };
    let all = expressions::affine(&model.residuals(), &kind).into_iter().zip(&model.relations);
    let state = |relation: &RelationEquation| relation.kind == RelationKind::State;
    all.map(|(affine, relation)| affine.filter(|_| state(relation)).map(roots)).collect()
}
