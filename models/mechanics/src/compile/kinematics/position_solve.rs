//! Loops during the motion: Newton's method along the tangent, and where it is given up.

use super::closed_forms::BlockClosedForm;
use crate::compile::algebra::linear_form::LinearForm;
use crate::compile::algebra::numeric::Numeric;
use crate::compile::build_context::BuildContext;
use crate::compile::contributions::multibody::CoordinateType;
use crate::compile::ids::VariableId;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::Topology;
use crate::compile::topology::loops::LoopBlock;
use equations::{Anchor, Bool, Ex, Factor, Slopes, jacobian, select, substitute};

/// How much faster than at the start, and than independent coordinates, dependent ones may move.
pub const LARGEST_TRANSMISSION: f64 = 1e3;

/// How small the determinant of a loop's Jacobian may become, as a part of the product of the
/// lengths of its columns, relative to the start.
const SMALLEST_DETERMINANT: f64 = 1e-4;

/// How small it may become relative to the last accepted point. On the tangent the determinant
/// is known to second order in the distance from that point. So nothing jumps over a position where
/// it vanishes, however far apart the accepted points are.
const SMALLEST_PART: f64 = 0.25;

/// By how much these limits are wider at the last accepted point itself. It was accepted from the
/// point before; found again from itself it differs by rounding, which must not take it back.
const WIDER: f64 = 1e-3;

/// How far the angles of a loop may move from one accepted point to the next, in rad. From a
/// greater distance the iteration may converge to another turn, and the tangent is not sufficient:
/// in steps of 0.9 rad, a slider-crank of equal lengths can pass its change point without notice.
const LARGEST_TURN: f64 = 0.8;

/// The dependent coordinates of a block as functions of the others, whose values are in `by`.
///
/// A solution in closed form saves the search, and is accepted where a search would have found it.
pub fn solve(
    basis: MotionBasis<'_>,
    block: &LoopBlock,
    closed_form: Option<BlockClosedForm>,
    by: &[(Ex, Ex)],
    build: &mut BuildContext<'_>,
) -> Vec<Ex> {
    let MotionBasis { topology, initial, .. } = basis;
    let unknowns: Vec<Ex> =
        block.unknowns.iter().map(|&k| topology.loops.unknowns[k].symbol).collect();
    let residuals = substitute(&topology.loops.residuals(block), by);
    let guess: Vec<Ex> =
        block.unknowns.iter().map(|&k| initial.q[&topology.loops.unknowns[k].variable]).collect();
    let name = topology.loops.block_name(block);
    let matrix = jacobian(&residuals, &unknowns);
    let others = others(topology, block, by);
    let values: Vec<Ex> = others.iter().map(|other| other.value).collect();
    let angles = angles(topology, block, &others);
    let slopes = |solution: &[Ex]| {
        let mut at = by.to_vec();
        at.extend(unknowns.iter().copied().zip(solution.iter().copied()));
        let (rows, factor) = topology.loops.block_jacobian(block, &at);
        let slope = |other: &Other| {
            let column: Vec<Ex> = rows.iter().map(|row| -row[other.unknown]).collect();
            factor.solve(&column)
        };
        Slopes { determinant: factor.determinant(), by_other: others.iter().map(slope).collect() }
    };
    let factor = Factor::general(&matrix);
    let determinant = factor.determinant();
    let root =
        |last: &[Ex], sign: Ex| Some(substitute(&closed_form.as_ref()?.chosen(last, sign), by));
    let regular = |anchor: &Anchor| {
        let before = anchor.determinant;
        let same = |now: Ex| (now * before).ge(SMALLEST_PART * before.square());
        let at_root = same(determinant);
        let near = near(&angles, &anchor.moved) | before.square().le(0.0);
        let rests = Bool::constant(true);
        let rests = anchor.moved[unknowns.len()..].iter().fold(rests, |r, m| r & m.equals(0.0));
        let wider = select(rests, 1.0 + WIDER, 1.0);
        let here = at_root
            & near
            & far_from_change_points(&build.numeric, determinant, &matrix, wider)
            & far_from_dead_points(&build.numeric, &factor, &others, wider);
        let Some(closed_form) = &closed_form else { return here };
        // Where a search would begin.
        let on_tangent: Vec<(Ex, Ex)> =
            unknowns.iter().copied().zip(anchor.tangent.iter().copied()).collect();
        here & same(substitute(&[determinant], &on_tangent)[0]) & closed_form.exists(by)
    };
    let equations = (&name[..], &unknowns[..], &residuals[..]);
    let solution = build.model.newton_along(equations, &guess, &values, root, regular, slopes);
    let at_start: Vec<Ex> = guess.into_iter().chain([determinant.sign()]).collect();
    let numbers = build.numeric.all(&at_start);
    let zeros = std::iter::repeat(0.0);
    for (anchor, number) in
        build.model.last_anchors().into_iter().zip(numbers.into_iter().chain(zeros))
    {
        build.numeric.set(anchor, number);
    }
    solution
}

/// A coordinate on which those of a block depend.
struct Other {
    /// Its place among the unknowns.
    unknown: usize,
    value: Ex,
    /// Derivatives of the residuals with respect to it.
    column: Vec<Ex>,
}

fn others(topology: &Topology, block: &LoopBlock, by: &[(Ex, Ex)]) -> Vec<Other> {
    let other = |unknown: usize| {
        if block.unknowns.contains(&unknown) || topology.loops.unknowns[unknown].violation {
            return None;
        }
        let symbol = topology.loops.unknowns[unknown].symbol;
        let column: Vec<Ex> =
            block.rows.iter().map(|&r| topology.loops.jacobian[r][unknown]).collect();
        let column = substitute(&column, by);
        if column.iter().all(|c| c.is_constant_zero()) {
            return None;
        }
        let value = by.iter().find(|(s, _)| s.key() == symbol.key())?.1;
        Some(Other { unknown, value, column })
    };
    (0..topology.loops.unknowns.len()).filter_map(other).collect()
}

/// The angles of joints that move with the unknowns of a block and with the coordinates on which
/// these depend, as multiples of these coordinates and unknowns.
fn angles(topology: &Topology, block: &LoopBlock, others: &[Other]) -> Vec<Vec<(usize, Ex)>> {
    let numbering = topology.variables.numbering;
    let moving = block.unknowns.iter().copied().chain(others.iter().map(|other| other.unknown));
    let variables: Vec<VariableId> = moving.map(|k| topology.loops.unknowns[k].variable).collect();
    let coordinates = topology.structure.multibody.coordinates.enumerate();
    let turns = coordinates
        .filter(|(_, coordinate)| coordinate.coordinate_type == CoordinateType::Revolute);
    let angle = |(c, _)| {
        let form = LinearForm::variable(numbering.coordinate(c));
        let form = topology.variables.elimination.reduce(&form);
        let part = |(i, v)| Some((i, *form.terms.get(v)?));
        variables.iter().enumerate().filter_map(part).collect::<Vec<_>>()
    };
    turns.map(angle).filter(|angle| !angle.is_empty()).collect()
}

/// Whether no angle has moved too far for the iteration to know its turn.
fn near(angles: &[Vec<(usize, Ex)>], moved: &[Ex]) -> Bool {
    angles.iter().fold(Bool::constant(true), |near, angle| {
        let turn = angle.iter().map(|&(i, factor)| factor * moved[i]).sum::<Ex>();
        near & turn.abs().le(LARGEST_TURN)
    })
}

/// Whether a loop is far from the positions at which it could go on in several ways (change points,
/// all links of a parallelogram in a line): there the determinant vanishes while all move at finite
/// speed.
fn far_from_change_points(
    numeric: &Numeric,
    determinant: Ex,
    matrix: &[Vec<Ex>],
    wider: Ex,
) -> Bool {
    let column = |k: usize| matrix.iter().map(|row| row[k].square()).sum::<Ex>();
    // Near a change point all columns may become short together.
    let length = |k: usize| {
        let at_start = numeric.one(column(k));
        if at_start.is_finite() { column(k).max(at_start) } else { column(k) }
    };
    let lengths = (0..matrix.len()).fold(Ex::one(), |product, k| product * length(k));
    let part = determinant.square() / lengths;
    // A start that only initialization finds is not known here; the part is 1 at most.
    let at_start = numeric.one(part);
    let at_start = if at_start.is_finite() { at_start } else { 1.0 };
    let smallest = SMALLEST_DETERMINANT * SMALLEST_DETERMINANT * at_start;
    (determinant.square() * wider).gt(smallest * lengths)
}

/// Whether a loop is far from the positions at which its independent coordinates no longer
/// determine the others (dead points): there the others move infinitely faster.
fn far_from_dead_points(numeric: &Numeric, factor: &Factor, others: &[Other], wider: Ex) -> Bool {
    others.iter().fold(Bool::constant(true), |regular, other| {
        factor.solve(&other.column).into_iter().fold(regular, |regular, n| {
            let at_start = numeric.one(n).abs();
            let limit = LARGEST_TRANSMISSION * if at_start > 1.0 { at_start } else { 1.0 };
            regular & n.abs().le(limit * wider)
        })
    })
}
