//! Event indicators without the derivatives: whether a function of their own is worth its code, and
//! the coefficients of those that are affine functions of the states.
//!
//! Along a step the integrator samples the indicators at points where it needs no derivatives. If
//! the residuals of the state relations need only a part of what derivatives need, a function
//! computes them directly from time, states, inputs, and values that last until the next event.

use std::collections::BTreeSet;

use expressions::code::Code;
use expressions::graph::{Id, Leaf, Node};
use program::{AffineResidual, Function, Source, Stage};

use crate::info::list;
use crate::layout::{Draft, Layout};
use crate::publish::PendingSource;
use crate::roots::{AffineRoots, Roots};
use crate::stages::Stages;

/// The function must need at most this part of the operations that it avoids: what it computes is
/// code that exists twice.
const WORTHWHILE: f64 = 2.0 / 3.0;

/// Iterations of a nonlinear block that starts from the tangent at the anchor, about.
const ITERATIONS: usize = 2;

/// The values that `advance` computes and that last until the next event.
pub(crate) fn lasting(stages: &Stages, advanced: &BTreeSet<Id>) -> impl Fn(Id) -> bool {
    move |id| advanced.contains(&id) && stages.stage(id) <= Stage::Discrete
}

/// Whether the residuals of the state relations need much fewer operations than `advance` and
/// `relations` make.
///
/// The function must solve all nonlinear blocks or none. It then fails where `advance` fails, so
/// that indicators have the same bits in both ways: if one of several blocks fails, continuation
/// solves all of them again.
pub(crate) fn are_cheaper_apart(
    code: &Code,
    roots: &Roots,
    stages: &Stages,
    advanced: &BTreeSet<Id>,
) -> bool {
    let residuals = |i: &u32| roots.relations[*i as usize];
    let residuals: Vec<Id> = roots.state_relations.iter().map(residuals).collect();
    let last = roots.relations.iter().map(|&id| stages.stage(id)).max();
    let apart = code.order(&residuals, &lasting(stages, advanced));
    let rest = code.order(&roots.relations, &|id| advanced.contains(&id));
    let is_realized =
        |id: &Id| stages.stage(*id) > Stage::Discrete && Some(stages.stage(*id)) <= last;
    let together: Vec<Id> = advanced.iter().copied().filter(is_realized).chain(rest).collect();
    let blocks = |ids: &[Id]| -> Vec<Id> {
        let mut blocks: Vec<Id> = ids.iter().copied().filter(|&id| is_block(code, id)).collect();
        blocks.sort_unstable();
        blocks
    };
    let own = blocks(&apart);
    let limit = WORTHWHILE * operations(code, &together) as f64;
    (own.is_empty() || own == blocks(&together)) && (operations(code, &apart) as f64) <= limit
}

fn is_block(code: &Code, id: Id) -> bool {
    matches!(code.node(id), Node::Newton(_))
}

/// The number of operations in the computation of some values.
fn operations(code: &Code, ids: &[Id]) -> usize {
    let operations = |&id: &Id| match code.node(id) {
        Node::Output(..) => 0,
        Node::Newton(_) => ITERATIONS * code.body_of(id).order.len(),
        Node::Lu(_, n) => (n * n * n).div_ceil(3) as usize,
        _ => 1,
    };
    ids.iter().map(operations).sum()
}

/// For each relation, the sources of its residual as an affine function of the states: the
/// condition, then the coefficients.
pub(crate) fn affine_sources(
    code: &Code,
    roots: &Roots,
    stages: &Stages,
    draft: &mut Draft,
) -> Vec<Option<Vec<PendingSource>>> {
    let mut source = |id: Id| match code.node(id) {
        Node::Constant(bits) => PendingSource::Known(Source::Constant(f64::from_bits(*bits))),
        Node::Truth(value) => PendingSource::Known(Source::Constant(f64::from(u8::from(*value)))),
        Node::Leaf(Leaf::Parameter(i)) => PendingSource::Known(Source::Parameter(*i)),
        Node::Leaf(Leaf::Calculated(i)) => PendingSource::Known(Source::Calculated(*i)),
        Node::Leaf(Leaf::Pre(i)) => PendingSource::Known(Source::Discrete(*i)),
        Node::Leaf(Leaf::Relation(i)) => PendingSource::Known(Source::Relation(*i)),
        _ => {
            let stage = stages.stage(id);
            draft.keep(Function::Advance(stage), id);
            PendingSource::Advanced(id, stage)
        }
    };
    roots.affine.iter().map(|a| a.as_ref().map(|a| a.ids().map(&mut source).collect())).collect()
}

/// For each relation, its affine residual for the run time.
pub(crate) fn affine_residuals(
    roots: &Roots,
    sources: &[Option<Vec<PendingSource>>],
    layout: &Layout,
) -> Vec<Option<AffineResidual>> {
    let residual = |(roots, sources): (&Option<AffineRoots>, &Option<Vec<PendingSource>>)| {
        let mut sources = sources.iter().flatten().map(|source| source.source(&layout.slots));
        let holds = sources.next()?;
        let states = roots.iter().flat_map(|roots| &roots.coefficients).map(|(state, _)| *state);
        Some(AffineResidual { holds, coefficients: list(states.zip(sources)) })
    };
    roots.affine.iter().zip(sources).map(residual).collect()
}
