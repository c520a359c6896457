//! Equations of motion, stuck friction elements included, solved for the accelerations.

use crate::compile::algebra::graph::components;
use crate::compile::algebra::numeric::Numeric;
use crate::compile::contributions::{Pose, Twist};
use crate::compile::loads::mass_matrix::Sums;
use crate::compile::loads::support_reaction::Housings;
use crate::compile::motion::coordinates::Motion;
use crate::compile::spatial::articulated::Load;
use crate::component::Reaction;
use crate::vector::{Matrix, Vector, cross, dot, identity, resolve_dyade1, symmetric, zero};
use equations::{Bool, Ex, Factor, select};
use std::collections::BTreeMap;

/// Mass, first moment and inertia tensor of a link about its origin, in its own axes.
#[derive(Clone, Copy, Debug)]
pub struct Inertia {
    pub(crate) mass: Ex,
    pub(crate) moment: Vector,
    pub(crate) tensor: Matrix,
}

impl Inertia {
    /// No mass.
    pub fn zero() -> Self {
        Inertia { mass: Ex::zero(), moment: zero(), tensor: Matrix::zeros() }
    }

    /// Adds a body that has a constant pose on the link.
    pub fn add(&mut self, pose: &Pose, mass: Ex, r_cm: &Vector, inertia: &Matrix) {
        let c = pose.r + pose.t.transpose() * r_cm;
        let steiner = (identity() * dot(&c, &c) - c * c.transpose()) * mass;
        self.mass += mass;
        self.moment += c * mass;
        self.tensor += resolve_dyade1(&pose.t, &symmetric(inertia)) + symmetric(&steiner);
    }

    /// Whether there is nothing.
    pub fn is_zero(&self) -> bool {
        self.mass.is_constant_zero() && self.tensor.iter().all(|c| c.is_constant_zero())
    }

    /// Momentum: angular about the origin, and linear.
    pub fn momentum(&self, twist: &Twist) -> Twist {
        Twist {
            w: self.tensor * twist.w + cross(&self.moment, &twist.v),
            v: twist.v * self.mass + cross(&twist.w, &self.moment),
        }
    }

    /// Moment about the origin and force that give the acceleration.
    pub fn required(&self, velocity: &Twist, acceleration: &Twist) -> Twist {
        let linear = self.momentum(acceleration);
        let w = &velocity.w;
        Twist {
            w: linear.w + cross(w, &(self.tensor * w)),
            v: linear.v + cross(w, &cross(w, &self.moment)),
        }
    }
}

/// A friction element between the terms of a relative motion.
#[derive(Clone, Debug)]
pub struct Friction {
    /// Instance name.
    pub name: String,
    /// The relative motion; the friction torque acts against it.
    pub relative: Motion,
    /// True while it is stuck.
    pub locked: Bool,
    /// The torque while it is not stuck.
    pub sliding: Ex,
    /// A load and a factor: while not stuck, this much of the load is added to `sliding`.
    pub proportional: Option<(Pressing, Ex)>,
    /// The relative acceleration while stuck is the negative of this.
    pub stabilisation: Ex,
    /// Whether it is a contact: of several, none need determine its force alone.
    pub contact: bool,
}

/// What a sliding torque may be proportional to.
#[derive(Clone, Copy, Debug)]
pub enum Pressing {
    /// A multiplier.
    Reaction(Reaction),
    /// The torque of another element, by its number.
    Element(usize),
}

/// What the equations of motion say about a friction element.
#[derive(Clone, Copy, Debug)]
pub struct FrictionState {
    /// Its torque in N.m.
    pub tau: Ex,
    /// The torque that decides whether it breaks loose; it is `tau`, but for parallel elements,
    /// where it is the torque of a slightly softer system in which every element has its own.
    pub hold: Ex,
    /// The relative acceleration that decides whether it goes on sliding, of the same system.
    pub slip: Ex,
    /// What a unit of its torque is worth as a relative acceleration that rounding errors may hide.
    pub rounding: Ex,
    /// A relative acceleration that may be nothing but rounding of the terms that it is a sum of.
    pub noise: Ex,
    /// The reaction on which its sliding torque depends, of the same system.
    pub reaction: Ex,
    /// How much the reaction on which its sliding torque depends falls with a unit of its torque.
    pub share: Ex,
    /// Whether others hold it: no torque of its own could move it.
    pub held: Bool,
    /// What of that reaction may be rounding, or an error of torques that parallel elements share.
    pub vague: Ex,
}

/// Relative size of accelerations that are sums of large terms. It is far below the regularization
/// of parallel elements, whose accelerations must still be told apart.
const ROUNDING: f64 = 1e-11;

/// Relative error of a sum of terms that cancel each other.
const NOISE: f64 = 64.0 * f64::EPSILON;

/// The solved equations of motion.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// Accelerations of the independent coordinates.
    pub accelerations: BTreeMap<usize, Ex>,
    /// The friction elements.
    pub friction: Vec<FrictionState>,
    /// Multipliers of the relations that were asked for.
    pub reactions: BTreeMap<usize, Ex>,
    /// What a unit of impulse along each row that impacts need changes the independent speeds.
    pub responses: Vec<BTreeMap<usize, Ex>>,
}

/// Multipliers of relations as functions of accelerations and friction torques.
///
/// If a relation were violated, at a coordinate of its own, the sums would have a row for that
/// coordinate. What this row lacks for balance is the multiplier.
#[derive(Debug, Default)]
pub struct Reactions {
    rows: BTreeMap<usize, Row>,
}

/// The row of one violation.
#[derive(Debug)]
struct Row {
    variable: usize,
    force: Ex,
    mass: BTreeMap<usize, Ex>,
}

impl Row {
    /// The multiplier's part that comes from accelerations.
    fn inertia(&self, accelerations: &BTreeMap<usize, Ex>) -> Ex {
        let known = self.mass.iter().filter_map(|(k, &m)| Some((m, *accelerations.get(k)?)));
        known.fold(Ex::zero(), |sum, (m, a)| sum + m * a)
    }

    /// How much a unit of an element's torque takes from the multiplier, the accelerations that it
    /// causes included.
    fn share(&self, force: &BTreeMap<usize, Ex>, response: &BTreeMap<usize, Ex>) -> Ex {
        let direct = force.get(&self.variable).copied();
        direct.unwrap_or_else(Ex::zero) - self.inertia(response)
    }
}

impl Reactions {
    /// The rows of all relations whose multipliers were asked for.
    pub(crate) fn new(plan: &crate::compile::topology::plan::Plan, sums: &Sums) -> Self {
        let relations = plan.structure.relations.iter().enumerate();
        let rows = relations.filter(|(_, relation)| relation.reaction).map(|(r, _)| {
            let variable = plan.coordinates.numbering().violation(r);
            let mass = plan.independent.iter().map(|&k| (k, sums.mass(variable, k)));
            let mass = mass.filter(|(_, m)| !m.is_constant_zero()).collect();
            (r, Row { variable, force: sums.force(variable), mass })
        });
        Reactions { rows: rows.collect() }
    }

    fn solve(
        &self,
        friction: &[BTreeMap<usize, Ex>],
        states: &[FrictionState],
        accelerations: &BTreeMap<usize, Ex>,
    ) -> BTreeMap<usize, Ex> {
        let solved = self.rows.iter().map(|(&r, row)| {
            let direct = |(force, state): (&BTreeMap<usize, Ex>, &FrictionState)| {
                Some(*force.get(&row.variable)? * state.tau)
            };
            let torques: Ex = friction.iter().zip(states).filter_map(direct).sum();
            (r, row.force - row.inertia(accelerations) - torques)
        });
        solved.collect()
    }
}

/// Solves for the accelerations of `independent` coordinates, the friction torques and the
/// reactions.
pub fn solve(
    sums: &Sums,
    independent: &[usize],
    (friction, rows): (&[Friction], &[Motion]),
    (reactions, housings): (&Reactions, &Housings),
    numeric: &Numeric,
) -> Solution {
    let mass = sums.factorise(independent);
    let mut accelerations = mass.solve(sums.load());
    let along = |motion: &Motion| {
        let forces = housings.project(&motion.partials);
        Load { forces, ..Load::default() }
    };
    let of_rows = rows.iter().map(|row| mass.solve(&along(row))).collect();
    let loads: Vec<Load> = friction.iter().map(|f| along(&f.relative)).collect();
    let responses: Vec<BTreeMap<usize, Ex>> = loads.iter().map(|load| mass.solve(load)).collect();
    let forces: Vec<BTreeMap<usize, Ex>> = loads.into_iter().map(|load| load.forces).collect();
    let (forces, responses) = (&forces[..], &responses[..]);
    let symmetric = housings.is_empty() && sums.is_symmetric();
    let system = FrictionSystem { friction, forces, responses, reactions, symmetric };
    let states = system.solve(&accelerations, numeric);
    for (response, state) in responses.iter().zip(&states) {
        for (k, &r) in response {
            *accelerations.entry(*k).or_insert_with(Ex::zero) -= r * state.tau;
        }
    }
    let reactions = reactions.solve(forces, &states, &accelerations);
    Solution { accelerations, friction: states, reactions, responses: of_rows }
}

/// All friction elements, what a unit torque of each of them accelerates, and the reactions that
/// their torques may depend on.
struct FrictionSystem<'a> {
    friction: &'a [Friction],
    /// The generalised forces of unit torques.
    forces: &'a [BTreeMap<usize, Ex>],
    responses: &'a [BTreeMap<usize, Ex>],
    reactions: &'a Reactions,
    /// Whether elements slow each other alike, whichever is looked at.
    symmetric: bool,
}

impl FrictionSystem<'_> {
    /// How much a unit torque of element `j` slows the relative motion of element `i`.
    fn coupling(&self, i: usize, j: usize) -> Ex {
        let partials = self.friction[i].relative.partials.iter();
        partials.fold(Ex::zero(), |sum, (k, &p)| {
            sum + self.responses[j].get(k).map_or_else(Ex::zero, |&r| p * r)
        })
    }

    /// How much the load on which element `i` depends falls with a unit torque of element `j`.
    fn share(&self, i: usize, j: usize) -> Ex {
        match self.friction[i].proportional {
            None => Ex::zero(),
            Some((Pressing::Element(own), _)) => Ex::from(if own == j { -1.0 } else { 0.0 }),
            Some((Pressing::Reaction(reaction), _)) => {
                self.reactions.rows[&reaction.0].share(&self.forces[j], &self.responses[j])
            }
        }
    }

    /// How much the sliding torque of element `i` falls with a unit torque of element `j`.
    fn proportion(&self, i: usize, j: usize) -> Ex {
        let factor = self.friction[i].proportional.map_or_else(Ex::zero, |(_, factor)| factor);
        factor * self.share(i, j)
    }

    /// Torques: given while sliding, such that the relative acceleration vanishes while stuck.
    /// Elements that do not influence each other are solved apart.
    fn solve(&self, free: &BTreeMap<usize, Ex>, numeric: &Numeric) -> Vec<FrictionState> {
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
        free: &BTreeMap<usize, Ex>,
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
        let sliding: Vec<Ex> = elements.iter().map(|f| self.given(f, free)).collect();
        let epsilon = match elements.iter().filter(|f| f.contact).count() {
            0 | 1 => softness(a, numeric),
            _ => softened(a, numeric),
        };
        // What slides by a force in proportion to another one takes as little as it can at rest: a
        // gear then never more than it can hold, and a contact between others leaves it to normals.
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
        let hold = system.factor.solve(&system.rhs);
        let slip: Vec<Ex> = (0..n)
            .map(|i| (0..n).fold(b[i] - soft[i] * hold[i], |sum, j| sum - a[i][j] * hold[j]))
            .collect();
        let mut torques = hold.clone();
        if !epsilon.is_constant_zero() {
            for _ in 0..2 {
                let shifted = |i: usize| system.rhs[i] + soft[i] * torques[i];
                let rhs: Vec<Ex> =
                    (0..n).map(|i| select(locked[i], shifted(i), system.rhs[i])).collect();
                torques = system.factor.solve(&rhs);
            }
        }
        // Parallel elements share what remains of torques that may be much larger than it.
        let noise = |i: usize| match epsilon.is_constant_zero() {
            true => Ex::zero(),
            false => (0..n).fold(b[i].abs(), |sum, j| sum + (a[i][j] * hold[j]).abs()) * NOISE,
        };
        let state = |i: usize| {
            let (share, held) = self.yielding(block, i, a, &system.factor);
            let held = held & Bool::constant(!epsilon.is_constant_zero());
            let resting = locked[i] & Bool::constant(prescribed(i));
            let (tau, hold_, slip) = (select(resting, 0.0, torques[i]), hold[i], slip[i]);
            let (rounding, reaction) =
                (a[i][i] * ROUNDING, self.reaction(block, i, &hold, free, |x| x));
            let noise = noise(i);
            let vague = if epsilon.is_constant_zero() { NOISE } else { VAGUE };
            let vague = self.reaction(block, i, &hold, free, Ex::abs) * vague;
            FrictionState { tau, hold: hold_, slip, rounding, noise, reaction, share, held, vague }
        };
        (0..n).map(state).collect()
    }

    /// How much the reaction on which an element of a block depends falls with a unit of its
    /// torque, where all others do what they do: the stuck ones stay stuck, and loads of gears
    /// are shared. Also whether the element is held by them.
    fn yielding(&self, block: &[usize], i: usize, a: &[Vec<Ex>], factor: &Factor) -> (Ex, Bool) {
        let Some((Pressing::Reaction(_), _)) = self.friction[block[i]].proportional else {
            return (self.share(block[i], block[i]), Bool::constant(false));
        };
        // All solutions of the other rows are on a line; this is its direction.
        let unit: Vec<Ex> =
            (0..block.len()).map(|j| Ex::from(if i == j { 1.0 } else { 0.0 })).collect();
        let direction = factor.solve(&unit);
        let along = |of: &dyn Fn(usize) -> Ex| {
            let each = direction.iter().enumerate();
            each.fold(Ex::zero(), |sum, (j, &d)| sum + of(j) * d) / direction[i]
        };
        let accelerates = along(&|j| a[i][j]);
        (along(&|j| self.share(block[i], block[j])), accelerates.lt(a[i][i] * HELD))
    }

    /// The reaction on which an element of a block depends, with these torques, as the sum of what
    /// is made of its terms.
    fn reaction(
        &self,
        block: &[usize],
        i: usize,
        torques: &[Ex],
        free: &BTreeMap<usize, Ex>,
        term: fn(Ex) -> Ex,
    ) -> Ex {
        let Some((Pressing::Reaction(reaction), _)) = self.friction[block[i]].proportional else {
            return Ex::zero();
        };
        let row = &self.reactions.rows[&reaction.0];
        let without = term(row.force - row.inertia(free));
        let each = block.iter().zip(torques);
        each.fold(without, |sum, (&j, &tau)| sum + term(-(self.share(block[i], j) * tau)))
    }

    /// The part of an element's sliding torque that no friction torque influences.
    fn given(&self, element: &Friction, free: &BTreeMap<usize, Ex>) -> Ex {
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

/// A factorised system for the torques.
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

/// What a torque accelerates less than this part of what it would alone is held by others.
const HELD: f64 = 1e-5;

/// Relative error of torques that only the softness determines.
const VAGUE: f64 = 1e-7;

/// How many times softer elements are whose friction is in proportion to another force.
const SOFTNESS_OF_PRESSED: f64 = 100.0;

/// A smaller ratio of eigenvalues is singular, or may become so during motion.
const NEARLY_SINGULAR: f64 = 1e-7;

/// What is added to the diagonal of a symmetric positive semidefinite matrix to make it regular.
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
