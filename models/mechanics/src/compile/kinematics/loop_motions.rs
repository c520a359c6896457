//! The motions of coordinates that loops determine.

use super::block_closed_form::BlockClosedForm;
use super::{closed_form_solution, newton_solution};
use crate::compile::build_context::BuildContext;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::closure::{ClosureRow, Equation};
use crate::compile::topology::loop_equations::LoopEquations;
use crate::compile::topology::loop_structure::{LoopBlock, LoopUnknown};
use crate::ids::FlangeConstraintId;
use crate::statements::motion::coordinates::{Coordinates, Motion};
use equations::{Ex, count_operations, differentiate, leaves_of, substitute};
use std::collections::BTreeMap;

/// Up to this number of coordinates in an equation, pairs of coordinates may be counted one by one.
const MOST_IN_PAIRS: usize = 6;

/// Dependent coordinates: positions in closed form or by Newton's method, their rates by linear
/// equations.
pub fn solve(basis: MotionBasis<'_>, coordinates: &mut Coordinates, build: &mut BuildContext<'_>) {
    let topology = basis.topology;
    let mut by = topology.loops.symbols.moving(coordinates);
    let free = topology.loops.free_variables();
    let is_free = |block: &&LoopBlock| {
        let variable = |&k: &usize| topology.loops.unknowns[k].variable;
        block.unknowns.iter().any(|k| free.contains(&variable(k)))
    };
    for block in topology.loops.structure.motion.iter().filter(|block| !is_free(block)) {
        let solution = match &BlockClosedForm::of(topology, block, &build.numeric) {
            Some(closed_form) => match closed_form.measured() {
                Some(value) => substitute(&[value], &by),
                None => closed_form_solution::solve(basis, block, closed_form, &by, build),
            },
            None => newton_solution::solve(basis, block, &by, build),
        };
        let unknowns = block.unknowns.iter().map(|&k| topology.loops.unknowns[k].symbol);
        by.extend(unknowns.zip(solution));
    }
    for block in topology.loops.structure.speed.iter().filter(|block| !is_free(block)) {
        rates(&topology.loops, block, &by, coordinates);
    }
}

/// Speeds, partial speeds and accelerations of a block's unknowns.
fn rates(loops: &LoopEquations, block: &LoopBlock, by: &[(Ex, Ex)], coordinates: &mut Coordinates) {
    let (matrix, factor) = loops.block_jacobian(block, by);
    let value =
        |k: usize| by.iter().find(|(s, _)| s.key() == loops.unknowns[k].symbol.key()).map(|p| p.1);
    let mut motions = vec![Motion::prescribed([Ex::zero(); 3]); block.unknowns.len()];
    let others = (0..loops.unknowns.len()).filter(|k| !block.unknowns.contains(k));
    for k in others {
        let column: Vec<Ex> = matrix.iter().map(|row| -row[k]).collect();
        let Some(other) = coordinates.motions().get(&loops.unknowns[k].variable) else {
            continue;
        };
        if column.iter().all(|c| c.is_constant_zero()) {
            continue;
        }
        for (motion, n) in motions.iter_mut().zip(factor.solve(&column)) {
            motion.add(other, n);
        }
    }
    for (flange_constraint, unit) in multipliers(&loops.rows, block) {
        let unit = substitute(&unit, by);
        let variable = coordinates.numbering().violation(flange_constraint);
        for (motion, n) in motions.iter_mut().zip(factor.solve(&unit)) {
            motion.add(&coordinates.motions()[&variable], n);
        }
    }
    let mut values = by.to_vec();
    values.extend(loops.symbols.speeds(|variable| {
        let own = block.unknowns.iter().position(|&k| loops.unknowns[k].variable == variable);
        let other = || coordinates.motions().get(&variable).map_or_else(Ex::zero, |m| m.v);
        Some(own.map_or_else(other, |i| motions[i].v))
    }));
    let quadratic = quadratic_terms(loops, block, &values, &matrix.concat());
    let quadratic: Vec<Ex> = quadratic.into_iter().map(|c| -c).collect();
    let bias = factor.solve(&quadratic);
    for ((mut motion, bias), &k) in motions.into_iter().zip(bias).zip(&block.unknowns) {
        let variable = loops.unknowns[k].variable;
        let before = coordinates.motions().get(&variable).map(|m| m.q);
        motion.q = value(k).or(before).unwrap_or_else(Ex::zero);
        motion.bias += bias;
        coordinates.set_motion(variable, motion);
    }
}

/// The part of the second derivative of a block's residuals that is quadratic in the speeds, where
/// the symbols have the values `by`: the derivative of the rates along the motion or, if this needs
/// fewer operations besides those for `known`, the sum over pairs of speeds.
pub(super) fn quadratic_terms(
    loops: &LoopEquations,
    block: &LoopBlock,
    by: &[(Ex, Ex)],
    known: &[Ex],
) -> Vec<Ex> {
    let along = substitute(&differentiate(&loops.rates(block), loops.symbols.seeds()), by);
    let Some(pairs) = sum_over_pairs(loops, block) else { return along };
    let pairs = substitute(&pairs, by);
    let [of_pairs, of_along] = [&pairs, &along].map(|terms| count_operations(terms, known));
    if of_pairs < of_along { pairs } else { along }
}

/// The sum over pairs of speeds; `None` if there are many, or if a row is no equation of positions
/// whose derivatives are the speeds. (The second derivatives of a sum of rows with factors that
/// change are not symmetric.)
fn sum_over_pairs(loops: &LoopEquations, block: &LoopBlock) -> Option<Vec<Ex>> {
    let sum = |&row: &usize| {
        let Equation::Closing { rate, origin, .. } = &loops.rows[row].equation else { return None };
        let leaves = leaves_of(&[*rate]);
        if !origin.combines.is_empty() {
            return None;
        }
        let occurs = |symbol: Ex| symbol.as_leaf().is_some_and(|leaf| leaves.contains(&leaf));
        let seeds = loops.symbols.seeds().iter().filter(|(symbol, _)| occurs(*symbol));
        let moving: Option<Vec<usize>> = seeds
            .map(|(symbol, rate)| {
                let same =
                    |u: &LoopUnknown| (u.symbol.key(), u.speed.key()) == (symbol.key(), rate.key());
                loops.unknowns.iter().position(same)
            })
            .collect();
        let moving = moving.filter(|moving| moving.len() <= MOST_IN_PAIRS)?;
        let mut sum = Ex::zero();
        for (i, &k) in moving.iter().enumerate() {
            let LoopUnknown { symbol, speed, .. } = loops.unknowns[k];
            let of = |&j: &usize| loops.speed_jacobian[row][j];
            let from_here: Vec<Ex> = moving[i..].iter().map(of).collect();
            let second = differentiate(&from_here, &[(symbol, Ex::one())]);
            let mixed = second.iter().zip(&moving[i..]).skip(1);
            let mixed = mixed.map(|(&h, &j)| h * loops.unknowns[j].speed).sum::<Ex>();
            sum += (second[0] * speed + mixed * 2.0) * speed;
        }
        Some(sum)
    };
    block.rows.iter().map(sum).collect()
}

/// The flange constraints that stand for rows of a block, and the addition to the block per unit of
/// each row.
pub(super) fn multipliers(
    rows: &[ClosureRow],
    block: &LoopBlock,
) -> Vec<(FlangeConstraintId, Vec<Ex>)> {
    let mut units: BTreeMap<usize, Vec<Ex>> = BTreeMap::new();
    for (i, &row) in block.rows.iter().enumerate() {
        let itself = [(row, Ex::one())];
        let combines = rows[row].combines();
        let parts = if combines.is_empty() { &itself[..] } else { combines };
        for &(part, weight) in parts {
            let unit = || vec![Ex::zero(); block.rows.len()];
            units.entry(part).or_insert_with(unit)[i] = weight;
        }
    }
    let flange_constraint = |(row, unit): (usize, _)| Some((rows[row].multiplier?, unit));
    units.into_iter().filter_map(flange_constraint).collect()
}
