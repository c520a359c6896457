//! Spatial inertia: how a rigid body resists acceleration.

use super::pose::{Acceleration, Pose, Twist};
use super::wrench::{Momentum, Wrench};
use crate::vector::{Matrix, Vector, cross, dot, identity, resolve_dyade1, symmetric, zero};
use equations::Ex;

/// Mass, first moment and inertia tensor of a link about its origin, in its own axes.
#[derive(Clone, Copy, Debug)]
pub struct SpatialInertia {
    /// Mass in kg.
    pub mass: Ex,
    /// Mass times centre of mass.
    pub moment: Vector,
    /// Inertia tensor about the origin.
    pub tensor: Matrix,
}

impl SpatialInertia {
    /// The inertia of no mass.
    pub fn zero() -> Self {
        SpatialInertia { mass: Ex::zero(), moment: zero(), tensor: Matrix::zeros() }
    }

    /// Adds a body that has a constant pose on the link.
    pub fn add(&mut self, pose: &Pose, mass: Ex, r_cm: &Vector, inertia: &Matrix) {
        let c = pose.r + pose.t.transpose() * r_cm;
        let steiner = (identity() * dot(&c, &c) - c * c.transpose()) * mass;
        self.mass += mass;
        self.moment += c * mass;
        self.tensor += resolve_dyade1(&pose.t, &symmetric(inertia)) + symmetric(&steiner);
    }

    /// Whether there is no mass.
    pub fn is_zero(&self) -> bool {
        self.mass.is_constant_zero() && self.tensor.iter().all(|c| c.is_constant_zero())
    }

    /// The momentum about the origin.
    pub fn momentum(&self, velocity: &Twist) -> Momentum {
        let [angular, linear] = self.times(&velocity.w, &velocity.v);
        Momentum { angular, linear }
    }

    /// The wrench that gives the acceleration.
    pub fn required(&self, velocity: &Twist, acceleration: &Acceleration) -> Wrench {
        let [torque, force] = self.times(&acceleration.z, &acceleration.a);
        let w = &velocity.w;
        Wrench {
            torque: torque + cross(w, &(self.tensor * w)),
            force: force + cross(w, &cross(w, &self.moment)),
        }
    }

    /// The product with an angular vector and with that of the origin.
    fn times(&self, angular: &Vector, linear: &Vector) -> [Vector; 2] {
        [
            self.tensor * angular + cross(&self.moment, linear),
            linear * self.mass + cross(angular, &self.moment),
        ]
    }
}
