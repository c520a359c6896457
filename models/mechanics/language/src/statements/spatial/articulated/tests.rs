//! Elimination against projection, with numbers.

use super::*;
use crate::ids::{Id, VariableId};
use crate::statements::spatial::pose::Acceleration;
use crate::vector::{constant, planar_rotation};
use nalgebra::{DMatrix, DVector};
use random::Random;

/// Parts of trees, at random.
struct Parts(Random);

impl Parts {
    fn number(&mut self) -> f64 {
        self.0.number()
    }

    fn vector(&mut self) -> crate::vector::Vector {
        constant([self.number(), self.number(), self.number()])
    }

    fn twist(&mut self) -> Twist {
        Twist { w: self.vector(), v: self.vector() }
    }

    fn wrench(&mut self) -> Wrench {
        Wrench { torque: self.vector(), force: self.vector() }
    }

    fn pose(&mut self) -> Pose {
        let e = crate::vector::unit_axis([self.number(), self.number(), 0.3]).unwrap();
        Pose { r: self.vector(), t: planar_rotation(e, Ex::from(3.0 * self.number())) }
    }

    fn inertia(&mut self) -> SpatialInertia {
        let d = [0.4 + 0.1 * self.number(), 0.5, 0.6].map(Ex::from);
        let tensor = Matrix::from_diagonal(&crate::vector::Vector::from(d));
        let mut inertia = SpatialInertia::zero();
        inertia.add(&self.pose(), Ex::from(1.5 + self.number()), &self.vector(), &tensor);
        inertia
    }

    /// Columns of a joint: an axis of the link, any direction, or the axes of a spherical joint.
    fn columns(&mut self, first: usize) -> Vec<Column> {
        let sign = if self.number() > 0.0 { 1.0 } else { -1.0 };
        let unit = |axis: usize| {
            let mut parts = [0.0; 6];
            parts[axis] = sign;
            let [w, v] = [0, 3].map(|k| constant([parts[k], parts[k + 1], parts[k + 2]]));
            Twist { w, v }
        };
        let partials = match (3.0 * self.number().abs()) as usize {
            0 => vec![unit((6.0 * self.number().abs()) as usize)],
            1 => vec![self.twist(), self.twist()],
            _ => vec![unit(0), unit(1), unit(2)],
        };
        let column = |(k, partial)| {
            let inertia = if self.number() > 0.0 { 0.0 } else { 0.7 };
            Column { variable: VariableId::at(first + k), partial, inertia: Ex::from(inertia) }
        };
        partials.into_iter().enumerate().map(column).collect()
    }
}

fn number(ex: Ex) -> f64 {
    ex.constant_value().expect("constants give constants")
}

/// Links on the world, in any order.
fn tree(random: &mut Parts, links: usize) -> BTreeMap<LinkId, Link> {
    let mut tree = BTreeMap::new();
    let mut variable = 100;
    for k in 1..=links {
        let carrier = LinkId::at((random.number().abs() * k as f64) as usize);
        let columns = random.columns(variable);
        variable += columns.len();
        let (pose, inertia) = (random.pose(), random.inertia());
        tree.insert(LinkId::at(k), Link { carrier, pose, columns, inertia });
    }
    tree
}

/// Accelerations from the projection with all partial velocities.
fn projected(tree: &BTreeMap<LinkId, Link>, load: &TreeLoad) -> BTreeMap<VariableId, f64> {
    let mut partials = BTreeMap::from([(LinkId::FIRST, BTreeMap::<VariableId, Twist>::new())]);
    let variables: Vec<VariableId> =
        tree.values().flat_map(|l| &l.columns).map(|c| c.variable).collect();
    let n = variables.len();
    let at = |v: VariableId| variables.iter().position(|&k| k == v).unwrap();
    let (mut mass, mut force) = (DMatrix::zeros(n, n), DVector::zeros(n));
    for (number_, link) in tree {
        let mut own: BTreeMap<VariableId, Twist> =
            partials[&link.carrier].iter().map(|(&v, p)| (v, p.at(&link.pose))).collect();
        own.extend(link.columns.iter().map(|c| (c.variable, c.partial)));
        for (&i, p) in &own {
            let momentum = link.inertia.momentum(p);
            for (&j, q) in &own {
                mass[(at(i), at(j))] += number(momentum.product(q));
            }
            if let Some(wrench) = load.wrenches.get(number_) {
                force[at(i)] += number(wrench.power(p));
            }
        }
        partials.insert(*number_, own);
        for column in &link.columns {
            let k = at(column.variable);
            mass[(k, k)] += number(column.inertia);
        }
    }
    for (&v, &f) in &load.forces {
        force[at(v)] += number(f);
    }
    let solution = mass.cholesky().expect("a mass matrix").solve(&force);
    variables.into_iter().zip(solution.iter().copied()).collect()
}

#[test]
fn elimination_and_projection_give_the_same_accelerations() {
    for seed in 1..=40 {
        let mut random = Parts(Random(seed));
        let links = 1 + (seed as usize) % 7;
        let tree = tree(&mut random, links);
        let mut load = TreeLoad::default();
        for (&link, l) in &tree {
            if random.number() > -0.5 {
                load.add_wrench(link, &random.wrench());
            }
            for column in &l.columns {
                if random.number() > 0.0 {
                    load.add_force(column.variable, Ex::from(random.number()));
                }
            }
        }
        let branches = Branches::new(tree.clone());
        let reduced = branches.reduce(&load);
        let found = branches.accelerate(&reduced, BTreeMap::new());
        for (v, a) in projected(&tree, &load) {
            let b = found.get(&v).map_or(0.0, |&b| number(b));
            assert!((a - b).abs() < 1e-10 * (1.0 + a.abs()), "{seed}: {v:?}: {a} and {b}");
        }
    }
}

#[test]
fn a_moved_carrier_feels_the_inertia_of_what_it_carries() {
    for seed in 1..=20 {
        let mut random = Parts(Random(seed));
        let tree = tree(&mut random, 4);
        let moved = random.twist();
        let branches = Branches::new(tree.clone());
        let apparent_inertia = branches.carried[&LinkId::FIRST].wrench(&moved);
        let still = branches.reduce(&TreeLoad::default());
        let accelerations = branches.accelerate(&still, BTreeMap::from([(LinkId::FIRST, moved)]));
        let mut sum = Wrench::zero();
        let mut motions = BTreeMap::from([(LinkId::FIRST, moved)]);
        let mut poses = BTreeMap::from([(LinkId::FIRST, Pose::identity())]);
        for (&number_, link) in &tree {
            let mut a = motions[&link.carrier].at(&link.pose);
            for column in &link.columns {
                a.add_scaled(&column.partial, accelerations[&column.variable]);
            }
            let pose = poses[&link.carrier].then(&link.pose);
            let acceleration = Acceleration { z: a.w, a: a.v };
            let required = link.inertia.required(&Twist::zero(), &acceleration);
            sum.add_scaled(&required.carried(&pose), Ex::one());
            motions.insert(number_, a);
            poses.insert(number_, pose);
        }
        for axis in 0..6 {
            let (a, b) = (number(part(&apparent_inertia, axis)), number(part(&sum, axis)));
            assert!((a - b).abs() < 1e-10 * (1.0 + a.abs()), "{seed}: {a} and {b}");
        }
    }
}
