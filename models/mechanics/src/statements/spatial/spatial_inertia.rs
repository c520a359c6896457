//! Spatial inertia: how a rigid body resists acceleration.

use super::pose::{Pose, Twist};
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
