//! Branches: links whose coordinates no other equation uses, eliminated from their tips inwards.
//!
//! The *articulated inertia* of a link gives the wrench for an acceleration of the link's frame,
//! including everything on the link. Eliminating the link's coordinates gives the articulated
//! inertia on the link before. The cost of a chain is therefore proportional to its length, and no
//! partial velocities of its coordinates are needed. The links that carry branches keep the mass
//! matrix of their own coordinates.
//!
//! All accelerations here are those that coordinates cause: velocity products and gravity are
//! forces. Accelerations of frames are therefore twists.

use super::pose::{Pose, Twist};
use super::spatial_inertia::SpatialInertia;
use super::wrench::Wrench;
use crate::ids::{LinkId, VariableId};
use crate::vector::{Matrix, identity, resolve_dyade1, skew, symmetric};
use equations::{Ex, Factor};
use std::collections::BTreeMap;

/// A link of a branch.
#[derive(Clone, Debug)]
pub struct Link {
    /// The link that carries it.
    pub carrier: LinkId,
    /// Its pose on that link.
    pub pose: Pose,
    /// Its own coordinates.
    pub columns: Vec<Column>,
    /// Its bodies.
    pub inertia: SpatialInertia,
}

impl Link {
    /// Whether a variable is one of its own.
    pub fn has_variable(&self, variable: VariableId) -> bool {
        self.columns.iter().any(|c| c.variable == variable)
    }
}

/// A coordinate of a link.
#[derive(Clone, Debug)]
pub struct Column {
    /// The variable.
    pub variable: VariableId,
    /// The velocity of the link, in its axes, for a unit of the coordinate's speed.
    pub partial: Twist,
    /// The inertia of what turns (or slides) with the coordinate but is no part of the link, such
    /// as a rotor on the axis of a joint, in kg.m2 (or kg).
    pub inertia: Ex,
}

/// A symmetric map from an acceleration to the wrench that gives it.
#[derive(Clone, Copy, Debug)]
pub struct Articulated {
    /// Moments of angular accelerations; symmetric.
    turning: Matrix,
    /// Moments of translational accelerations; its transpose gives forces of angular ones.
    coupling: Matrix,
    /// Forces of translational accelerations; symmetric.
    mass: Matrix,
}

impl Articulated {
    /// The inertia of no mass.
    pub fn zero() -> Self {
        Articulated { turning: Matrix::zeros(), coupling: Matrix::zeros(), mass: Matrix::zeros() }
    }

    /// The inertia of rigid bodies.
    pub fn rigid(inertia: &SpatialInertia) -> Self {
        Articulated {
            turning: inertia.tensor,
            coupling: skew(&inertia.moment),
            mass: identity() * inertia.mass,
        }
    }

    /// Adds another one on the same link.
    pub fn add(&mut self, other: &Articulated) {
        self.turning += other.turning;
        self.coupling += other.coupling;
        self.mass += other.mass;
    }

    /// The wrench that gives an acceleration.
    pub fn wrench(&self, acceleration: &Twist) -> Wrench {
        let (w, v) = (&acceleration.w, &acceleration.v);
        Wrench {
            torque: self.turning * w + self.coupling * v,
            force: self.coupling.transpose() * w + self.mass * v,
        }
    }

    /// The contribution to the articulated inertia of a link that carries this one at a pose.
    fn carried(&self, x_ab: &Pose) -> Articulated {
        let (t, arm) = (&x_ab.t, skew(&x_ab.r));
        let mass = resolve_dyade1(t, &self.mass);
        let turned = t.transpose() * self.coupling * t;
        let coupling = turned + arm * mass;
        let steiner = coupling * arm + (turned * arm).transpose();
        let turning = resolve_dyade1(t, &self.turning) - steiner;
        Articulated { turning: symmetric(&turning), coupling, mass }
    }

    /// The articulated inertia that remains when accelerations along the columns are free:
    /// `wrenches` are those of unit accelerations along the columns, `gains` those of unit forces.
    fn without(&self, wrenches: &[Wrench], gains: &[Wrench]) -> Articulated {
        let mut left = *self;
        for (wrench, gain) in wrenches.iter().zip(gains) {
            for i in 0..3 {
                for j in 0..3 {
                    if i <= j {
                        left.turning[(i, j)] -= gain.torque[i] * wrench.torque[j];
                        left.mass[(i, j)] -= gain.force[i] * wrench.force[j];
                    }
                    left.coupling[(i, j)] -= gain.torque[i] * wrench.force[j];
                }
            }
        }
        left.turning = symmetric(&left.turning);
        left.mass = symmetric(&left.mass);
        left
    }

    /// Removes rounding errors: an acceleration along this axis requires no wrench.
    fn clear(&mut self, axis: usize) {
        for i in 0..3 {
            if axis < 3 {
                self.turning[(axis, i)] = Ex::zero();
                self.turning[(i, axis)] = Ex::zero();
                self.coupling[(axis, i)] = Ex::zero();
            } else {
                self.mass[(axis - 3, i)] = Ex::zero();
                self.mass[(i, axis - 3)] = Ex::zero();
                self.coupling[(i, axis - 3)] = Ex::zero();
            }
        }
    }
}

/// A component: those of the torque first.
fn part(wrench: &Wrench, axis: usize) -> Ex {
    if axis < 3 { wrench.torque[axis] } else { wrench.force[axis - 3] }
}

fn set_part(wrench: &mut Wrench, axis: usize, value: Ex) {
    if axis < 3 {
        wrench.torque[axis] = value;
    } else {
        wrench.force[axis - 3] = value;
    }
}

/// What acts on a mechanism.
#[derive(Clone, Debug, Default)]
pub struct TreeLoad {
    /// Generalised forces by variable.
    pub forces: BTreeMap<VariableId, Ex>,
    /// Wrenches on links, in their frames.
    pub wrenches: BTreeMap<LinkId, Wrench>,
}

impl TreeLoad {
    /// Adds a generalised force.
    pub fn add_force(&mut self, variable: VariableId, force: Ex) {
        if !force.is_constant_zero() {
            *self.forces.entry(variable).or_insert_with(Ex::zero) += force;
        }
    }

    /// Adds a wrench on a link.
    pub fn add_wrench(&mut self, link: LinkId, wrench: &Wrench) {
        if !wrench.is_zero() {
            let sum = self.wrenches.entry(link).or_insert_with(Wrench::zero);
            sum.add_scaled(wrench, Ex::one());
        }
    }
}

/// A link whose coordinates are eliminated.
#[derive(Debug)]
struct Eliminated {
    link: Link,
    /// The articulated inertia along the columns.
    own: Vec<Vec<Ex>>,
    factor: Factor,
    /// Wrenches that hold the link's frame against unit forces along the columns. Their power on an
    /// acceleration of the frame is what it takes away from accelerations of the columns.
    gains: Vec<Wrench>,
    /// The axes of columns along which nothing else holds the link.
    free: Vec<Option<(usize, f64)>>,
}

impl Eliminated {
    /// Eliminates the columns of a link; also returns the remaining inertia.
    fn new(link: Link, inertia: &Articulated) -> (Self, Articulated) {
        let columns = &link.columns;
        let wrenches: Vec<Wrench> = columns.iter().map(|c| inertia.wrench(&c.partial)).collect();
        let mut own: Vec<Vec<Ex>> = columns
            .iter()
            .map(|c| wrenches.iter().map(|w| w.power(&c.partial)).collect())
            .collect();
        for (k, column) in columns.iter().enumerate() {
            own[k][k] += column.inertia;
        }
        let factor = Factor::symmetric(&own);
        let mut gains = vec![Wrench::zero(); columns.len()];
        for i in 0..6 {
            let rhs: Vec<Ex> = wrenches.iter().map(|w| part(w, i)).collect();
            for (gain, value) in gains.iter_mut().zip(factor.solve(&rhs)) {
                set_part(gain, i, value);
            }
        }
        let mut left = inertia.without(&wrenches, &gains);
        let free: Vec<Option<(usize, f64)>> = columns.iter().map(free_axis).collect();
        for (k, axis) in free.iter().enumerate() {
            let Some((axis, sign)) = *axis else { continue };
            left.clear(axis);
            for (j, gain) in gains.iter_mut().enumerate() {
                set_part(gain, axis, Ex::from(if j == k { sign } else { 0.0 }));
            }
        }
        (Eliminated { link, own, factor, gains, free }, left)
    }

    /// The wrench that a link passes to its carrier. The forces that accelerate the link along its
    /// columns are subtracted.
    fn rest(&self, wrench: Wrench, outer: &[Ex], forces: &[Ex]) -> Wrench {
        let mut rest = wrench;
        for (gain, &force) in self.gains.iter().zip(forces) {
            rest.add_scaled(gain, -force);
        }
        for (axis, &force) in self.free.iter().zip(outer) {
            if let Some((axis, sign)) = *axis {
                set_part(&mut rest, axis, force * -sign);
            }
        }
        rest
    }
}

/// The axis of a column along which nothing holds the link, and its sign, if it is an axis of the
/// link.
fn free_axis(column: &Column) -> Option<(usize, f64)> {
    unit(&column.partial).filter(|_| column.inertia.is_constant_zero())
}

/// The number of the only component of a twist, and its sign, if that is one of size 1.
fn unit(twist: &Twist) -> Option<(usize, f64)> {
    let zeros = twist.components().filter(|c| c.is_constant_zero()).count();
    let value = |c: Ex| c.constant_value().filter(|c| c.abs() == 1.0);
    let one = twist.components().enumerate().find_map(|(axis, c)| Some((axis, value(c)?)));
    one.filter(|_| zeros == 5)
}

/// Branches, eliminated.
#[derive(Debug, Default)]
pub struct Branches {
    links: BTreeMap<LinkId, Eliminated>,
    /// Articulated inertias of branches, by the links that carry them.
    pub carried: BTreeMap<LinkId, Articulated>,
}

/// A load that is distributed over the columns of branches and the links that carry them.
#[derive(Debug)]
pub struct Reduced {
    /// Forces along the columns of links.
    along: BTreeMap<LinkId, Vec<Ex>>,
    /// The remaining load: forces on other coordinates, wrenches on links that are in no branch.
    pub left: TreeLoad,
}

impl Branches {
    /// Eliminates links. The number of a link must be larger than the number of its carrier.
    pub fn new(links: BTreeMap<LinkId, Link>) -> Branches {
        let mut branches = Branches::default();
        for (number, link) in links.into_iter().rev() {
            let mut inertia = Articulated::rigid(&link.inertia);
            if let Some(carried) = branches.carried.remove(&number) {
                inertia.add(&carried);
            }
            let (carrier, pose) = (link.carrier, link.pose);
            let (eliminated, left) = Eliminated::new(link, &inertia);
            let sum = branches.carried.entry(carrier).or_insert_with(Articulated::zero);
            sum.add(&left.carried(&pose));
            branches.links.insert(number, eliminated);
        }
        branches
    }

    /// Whether a link is in a branch.
    pub fn contains(&self, link: LinkId) -> bool {
        self.links.contains_key(&link)
    }

    /// Whether a variable belongs to a link of a branch.
    pub fn has_variable(&self, variable: VariableId) -> bool {
        self.links.values().any(|e| e.link.has_variable(variable))
    }

    /// Variables of the links with their articulated inertia along the columns: for each link a
    /// symmetric matrix.
    pub fn own(&self) -> impl Iterator<Item = (Vec<VariableId>, &[Vec<Ex>])> {
        let variables = |e: &Eliminated| e.link.columns.iter().map(|c| c.variable).collect();
        self.links.values().map(move |e| (variables(e), e.own.as_slice()))
    }

    /// Accelerations of the variables for a unit acceleration of one of them, or for accelerations
    /// of links that are in no branch, where nothing acts.
    pub fn induced_accelerations(
        &self,
        variable: VariableId,
        mut links: BTreeMap<LinkId, Twist>,
    ) -> BTreeMap<VariableId, Ex> {
        let own = |e: &Eliminated| e.link.columns.iter().find(|c| c.variable == variable).cloned();
        if let Some((link, column)) = self.links.iter().find_map(|(&n, e)| Some((n, own(e)?))) {
            links.insert(link, column.partial);
        }
        self.accelerate(&Reduced { along: BTreeMap::new(), left: TreeLoad::default() }, links)
    }

    /// Reduces a load from the tips of the branches to the links that carry them.
    pub fn reduce(&self, load: &TreeLoad) -> Reduced {
        let mut left = load.clone();
        let mut along = BTreeMap::new();
        for (&number, eliminated) in self.links.iter().rev() {
            let link = &eliminated.link;
            let wrench = left.wrenches.remove(&number);
            let wrench = wrench.unwrap_or_else(Wrench::zero);
            let mut take = |c: &Column| left.forces.remove(&c.variable).unwrap_or_else(Ex::zero);
            let outer: Vec<Ex> = link.columns.iter().map(&mut take).collect();
            let add = |(c, &f): (&Column, &Ex)| f + wrench.power(&c.partial);
            let forces: Vec<Ex> = link.columns.iter().zip(&outer).map(add).collect();
            let rest = eliminated.rest(wrench, &outer, &forces);
            left.add_wrench(link.carrier, &rest.carried(&link.pose));
            if forces.iter().any(|f| !f.is_constant_zero()) {
                along.insert(number, forces);
            }
        }
        Reduced { along, left }
    }

    /// Accelerations of the variables, from the load and from accelerations of links that are in no
    /// branch; variables that do not accelerate are left out.
    pub fn accelerate(
        &self,
        reduced: &Reduced,
        mut links: BTreeMap<LinkId, Twist>,
    ) -> BTreeMap<VariableId, Ex> {
        let mut accelerations = BTreeMap::new();
        for (&number, Eliminated { link, factor, gains, .. }) in &self.links {
            let carrier = links.get(&link.carrier).map(|a| a.at(&link.pose));
            let forces = reduced.along.get(&number);
            if carrier.is_none() && forces.is_none() {
                continue;
            }
            let mut total = carrier.unwrap_or_else(Twist::zero);
            let none = || vec![Ex::zero(); link.columns.len()];
            let mut own = forces.map_or_else(none, |forces| factor.solve(forces));
            for (a, gain) in own.iter_mut().zip(gains) {
                *a -= gain.power(&total);
            }
            for (column, &a) in link.columns.iter().zip(&own) {
                accelerations.insert(column.variable, a);
                total.add_scaled(&column.partial, a);
            }
            links.insert(number, total);
        }
        accelerations
    }
}

#[cfg(test)]
mod tests;
