//! What acts on frames: wrenches, and the momenta that they change.

use super::pose::{Pose, Twist};
use crate::vector::{Matrix, Vector, cross, dot, scale, zero};
use equations::Ex;
use std::ops::Neg;

/// A force and a torque on a frame. The torque is about the frame's origin, and both are in the
/// axes of the frame.
#[derive(Clone, Copy, Debug)]
pub struct Wrench {
    /// Torque in N.m.
    pub torque: Vector,
    /// Force in N.
    pub force: Vector,
}

impl Wrench {
    /// No load.
    pub fn zero() -> Self {
        Wrench { torque: zero(), force: zero() }
    }

    /// A force at the origin.
    pub fn of_force(force: Vector) -> Self {
        Wrench { torque: zero(), force }
    }

    /// The equivalent wrench on a frame `a`, for this wrench on a frame `b` with the pose `x_ab`.
    pub fn carried(&self, x_ab: &Pose) -> Wrench {
        let t_ab = x_ab.t.transpose();
        let force = t_ab * self.force;
        Wrench { torque: t_ab * self.torque + cross(&x_ab.r, &force), force }
    }

    /// The same vectors in other axes, to which `t` maps.
    pub fn resolved(&self, t: &Matrix) -> Wrench {
        Wrench { torque: t * self.torque, force: t * self.force }
    }

    /// The power in W on a frame with this velocity.
    pub fn power(&self, velocity: &Twist) -> Ex {
        dot(&velocity.w, &self.torque) + dot(&velocity.v, &self.force)
    }

    /// Adds a multiple of another one.
    pub fn add_scaled(&mut self, other: &Wrench, factor: Ex) {
        self.torque += scale(&other.torque, factor);
        self.force += scale(&other.force, factor);
    }

    /// Whether nothing acts.
    pub fn is_zero(&self) -> bool {
        self.torque.iter().chain(self.force.iter()).all(|c| c.is_constant_zero())
    }
}

impl Neg for Wrench {
    type Output = Wrench;

    fn neg(self) -> Wrench {
        Wrench { torque: -self.torque, force: -self.force }
    }
}

/// The momentum of a body about the origin of a frame, in the axes of the frame.
#[derive(Clone, Copy, Debug)]
pub struct Momentum {
    /// Angular momentum in N.m.s.
    pub angular: Vector,
    /// Linear momentum in N.s.
    pub linear: Vector,
}

impl Momentum {
    /// The product with a velocity in J; with the one that the momentum belongs to, it is twice the
    /// kinetic energy.
    pub fn product(&self, velocity: &Twist) -> Ex {
        dot(&self.angular, &velocity.w) + dot(&self.linear, &velocity.v)
    }
}
