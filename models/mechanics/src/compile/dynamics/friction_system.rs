//! Friction torques: known while an element slides, and while it is stuck, determined by a relative
//! acceleration of zero.

use super::reactions::Reactions;
use crate::ids::{FrictionId, Id, VariableId};
use crate::statements::algebra::graph_search::components;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::laws::friction_element::{Friction, FrictionState, Pressing};
use equations::{Bool, Ex, Factor, select};
use std::collections::BTreeMap;

/// Relative size of accelerations that are sums of large terms. It is far below the regularization
/// of parallel elements, whose accelerations must still be distinguished.
const ACCELERATION_ERROR: f64 = 1e-11;

/// Relative error of a sum of terms that cancel each other.
const SUM_ERROR: f64 = 64.0 * f64::EPSILON;

/// All friction elements, the accelerations due to a unit torque of each element, and the reactions
/// on which their torques may depend.
pub struct FrictionSystem<'a> {
    /// The elements.
    pub friction: &'a [Friction],
    /// The generalised forces of unit torques.
    pub forces: &'a [BTreeMap<VariableId, Ex>],
    /// The accelerations that unit torques cause.
    pub responses: &'a [BTreeMap<VariableId, Ex>],
    /// The reactions.
    pub reactions: &'a Reactions,
    /// Whether the coupling matrix is symmetric.
    pub symmetric: bool,
}

impl FrictionSystem<'_> {
    /// How much a unit torque of element `j` slows the relative motion of element `i`.
    fn coupling(&self, i: usize, j: usize) -> Ex {
        let partials = self.friction[i].relative.partials.iter();
        partials.fold(Ex::zero(), |sum, (k, &p)| {
            sum + self.responses[j].get(k).map_or_else(Ex::zero, |&r| p * r)
        })
    }

    /// The decrease of the load on which element `i` depends, per unit torque of element `j`.
    fn load_decrease(&self, i: usize, j: usize) -> Ex {
        match self.friction[i].proportional {
            None => Ex::zero(),
            Some((Pressing::Element(own), _)) => {
                Ex::from(if own == FrictionId::at(j) { -1.0 } else { 0.0 })
            }
            Some((Pressing::Reaction(reaction), _)) => {
                self.reactions.rows[&reaction.0].decrease(&self.forces[j], &self.responses[j])
            }
        }
    }

    /// The decrease of the sliding torque of element `i`, per unit torque of element `j`.
    fn proportion(&self, i: usize, j: usize) -> Ex {
        let factor = self.friction[i].proportional.map_or_else(Ex::zero, |(_, factor)| factor);
        factor * self.load_decrease(i, j)
    }

    /// The torques of the elements.
    /// Elements that do not influence each other are solved apart.
    pub fn solve(&self, free: &BTreeMap<VariableId, Ex>, numeric: &Numeric) -> Vec<FrictionState> {
        let n = self.friction.len();
        let mut coupled = BTreeMap::new();
        let mut pairs = Vec::new();
        for i in 0..n {
            for j in 0..n {
                if i <= j || !self.symmetric {
                    let a = self.coupling(i, j);
                    if i == j || !a.is_constant_zero() {
                        coupled.insert((i, j), a);
                        pairs.push((i, j));
                    }
                }
                if !self.proportion(i, j).is_constant_zero() {
                    pairs.push((i, j));
                }
            }
        }
        let items: Vec<usize> = (0..n).collect();
        let mut states: Vec<Option<FrictionState>> = vec![None; n];
        for block in components(&items, pairs.into_iter()) {
            let element = |i: usize, j: usize| {
                let place = if self.symmetric { (i.min(j), i.max(j)) } else { (i, j) };
                coupled.get(&place).copied().unwrap_or_else(Ex::zero)
            };
            let a: Vec<Vec<Ex>> =
                block.iter().map(|&i| block.iter().map(|&j| element(i, j)).collect()).collect();
            let solved = self.solve_block(&block, &a, free, numeric);
            for (&i, state) in block.iter().zip(solved) {
                states[i] = Some(state);
            }
        }
        states.into_iter().flatten().collect()
    }

    /// Solves `A tau = b` on the stuck rows, with `tau` given on the others.
    ///
    /// Parallel elements make `A` singular: the accelerations are unique but not the torques, nor
    /// which elements stick. A small multiple of the unit matrix decides about that and selects the
    /// torques of least norm; two proximal corrections remove its influence on the accelerations.
    /// An element between prescribed motions accelerates nothing, and is stuck as long as its
    /// motion rests, with no torque since none is determined. What tears it loose is its speed as
    /// well as its acceleration: a prescribed speed may jump, or be an input whose rate is unknown.
    fn solve_block(
        &self,
        block: &[usize],
        a: &[Vec<Ex>],
        free: &BTreeMap<VariableId, Ex>,
        numeric: &Numeric,
    ) -> Vec<FrictionState> {
        let n = block.len();
        let elements: Vec<&Friction> = block.iter().map(|&i| &self.friction[i]).collect();
        let locked: Vec<Bool> = elements.iter().map(|f| f.locked).collect();
        let prescribed = |i: usize| a[i][i].is_constant_zero();
        let b = elements.iter().enumerate().map(|(i, f)| {
            let speed = if prescribed(i) { f.relative.v } else { Ex::zero() };
            f.relative.acceleration(free) + speed + f.stabilisation
        });
        let b: Vec<Ex> = b.collect();
        let sliding: Vec<Ex> = elements.iter().map(|f| self.given_torque(f, free)).collect();
        let epsilon = match elements.iter().filter(|f| f.contact).count() {
            0 | 1 => softness(a, numeric),
            _ => softened(a, numeric),
        };
        // At rest, an element whose friction is proportional to another force carries as little as
        // possible: a gear then never carries more than it can hold, and a contact leaves the load
        // to the normal forces.
        let soft: Vec<Ex> = elements
            .iter()
            .map(|f| match f.proportional {
                Some(_) => epsilon * SOFTNESS_OF_PRESSED,
                _ => epsilon,
            })
            .collect();
        let proportional = elements.iter().any(|f| f.proportional.is_some());
        let system = if proportional || !self.symmetric {
            self.mixed_system(block, a, &b, &locked, &sliding, &soft)
        } else {
            masked_system(a, &b, &locked, &sliding, &soft)
        };
        let holding = system.factor.solve(&system.rhs);
        let sliding_accelerations: Vec<Ex> = (0..n)
            .map(|i| (0..n).fold(b[i] - soft[i] * holding[i], |sum, j| sum - a[i][j] * holding[j]))
            .collect();
        let mut torques = holding.clone();
        if !epsilon.is_constant_zero() {
            for _ in 0..2 {
                let shifted = |i: usize| system.rhs[i] + soft[i] * torques[i];
                let rhs: Vec<Ex> =
                    (0..n).map(|i| select(locked[i], shifted(i), system.rhs[i])).collect();
                torques = system.factor.solve(&rhs);
            }
        }
        // Parallel elements share the difference of torques that may be much larger than it.
        let acceleration_error = |i: usize| match epsilon.is_constant_zero() {
            true => Ex::zero(),
            false => {
                (0..n).fold(b[i].abs(), |sum, j| sum + (a[i][j] * holding[j]).abs()) * SUM_ERROR
            }
        };
        let state = |i: usize| {
            let (decrease, held) = self.reaction_decrease(block, i, a, &system.factor);
            let resting = locked[i] & Bool::constant(prescribed(i));
            let error = if epsilon.is_constant_zero() { SUM_ERROR } else { SHARED_TORQUE_ERROR };
            FrictionState {
                tau: select(resting, 0.0, torques[i]),
                holding_torque: holding[i],
                sliding_acceleration: sliding_accelerations[i],
                acceleration_error_per_torque: a[i][i] * ACCELERATION_ERROR,
                acceleration_error: acceleration_error(i),
                reaction: self.reaction(block, i, &holding, free, |x| x),
                reaction_decrease_per_torque: decrease,
                held_by_others: held & Bool::constant(!epsilon.is_constant_zero()),
                reaction_error: self.reaction(block, i, &holding, free, Ex::abs) * error,
            }
        };
        (0..n).map(state).collect()
    }

    /// The decrease of the reaction on which an element of a block depends, per unit of its torque,
    /// while all other elements keep their modes: stuck ones stay stuck, and gears share loads.
    /// Also whether the other elements hold it.
    fn reaction_decrease(
        &self,
        block: &[usize],
        i: usize,
        a: &[Vec<Ex>],
        factor: &Factor,
    ) -> (Ex, Bool) {
        let Some((Pressing::Reaction(_), _)) = self.friction[block[i]].proportional else {
            return (self.load_decrease(block[i], block[i]), Bool::constant(false));
        };
        // Torques that change in this direction change the row of this element only.
        let unit: Vec<Ex> =
            (0..block.len()).map(|j| Ex::from(if i == j { 1.0 } else { 0.0 })).collect();
        let direction = factor.solve(&unit);
        let along = |of: &dyn Fn(usize) -> Ex| {
            let each = direction.iter().enumerate();
            each.fold(Ex::zero(), |sum, (j, &d)| sum + of(j) * d) / direction[i]
        };
        let accelerates = along(&|j| a[i][j]);
        (along(&|j| self.load_decrease(block[i], block[j])), accelerates.lt(a[i][i] * HELD))
    }

    /// The reaction on which an element of a block depends, with these torques: the sum of its
    /// terms, each mapped by `term`.
    fn reaction(
        &self,
        block: &[usize],
        i: usize,
        torques: &[Ex],
        free: &BTreeMap<VariableId, Ex>,
        term: fn(Ex) -> Ex,
    ) -> Ex {
        let Some((Pressing::Reaction(reaction), _)) = self.friction[block[i]].proportional else {
            return Ex::zero();
        };
        let row = &self.reactions.rows[&reaction.0];
        let without = term(row.force - row.inertia(free));
        let each = block.iter().zip(torques);
        each.fold(without, |sum, (&j, &tau)| sum + term(-(self.load_decrease(block[i], j) * tau)))
    }

    /// The part of an element's sliding torque that no friction torque influences.
    fn given_torque(&self, element: &Friction, free: &BTreeMap<VariableId, Ex>) -> Ex {
        let of_reaction = match element.proportional {
            Some((Pressing::Reaction(reaction), factor)) => {
                let row = &self.reactions.rows[&reaction.0];
                factor * (row.force - row.inertia(free))
            }
            Some((Pressing::Element(_), _)) | None => Ex::zero(),
        };
        select(element.locked, 0.0, element.sliding + of_reaction)
    }

    /// The system where sliding torques depend on reactions, hence on each other, or where elements
    /// act on frames too: all torques are unknown, and the matrix is not symmetric.
    fn mixed_system(
        &self,
        block: &[usize],
        a: &[Vec<Ex>],
        b: &[Ex],
        locked: &[Bool],
        sliding: &[Ex],
        soft: &[Ex],
    ) -> System {
        let n = block.len();
        let element = |i: usize, j: usize| {
            let (unit, shift) = if i == j { (1.0, soft[i]) } else { (0.0, Ex::zero()) };
            let slides = self.proportion(block[i], block[j]) + unit;
            select(locked[i], a[i][j] + shift, slides)
        };
        let matrix: Vec<Vec<Ex>> =
            (0..n).map(|i| (0..n).map(|j| element(i, j)).collect()).collect();
        let rhs = (0..n).map(|i| select(locked[i], b[i], sliding[i])).collect();
        let near_singular = soft.iter().any(|s| !s.is_constant_zero());
        let factor =
            if near_singular { Factor::pivoted(&matrix) } else { Factor::general(&matrix) };
        System { factor, rhs }
    }
}

/// A factorized system for the torques.
struct System {
    factor: Factor,
    rhs: Vec<Ex>,
}

/// The system where sliding torques are known: symmetric, with unit rows for them.
fn masked_system(a: &[Vec<Ex>], b: &[Ex], locked: &[Bool], sliding: &[Ex], soft: &[Ex]) -> System {
    let n = a.len();
    let element = |i: usize, j: usize| match i == j {
        true => select(locked[i], a[i][i] + soft[i], 1.0),
        false => select(locked[i] & locked[j], a[i][j], 0.0),
    };
    let matrix: Vec<Vec<Ex>> = (0..n).map(|i| (0..n).map(|j| element(i, j)).collect()).collect();
    let rhs = (0..n).map(|i| {
        let others = (0..n).filter(|&j| j != i);
        let left = others.fold(b[i], |sum, j| sum - a[i][j] * sliding[j]);
        select(locked[i], left, sliding[i])
    });
    System { rhs: rhs.collect(), factor: Factor::symmetric(&matrix) }
}

/// The softness of elements between prescribed motions, in 1/(kg.m2) or 1/kg; of others as a part
/// of the mean of the diagonal.
const SOFTNESS: f64 = 1e-9;

/// Other elements hold an element if its torque accelerates it by less than this part of the
/// acceleration without the other elements.
const HELD: f64 = 1e-5;

/// Relative error of torques that only the softness determines.
const SHARED_TORQUE_ERROR: f64 = 1e-7;

/// How many times softer elements are whose friction is in proportion to another force.
const SOFTNESS_OF_PRESSED: f64 = 100.0;

/// A smaller ratio of eigenvalues is singular, or may become so during motion.
const NEARLY_SINGULAR: f64 = 1e-7;

/// The addition to the diagonal of a symmetric positive semidefinite matrix that makes it regular.
fn softness(a: &[Vec<Ex>], numeric: &Numeric) -> Ex {
    if is_singular(a, numeric) { softened(a, numeric) } else { Ex::zero() }
}

/// The same where the matrix may become singular later.
fn softened(a: &[Vec<Ex>], numeric: &Numeric) -> Ex {
    let trace: Ex = (0..a.len()).map(|i| a[i][i]).sum();
    if numeric.one(trace) == 0.0 {
        return Ex::from(SOFTNESS);
    }
    trace * (SOFTNESS / a.len() as f64)
}

/// Whether a symmetric positive semidefinite matrix is singular, or may become so during motion.
fn is_singular(a: &[Vec<Ex>], numeric: &Numeric) -> bool {
    let n = a.len();
    let values = numeric.all(&a.concat());
    let matrix = nalgebra::DMatrix::from_row_slice(n, n, &values);
    let eigenvalues = matrix.symmetric_eigen().eigenvalues;
    let (low, high) = (eigenvalues.min(), eigenvalues.max());
    low.is_nan() || low <= NEARLY_SINGULAR * high
}
