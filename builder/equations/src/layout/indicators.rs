//! Event indicators without the derivatives: whether a function of their own is worth its code.
//!
//! Along a step the integrator samples the indicators at points where it needs no derivatives. If
//! the residuals of the state relations need only a part of what derivatives need, a function
//! computes them directly from time, states, inputs, and values that last until the next event.

use std::collections::BTreeSet;

use expressions::code::Code;
use expressions::graph::{Id, Node};
use program::Stage;

use crate::analysis::roots::Roots;
use crate::analysis::stages::Stages;

/// The separate function is worth while if it needs at most this part of the operations of
/// `advance`, because its code then exists twice.
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
/// The function must solve all nonlinear blocks or none. Then it fails exactly where `advance`
/// fails, and indicators have the same bits in both functions. (If one of several blocks fails,
/// continuation solves all blocks again.)
pub(crate) fn are_cheaper_apart(
    code: &Code,
    roots: &Roots,
    stages: &Stages,
    advanced: &BTreeSet<Id>,
) -> bool {
    let residuals = |i: &u32| roots.relations[*i as usize];
    let residuals: Vec<Id> = roots.state_relations.iter().map(residuals).collect();
    let last = stages.of_relations(roots);
    let apart = code.order(&residuals, &lasting(stages, advanced));
    let rest = code.order(&roots.relations, &|id| advanced.contains(&id));
    let is_realized = |id: &Id| stages.stage(*id) > Stage::Discrete && stages.stage(*id) <= last;
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
        Node::NullSpace(_, m, n) => (m * m * n) as usize,
        _ => 1,
    };
    ids.iter().map(operations).sum()
}
