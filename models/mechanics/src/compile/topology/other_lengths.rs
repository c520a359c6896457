//! Loops with other lengths: the states that the build chooses should also be good if lengths are
//! set.

use super::loop_equations::LoopEquations;
use super::loop_explorer::{Explorer, LoopExpressions};
use super::loop_structure::FreeLoop;
use crate::statements::algebra::numeric::Numeric;
use equations::{Ex, leaves_of};

/// How many other sets of lengths are tried, and by which part of itself a length changes at most.
const SETS: usize = 8;
const LARGEST_CHANGE: f64 = 0.1;

/// Redundant conditions hold if no gap in rad or m is larger than this.
const HOLDS: f64 = 1e-9;

/// A loop with the expressions of its equations.
#[derive(Clone, Copy)]
pub struct ExpressedLoop<'a> {
    pub group: &'a FreeLoop,
    pub expressions: &'a LoopExpressions,
}

/// Numbers at which a loop is closed with other `lengths`, as far as the lengths occur in the
/// loop's equations. Lengths are left out if the loop cannot be closed with them, or if redundant
/// conditions do not hold.
pub fn closed_with_others(
    loops: &LoopEquations,
    expressed: ExpressedLoop<'_>,
    lengths: &[Ex],
    numeric: &Numeric,
) -> Vec<Numeric> {
    let ExpressedLoop { group, expressions } = expressed;
    let redundant = redundant(loops, group);
    let leaves = leaves_of(&expressions.gaps);
    let occurs = |length: &&Ex| length.as_leaf().is_some_and(|leaf| leaves.contains(&leaf));
    let lengths: Vec<Ex> = lengths.iter().filter(occurs).copied().collect();
    let present = numeric.all(&lengths);
    if present.iter().all(|length| *length == 0.0) {
        return Vec::new();
    }
    let set = |number: usize| {
        let mut other = numeric.clone();
        for (k, (&length, &present)) in lengths.iter().zip(&present).enumerate() {
            let change = LARGEST_CHANGE * between(number, k);
            other.set_parameter(length, present * (1.0 + change));
        }
        for &(parameter, value) in &loops.from_start {
            other.set(parameter, other.one(value));
        }
        let other = Explorer::new(expressions, &other).closed_start()?;
        let holds = other.all(&redundant).iter().all(|gap| gap.abs() <= HOLDS);
        holds.then_some(other)
    };
    (0..SETS).filter_map(set).collect()
}

/// The gaps of redundant conditions of the instances that close a loop.
fn redundant(loops: &LoopEquations, group: &FreeLoop) -> Vec<Ex> {
    let closes = |name: &str| group.rows.iter().any(|&row| loops.rows[row].name == name);
    let rows = loops.structure.redundant.iter().map(|&row| &loops.rows[row]);
    rows.filter(|row| closes(&row.name)).filter_map(|row| row.residual()).collect()
}

/// A number between -1 and 1 for each length of each set: multiples of irrational numbers fill
/// the interval evenly.
fn between(set: usize, length: usize) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    2.0 * ((set + 1) as f64 * (golden + length as f64 * 2.0_f64.sqrt())).fract() - 1.0
}
