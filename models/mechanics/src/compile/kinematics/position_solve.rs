//! Loops during the motion: Newton's method along the tangent.

use super::loop_limits::LoopSystem;
use crate::compile::build_context::BuildContext;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::loops::LoopBlock;
use equations::{Anchor, Ex};

/// The dependent coordinates of a block as functions of the others, whose values are in `by`.
pub fn solve(
    basis: MotionBasis<'_>,
    block: &LoopBlock,
    by: &[(Ex, Ex)],
    build: &mut BuildContext<'_>,
) -> Vec<Ex> {
    let system = LoopSystem::new(basis.topology, block, by);
    let guess = initial_values(basis, block);
    let regular = |anchor: &Anchor| {
        let moved = |i: usize| system.unknowns[i] - anchor.solution[i];
        let near = system.is_near(anchor, &moved, &|_| None);
        system.is_regular(&build.numeric, anchor, near)
    };
    let (name, others) = (system.name(), system.others());
    let equations = (&name[..], &system.unknowns[..], &system.residuals[..]);
    let slopes = |solution: &[Ex]| system.slopes(solution);
    let solution = build.model.newton_along(equations, &guess, &others, regular, slopes);
    let at_start: Vec<Ex> = guess.into_iter().chain([system.determinant().sign()]).collect();
    set_anchors(&at_start, build);
    solution
}

/// The initial values of the unknowns of a block.
pub fn initial_values(basis: MotionBasis<'_>, block: &LoopBlock) -> Vec<Ex> {
    let MotionBasis { topology, initial, .. } = basis;
    block.unknowns.iter().map(|&k| initial.q[&topology.loops.unknowns[k].variable]).collect()
}

/// Gives the anchors of the loop declared last their numbers at the start: those of the stored
/// values and the sign of the determinant; the others are zero.
pub fn set_anchors(at_start: &[Ex], build: &mut BuildContext<'_>) {
    let numbers = build.numeric.all(at_start);
    let zeros = std::iter::repeat(0.0);
    for (anchor, number) in
        build.model.last_anchors().into_iter().zip(numbers.into_iter().chain(zeros))
    {
        build.numeric.set(anchor, number);
    }
}
