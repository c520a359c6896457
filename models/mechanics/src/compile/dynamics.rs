//! Equations of motion: mass matrix and forces projected on the independent coordinates, stuck
//! friction elements included, solved for the accelerations.

use super::coordinates::Motion;
use super::numeric::Numeric;
use super::structure::{Pose, Twist};
use crate::vector::{Matrix, Vector, cross, dot, identity, resolve_dyade1, symmetric, zero};
use equations::{Bool, Ex, Factor, select};
use std::collections::BTreeMap;

/// Mass, first moment and inertia tensor of a link about its origin, in its own axes.
#[derive(Clone, Copy, Debug)]
pub struct Inertia {
    mass: Ex,
    moment: Vector,
    tensor: Matrix,
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
    fn required(&self, velocity: &Twist, acceleration: &Twist) -> Twist {
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
}

/// What the equations of motion say about a friction element.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrictionState {
    /// Its torque in N.m.
    pub tau: Ex,
    /// The torque that decides whether it breaks loose; it is `tau`, but for parallel elements,
    /// where it is the torque of a slightly softer system in which every element has its own.
    pub hold: Ex,
    /// The relative acceleration that decides whether it goes on sliding, of the same system.
    pub slip: Ex,
}

/// Sums that become the equations of motion.
#[derive(Debug, Default)]
pub struct Sums {
    /// Upper triangle of the mass matrix.
    mass: BTreeMap<(usize, usize), Ex>,
    /// Right-hand side.
    force: BTreeMap<usize, Ex>,
}

/// The solved equations of motion.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// Accelerations of the independent coordinates.
    pub accelerations: BTreeMap<usize, Ex>,
    /// The friction elements.
    pub friction: Vec<FrictionState>,
}

impl Sums {
    fn add_mass(&mut self, i: usize, j: usize, value: Ex) {
        if !value.is_constant_zero() {
            let entry = self.mass.entry((i.min(j), i.max(j))).or_insert_with(Ex::zero);
            *entry += value;
        }
    }

    fn add_force(&mut self, i: usize, value: Ex) {
        if !value.is_constant_zero() {
            *self.force.entry(i).or_insert_with(Ex::zero) += value;
        }
    }

    /// A moment of inertia (or a mass) on a coordinate.
    pub fn inertia(&mut self, motion: &Motion, inertia: Ex) {
        for (&i, &p) in &motion.partials {
            for (&j, &q) in motion.partials.range(i..) {
                self.add_mass(i, j, inertia * (p * q));
            }
            self.add_force(i, -(inertia * (p * motion.bias)));
        }
    }

    /// A link: its partial velocities, velocity, and acceleration at constant speeds.
    pub fn link(
        &mut self,
        inertia: &Inertia,
        partials: &BTreeMap<usize, Twist>,
        velocity: &Twist,
        bias: &Twist,
    ) {
        let required = inertia.required(velocity, bias);
        for (&i, partial) in partials {
            let momentum = inertia.momentum(partial);
            for (&j, other) in partials.range(i..) {
                self.add_mass(i, j, dot(&momentum.w, &other.w) + dot(&momentum.v, &other.v));
            }
            let force = dot(&partial.w, &required.w) + dot(&partial.v, &required.v);
            self.add_force(i, -force);
        }
    }

    /// A torque (or force) that acts in the direction of a coordinate.
    pub fn torque(&mut self, motion: &Motion, torque: Ex) {
        for (&i, &p) in &motion.partials {
            self.add_force(i, p * torque);
        }
    }

    /// A torque and a force on a frame, by the frame's partial velocities.
    pub fn wrench(&mut self, partials: &BTreeMap<usize, Twist>, wrench: &Twist) {
        for (&i, partial) in partials {
            self.add_force(i, dot(&partial.w, &wrench.w) + dot(&partial.v, &wrench.v));
        }
    }

    /// The element of the mass matrix.
    pub fn mass(&self, i: usize, j: usize) -> Ex {
        self.mass.get(&(i.min(j), i.max(j))).copied().unwrap_or_else(Ex::zero)
    }

    /// The right-hand side of an independent coordinate.
    pub fn force(&self, i: usize) -> Ex {
        self.force.get(&i).copied().unwrap_or_else(Ex::zero)
    }

    /// Solves for the accelerations of `independent` coordinates and the friction torques.
    pub fn solve(
        &self,
        independent: &[usize],
        friction: &[Friction],
        numeric: &Numeric,
    ) -> Solution {
        let blocks = Blocks::new(self, independent);
        let force: BTreeMap<usize, Ex> = independent.iter().map(|&i| (i, self.force(i))).collect();
        let mut accelerations = blocks.solve(&force);
        let responses: Vec<BTreeMap<usize, Ex>> =
            friction.iter().map(|f| blocks.solve(&f.relative.partials)).collect();
        let friction = friction_states(friction, &accelerations, &responses, numeric);
        for (response, state) in responses.iter().zip(&friction) {
            for (k, &r) in response {
                if let Some(a) = accelerations.get_mut(k) {
                    *a -= r * state.tau;
                }
            }
        }
        Solution { accelerations, friction }
    }
}

/// The factorised mass matrix, by blocks of coordinates that are coupled.
struct Blocks {
    blocks: Vec<(Vec<usize>, Factor)>,
}

impl Blocks {
    fn new(sums: &Sums, independent: &[usize]) -> Self {
        let pairs = sums.mass.keys().copied();
        let blocks = components(independent, pairs)
            .into_iter()
            .map(|block| {
                let matrix: Vec<Vec<Ex>> = block
                    .iter()
                    .map(|&i| block.iter().map(|&j| sums.mass(i, j)).collect())
                    .collect();
                let factor = Factor::symmetric(&matrix);
                (block, factor)
            })
            .collect();
        Blocks { blocks }
    }

    /// The inverse mass matrix times a sparse vector; only the blocks that it touches.
    fn solve(&self, rhs: &BTreeMap<usize, Ex>) -> BTreeMap<usize, Ex> {
        let mut solution = BTreeMap::new();
        for (block, factor) in &self.blocks {
            if block.iter().any(|i| rhs.contains_key(i)) {
                let b: Vec<Ex> =
                    block.iter().map(|i| rhs.get(i).copied().unwrap_or_else(Ex::zero)).collect();
                solution.extend(block.iter().copied().zip(factor.solve(&b)));
            }
        }
        solution
    }
}

/// Sets of items that are connected by pairs, each ascending, in the order of their first items.
pub fn components(items: &[usize], pairs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut root: BTreeMap<usize, usize> = items.iter().map(|&i| (i, i)).collect();
    fn find(root: &BTreeMap<usize, usize>, mut i: usize) -> usize {
        while root[&i] != i {
            i = root[&i];
        }
        i
    }
    for (i, j) in pairs {
        let (i, j) = (find(&root, i), find(&root, j));
        root.insert(i.max(j), i.min(j));
    }
    let mut sets = BTreeMap::<usize, Vec<usize>>::new();
    for &i in root.keys() {
        sets.entry(find(&root, i)).or_default().push(i);
    }
    sets.into_values().collect()
}

/// Torques of friction elements: given while sliding, such that the relative acceleration vanishes
/// while stuck. Elements that do not influence each other are solved apart.
fn friction_states(
    friction: &[Friction],
    free: &BTreeMap<usize, Ex>,
    responses: &[BTreeMap<usize, Ex>],
    numeric: &Numeric,
) -> Vec<FrictionState> {
    let coupling = |i: usize, j: usize| {
        friction[i].relative.partials.iter().fold(Ex::zero(), |sum, (k, &p)| {
            sum + responses[j].get(k).map_or_else(Ex::zero, |&r| p * r)
        })
    };
    let n = friction.len();
    let mut matrix = BTreeMap::new();
    for i in 0..n {
        for j in i..n {
            let a = coupling(i, j);
            if i == j || !a.is_constant_zero() {
                matrix.insert((i, j), a);
            }
        }
    }
    let items: Vec<usize> = (0..n).collect();
    let mut states = vec![FrictionState::default(); n];
    for block in components(&items, matrix.keys().copied()) {
        let element = |i: usize, j: usize| {
            matrix.get(&(i.min(j), i.max(j))).copied().unwrap_or_else(Ex::zero)
        };
        let a: Vec<Vec<Ex>> =
            block.iter().map(|&i| block.iter().map(|&j| element(i, j)).collect()).collect();
        let b: Vec<Ex> = block.iter().map(|&i| friction[i].relative.acceleration(free)).collect();
        let elements: Vec<&Friction> = block.iter().map(|&i| &friction[i]).collect();
        for (&i, state) in block.iter().zip(solve_block(&elements, &a, &b, numeric)) {
            states[i] = state;
        }
    }
    states
}

/// Solves `A tau = b` on the stuck rows, with `tau` given on the others.
///
/// Parallel elements make `A` singular: the accelerations are unique but not the torques, nor which
/// elements stick. A small multiple of the unit matrix decides about that and selects the torques
/// of least norm; two proximal corrections remove its influence on the accelerations.
fn solve_block(
    elements: &[&Friction],
    a: &[Vec<Ex>],
    b: &[Ex],
    numeric: &Numeric,
) -> Vec<FrictionState> {
    let n = elements.len();
    let locked: Vec<Bool> = elements.iter().map(|f| f.locked).collect();
    let sliding: Vec<Ex> = elements.iter().map(|f| select(f.locked, 0.0, f.sliding)).collect();
    let epsilon = if is_singular(a, numeric) {
        (0..n).map(|i| a[i][i]).sum::<Ex>() * (1e-9 / n as f64)
    } else {
        Ex::zero()
    };
    let masked: Vec<Vec<Ex>> = (0..n)
        .map(|i| {
            (0..n)
                .map(|j| match i == j {
                    true => select(locked[i], a[i][i] + epsilon, 1.0),
                    false => select(locked[i] & locked[j], a[i][j], 0.0),
                })
                .collect()
        })
        .collect();
    let rhs: Vec<Ex> = (0..n)
        .map(|i| {
            let others = (0..n).filter(|&j| j != i);
            let left = others.fold(b[i], |sum, j| sum - a[i][j] * sliding[j]);
            select(locked[i], left, sliding[i])
        })
        .collect();
    let factor = Factor::symmetric(&masked);
    let hold = factor.solve(&rhs);
    let slip: Vec<Ex> = (0..n)
        .map(|i| (0..n).fold(b[i] - epsilon * hold[i], |sum, j| sum - a[i][j] * hold[j]))
        .collect();
    let mut torques = hold.clone();
    if !epsilon.is_constant_zero() {
        for _ in 0..2 {
            let shifted: Vec<Ex> =
                (0..n).map(|i| select(locked[i], rhs[i] + epsilon * torques[i], rhs[i])).collect();
            torques = factor.solve(&shifted);
        }
    }
    (0..n).map(|i| FrictionState { tau: torques[i], hold: hold[i], slip: slip[i] }).collect()
}

/// Whether a symmetric positive semidefinite matrix is singular, or may become so during motion.
fn is_singular(a: &[Vec<Ex>], numeric: &Numeric) -> bool {
    let n = a.len();
    let values = numeric.all(&a.concat());
    let matrix = nalgebra::DMatrix::from_row_slice(n, n, &values);
    let eigenvalues = matrix.symmetric_eigen().eigenvalues;
    let (low, high) = (eigenvalues.min(), eigenvalues.max());
    low.is_nan() || low <= 1e-7 * high
}
