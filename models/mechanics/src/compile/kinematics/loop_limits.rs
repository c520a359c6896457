//! Where the solution of a loop continues its motion: the limits of determinant, angles and speeds.

use crate::compile::topology::Topology;
use crate::compile::topology::loop_structure::LoopBlock;
use crate::ids::VariableId;
use crate::statements::algebra::linear_form::LinearForm;
use crate::statements::algebra::numeric::Numeric;
use equations::{Anchor, BlockKind, Bool, Ex, Factor, Slopes, jacobian, select, substitute};
use std::collections::BTreeSet;

/// How much faster than at the start, and than independent coordinates, dependent ones may move.
pub const LARGEST_TRANSMISSION: f64 = 1e3;

/// How small the determinant of a loop's Jacobian may become, as a part of the product of the
/// lengths of its columns, relative to the start.
const SMALLEST_DETERMINANT: f64 = 1e-4;

/// How small it may become relative to the last accepted point. On the tangent the determinant
/// is known to second order in the distance from that point. So nothing jumps over a position where
/// it vanishes, however far apart the accepted points are.
const SMALLEST_PART: f64 = 0.25;

/// By how much these limits are wider at the last accepted point itself. This point was accepted
/// from the point before. A solution that starts at the point itself differs by rounding, and
/// rounding must not turn an accepted point into a refused one.
const WIDER: f64 = 1e-3;

/// How far the angles of a loop may move from one accepted point to the next, in rad. From a
/// greater distance the iteration may converge to another turn, and the tangent is not sufficient:
/// in steps of 0.9 rad, a slider-crank of equal lengths can pass its change point without notice.
pub const LARGEST_TURN: f64 = 0.8;

/// How many coordinates the name of a loop contains.
const MOST_NAMES: usize = 4;

/// The equations of a loop, where the coordinates on which it depends have their values.
pub struct LoopSystem<'a> {
    topology: &'a Topology,
    block: &'a LoopBlock,
    /// The values of the symbols that are not unknowns.
    by: &'a [(Ex, Ex)],
    /// The symbols of the unknowns.
    pub unknowns: Vec<Ex>,
    /// The residuals.
    pub residuals: Vec<Ex>,
    matrix: Vec<Vec<Ex>>,
    factor: Factor,
    others: Vec<Other>,
    angles: Vec<Vec<(usize, Ex)>>,
}

impl<'a> LoopSystem<'a> {
    /// That of a block.
    pub fn new(topology: &'a Topology, block: &'a LoopBlock, by: &'a [(Ex, Ex)]) -> Self {
        let symbol = |&k: &usize| topology.loops.unknowns[k].symbol;
        let unknowns: Vec<Ex> = block.unknowns.iter().map(symbol).collect();
        let residuals = substitute(&topology.loops.residuals(block), by);
        let matrix = jacobian(&residuals, &unknowns);
        let factor = Factor::general(&matrix);
        let others = others(topology, block, by);
        let angles = angles(topology, block, &others);
        LoopSystem { topology, block, by, unknowns, residuals, matrix, factor, others, angles }
    }

    /// The kind and the name of the loop, with the coordinates on which it depends, or with the
    /// sources that move it if nothing else does.
    pub fn name(&self) -> (BlockKind, String) {
        let name = self.topology.loops.block_name(self.block);
        match self.sources() {
            Some(sources) => (BlockKind::DrivenLoop, format!("{name}, moved by {sources}")),
            None if self.others.is_empty() => (BlockKind::Loop, name),
            None => {
                let demanded = if self.is_required() { ", as states(Always) demands" } else { "" };
                (BlockKind::Loop, format!("{name} (follows {}{demanded})", self.independent()))
            }
        }
    }

    /// The names of the first coordinates on which the unknowns depend.
    fn independent(&self) -> String {
        let name = |other: &Other| self.topology.loops.unknowns[other.unknown].name.as_str();
        let names: Vec<&str> = self.others.iter().map(name).take(MOST_NAMES).collect();
        let more = self.others.len() - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.join(", ") + &more
    }

    /// Whether the text, against a better choice of the build, prescribes a coordinate on which the
    /// unknowns depend.
    fn is_required(&self) -> bool {
        let required = &self.topology.loops.structure.required;
        self.others.iter().any(|other| required.contains(&other.unknown))
    }

    /// The sources that prescribe all motions on which the unknowns depend.
    fn sources(&self) -> Option<String> {
        let structure = &self.topology.structure;
        let source = |other: &Other| {
            let variable = self.topology.loops.unknowns[other.unknown].variable;
            let motion = self.topology.variables.numbering.prescribed_motion_of(variable)?;
            let component = structure.flanges.prescribed_motions[motion].component;
            Some(structure.names[component].as_str())
        };
        let sources: Option<BTreeSet<&str>> = self.others.iter().map(source).collect();
        let sources: Vec<&str> = sources?.into_iter().collect();
        (!sources.is_empty()).then(|| sources.join(" and "))
    }

    /// The values of the coordinates on which the unknowns depend.
    pub fn others(&self) -> Vec<Ex> {
        self.others.iter().map(|other| other.value).collect()
    }

    /// The determinant of the derivatives of the residuals with respect to the unknowns.
    pub fn determinant(&self) -> Ex {
        self.factor.determinant()
    }

    /// The derivatives of a solution.
    pub fn slopes(&self, solution: &[Ex]) -> Slopes {
        let mut at = self.by.to_vec();
        at.extend(self.unknowns.iter().copied().zip(solution.iter().copied()));
        let (rows, factor) = self.topology.loops.block_jacobian(self.block, &at);
        let slope = |other: &Other| {
            let column: Vec<Ex> = rows.iter().map(|row| -row[other.unknown]).collect();
            factor.solve(&column)
        };
        let by_other = self.others.iter().map(slope).collect();
        Slopes { determinant: factor.determinant(), by_other }
    }

    /// Whether the unknowns are a regular solution on the branch of the anchor; `near` tells
    /// whether they are close enough to it.
    pub fn is_regular(&self, numeric: &Numeric, anchor: &Anchor, near: Bool) -> Bool {
        let others = self.others.iter().zip(&anchor.others);
        let rests = others.fold(Bool::constant(true), |rests, (other, &then)| {
            rests & (other.value - then).equals(0.0)
        });
        let wider = select(rests, 1.0 + WIDER, 1.0);
        keeps_sign(self.determinant(), anchor.determinant)
            & limited(near, anchor)
            & far_from_change_points(numeric, self.determinant(), &self.matrix, wider)
            & self.is_far_from_dead_points(numeric, &self.ratios(), wider)
    }

    /// The derivatives of the unknowns with respect to the other coordinates, but for their signs,
    /// in terms of the symbols.
    fn ratios(&self) -> Vec<Ex> {
        self.others.iter().flat_map(|other| self.factor.solve(&other.column)).collect()
    }

    /// Whether the loop is far from its dead points, at which its independent coordinates no longer
    /// determine the others. At a dead point, the `ratios` (derivatives of the other coordinates
    /// with respect to the independent coordinates) are infinite. The limit is multiplied by
    /// `wider`.
    pub fn is_far_from_dead_points(&self, numeric: &Numeric, ratios: &[Ex], wider: Ex) -> Bool {
        let limit = |at_start: f64| if at_start > 1.0 { at_start } else { 1.0 };
        let limits = self.ratios().into_iter().map(|n| limit(numeric.one(n).abs()));
        limits.zip(ratios).fold(Bool::constant(true), |regular, (limit, n)| {
            regular & n.abs().le(LARGEST_TRANSMISSION * limit * wider)
        })
    }

    /// Whether no angle has moved too far for its turn to be known: `moved` are the distances from
    /// the anchor, and `is_near` decides for an angle that is an unknown, if it can.
    pub fn is_near(
        &self,
        anchor: &Anchor,
        moved: &dyn Fn(usize) -> Ex,
        is_near: &dyn Fn(usize) -> Option<Bool>,
    ) -> Bool {
        let n = self.unknowns.len();
        self.angles.iter().fold(Bool::constant(true), |near, angle| {
            let direct = match angle[..] {
                [(i, factor)] if i < n && factor.abs().constant_value() == Some(1.0) => is_near(i),
                _ => None,
            };
            let part = |&(i, factor): &(usize, Ex)| match i.checked_sub(n) {
                None => factor * moved(i),
                Some(k) => factor * (self.others[k].value - anchor.others[k]),
            };
            near & direct
                .unwrap_or_else(|| angle.iter().map(part).sum::<Ex>().abs().le(LARGEST_TURN))
        })
    }
}

/// Whether a determinant is at least a part of that at the anchor, with the same sign; always true
/// where that is zero.
pub fn keeps_sign(determinant: Ex, before: Ex) -> Bool {
    (determinant * before).ge(SMALLEST_PART * before.square())
}

/// A limit of the distance from the anchor; there is none where that point is not known.
pub fn limited(near: Bool, anchor: &Anchor) -> Bool {
    near | anchor.determinant.square().le(0.0)
}

/// Whether the discriminant of a closed form is far from zero: there a loop may be at a dead point,
/// or it could go on in several ways.
pub fn is_large_enough(numeric: &Numeric, discriminant: Ex, by: &[(Ex, Ex)]) -> Bool {
    let at_start = numeric.one(discriminant);
    let at_start = if at_start.is_finite() { at_start } else { 1.0 };
    let smallest = SMALLEST_DETERMINANT * SMALLEST_DETERMINANT * at_start;
    substitute(&[discriminant], by)[0].gt(smallest)
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
    let turns = coordinates.filter(|(_, coordinate)| coordinate.turns());
    let angle = |(c, _)| {
        let form = LinearForm::variable(numbering.coordinate(c));
        let form = topology.variables.elimination.reduce(&form);
        let part = |(i, v)| Some((i, *form.terms.get(v)?));
        variables.iter().enumerate().filter_map(part).collect::<Vec<_>>()
    };
    turns.map(angle).filter(|angle| !angle.is_empty()).collect()
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
