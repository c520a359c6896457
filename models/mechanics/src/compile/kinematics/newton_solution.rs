//! Positions of loops during the motion by Newton's method along the tangent.

use super::loop_limits::LoopSystem;
use crate::compile::build_context::BuildContext;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::loop_structure::LoopBlock;
use equations::{Anchor, Bool, Ex, substitute};

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
    let ((kind, name), others) = (system.name(), system.others());
    let equations = ((kind, &name[..]), &system.unknowns[..], &system.residuals[..]);
    let slopes = |solution: &[Ex]| system.slopes(solution);
    let solution = build.model.newton_along(equations, &guess, &others, regular, slopes);
    let at_start: Vec<Ex> = guess.into_iter().chain([system.determinant().sign()]).collect();
    set_anchors(&at_start, build);
    while_closed(basis, block, &system, &solution, (by, build.model.initial()))
}

/// The largest residual in m or rad of a loop whose conditions depend on each other. It is above
/// what initialization accepts, so that rounding does not end a simulation.
const LARGEST_GAP: f64 = 1e-6;

/// The solution of a block while all conditions hold of which it is the solution of least squares.
/// Initialization checks parameters and start values itself.
fn while_closed(
    basis: MotionBasis<'_>,
    block: &LoopBlock,
    system: &LoopSystem<'_>,
    solution: &[Ex],
    (by, initial): (&[(Ex, Ex)], Bool),
) -> Vec<Ex> {
    let parts = basis.topology.loops.parts(block);
    if parts.is_empty() {
        return solution.to_vec();
    }
    let unknowns = system.unknowns.iter().copied().zip(solution.iter().copied());
    let at: Vec<(Ex, Ex)> = by.iter().copied().chain(unknowns).collect();
    let residuals = substitute(&parts, &at);
    let gap = residuals.into_iter().fold(Ex::zero(), |gap, residual| gap.max(residual.abs()));
    equations::while_closed(&system.name().1, solution, gap.le(LARGEST_GAP) | initial, gap)
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
