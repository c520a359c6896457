//! Residuals that are affine functions of the states: the sources of their coefficients.

use expressions::code::Code;
use expressions::graph::{Id, Leaf, Node};
use program::{AffineResidual, Function, Source};

use crate::analysis::roots::{AffineRoots, Roots};
use crate::analysis::stages::Stages;
use crate::layout::{Draft, Layout};
use crate::publication::info::list;
use crate::publication::publish::PendingSource;

/// For each relation, the sources of its residual as an affine function of the states: the
/// condition, then the coefficients.
pub(crate) fn sources(
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
pub(crate) fn residuals(
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
