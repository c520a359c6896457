//! Values that the run time reads although they are no variables: the coefficients of residuals
//! that are affine functions of the states, the signals of delays, and the inputs of controllers.

use expressions::code::Code;
use expressions::graph::{Id, Leaf, Node};
use program::{AffineResidual, Controller, Delay, Function, Source};

use crate::analysis::dependencies::Dependencies;
use crate::analysis::leaf_kinds::LeafKinds;
use crate::analysis::roots::{AffineRoots, Roots};
use crate::analysis::stages::Stages;
use crate::layout::{Draft, Layout};
use crate::model::Model;
use crate::publication::info::{list, text_of};
use crate::publication::publish::PendingSource;
use crate::vocabulary::controller::ControllerEquation;
use crate::vocabulary::delay::DelayEquation;

/// For each relation, the sources of its residual as an affine function of the states: the
/// condition, then the coefficients.
pub(crate) fn sources(
    code: &Code,
    roots: &Roots,
    stages: &Stages,
    draft: &mut Draft,
) -> Vec<Option<Vec<PendingSource>>> {
    let mut source = |id: Id| advanced(code, stages, draft, id);
    roots.affine.iter().map(|a| a.as_ref().map(|a| a.ids().map(&mut source).collect())).collect()
}

/// The source of a value that `advance` computes.
fn advanced(code: &Code, stages: &Stages, draft: &mut Draft, id: Id) -> PendingSource {
    let known = match code.node(id) {
        Node::Constant(bits) => Source::Constant(f64::from_bits(*bits)),
        Node::Truth(value) => Source::Constant(f64::from(u8::from(*value))),
        Node::Leaf(Leaf::Time) => Source::Time,
        Node::Leaf(Leaf::State(i)) => Source::State(*i),
        Node::Leaf(Leaf::Input(i)) => Source::Input(*i),
        Node::Leaf(Leaf::Parameter(i)) => Source::Parameter(*i),
        Node::Leaf(Leaf::Calculated(i)) => Source::Calculated(*i),
        Node::Leaf(Leaf::Pre(i)) => Source::Discrete(*i),
        Node::Leaf(Leaf::Relation(i)) => Source::Relation(*i),
        _ => {
            let stage = stages.stage(id);
            draft.keep(Function::Advance(stage), id);
            return PendingSource::Advanced(id, stage);
        }
    };
    PendingSource::Known(known)
}

/// For each delay, the sources of its time and of its signal.
pub(crate) fn sources_of_delays(
    code: &Code,
    roots: &Roots,
    stages: &Stages,
    draft: &mut Draft,
) -> Vec<[PendingSource; 2]> {
    let delays = roots.delay_times.iter().zip(&roots.delayed);
    let mut source = |id: Id| advanced(code, stages, draft, id);
    delays.map(|(&time, &signal)| [time, signal].map(&mut source)).collect()
}

/// For each compiled controller, the sources of the tick, of the number of the tick, and of the
/// inputs.
pub(crate) fn sources_of_controllers(
    code: &Code,
    roots: &Roots,
    stages: &Stages,
    draft: &mut Draft,
) -> Vec<Vec<PendingSource>> {
    let mut source = |id: Id| advanced(code, stages, draft, id);
    roots.controllers.iter().map(|ids| ids.iter().map(|&id| source(id)).collect()).collect()
}

/// The controllers for the run time.
pub(crate) fn controllers(
    model: &Model,
    sources: &[Vec<PendingSource>],
    layout: &Layout,
) -> Vec<Controller> {
    let controller = |(of, sources): (&ControllerEquation, &Vec<PendingSource>)| {
        let mut sources = sources.iter().map(|source| source.source(&layout.slots));
        let mut next = || sources.next().expect("a tick and its number precede the inputs");
        Controller {
            name: text_of(&of.name),
            step: of.code.step,
            tick: next(),
            number: next(),
            inputs: list(sources),
            first: of.first,
            outputs: of.code.outputs as u32,
            length: of.code.data.len() as u32,
            follows: of.follows,
        }
    };
    model.controllers.iter().zip(sources).map(controller).collect()
}

/// The delays for the run time.
pub(crate) fn delays(
    (model, kinds): (&Model, &LeafKinds),
    (roots, dependencies): (&Roots, &Dependencies),
    (sources, layout): (&[[PendingSource; 2]], &Layout),
) -> Vec<Delay> {
    let follows_inputs = |signal: Id| {
        let leaves = dependencies.leaves(signal);
        leaves.iter().any(|leaf| matches!(leaf, Leaf::Input(_)) && kinds.is_continuous(leaf))
    };
    let all = model.delays.iter().zip(&roots.delayed).zip(sources);
    let delay = |((delay, &signal), sources): ((&DelayEquation, &Id), &[PendingSource; 2])| {
        let [time, of] = sources.map(|source| source.source(&layout.slots));
        Delay {
            name: text_of(&delay.name),
            time,
            signal: of,
            start: Source::Calculated(delay.start),
            capacity: delay.capacity,
            is_chosen: delay.is_chosen,
            follows_inputs: follows_inputs(signal),
        }
    };
    all.map(delay).collect()
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
