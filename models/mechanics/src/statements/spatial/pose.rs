//! Where frames are and how they move.

use crate::vector::{Matrix, Vector, constant, cross, dot, identity, triad, unit_axis, zero};
use equations::Ex;

/// Position and orientation of a frame in another one.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Position of the origin, in the axes of the other frame; m.
    pub r: Vector,
    /// Maps coordinates of the other frame to those of this one.
    pub t: Matrix,
}

impl Pose {
    /// The pose of the other frame itself.
    pub fn identity() -> Self {
        Pose { r: zero(), t: identity() }
    }

    /// The pose, in the outermost frame, of a frame that has pose `inner` in this one.
    pub fn then(&self, inner: &Pose) -> Pose {
        Pose { r: self.r + self.t.transpose() * inner.r, t: inner.t * self.t }
    }

    /// The pose of the other frame in this one.
    pub fn inverse(&self) -> Pose {
        Pose { r: -(self.t * self.r), t: self.t.transpose() }
    }
}

/// The distance of the origins of frames `a` and `b` across the axis `e` of frame `a`, along two
/// directions: in the axes of the outer frame if the axis does not turn there, and in those of
/// frame `a` otherwise.
pub fn across(e: [f64; 3], a: &Pose, b: &Pose) -> [Ex; 2] {
    let outside = a.t.transpose() * constant(e);
    let constant_value = |k: usize| outside[k].constant_value();
    let r = b.r - a.r;
    let resting = match [0, 1, 2].map(constant_value) {
        [Some(x), Some(y), Some(z)] => unit_axis([x, y, z]),
        _ => None,
    };
    let (r, (x, y)) = match resting {
        Some(axis) => (r, triad(axis)),
        None => (a.t * r, triad(e)),
    };
    [dot(&x, &r), dot(&y, &r)]
}

/// Two vectors of a frame in its own axes: angular and translational velocity (rad/s, m/s), or
/// their accelerations, or a torque and a force.
#[derive(Clone, Copy, Debug)]
pub struct Twist {
    /// The angular part.
    pub w: Vector,
    /// The translational part.
    pub v: Vector,
}

impl Twist {
    /// At rest.
    pub fn zero() -> Self {
        Twist { w: zero(), v: zero() }
    }

    /// The velocity of a frame that has the constant pose `pose` in this one.
    pub fn at(&self, pose: &Pose) -> Twist {
        Twist { w: pose.t * self.w, v: pose.t * (self.v + cross(&self.w, &pose.r)) }
    }

    /// A torque and a force on a frame that has the constant pose `pose` in another one, on that
    /// other one.
    pub fn carried(&self, pose: &Pose) -> Twist {
        let back = pose.t.transpose();
        let v = back * self.v;
        Twist { w: back * self.w + cross(&pose.r, &v), v }
    }
}

/// The acceleration of a frame with constant pose on a link; accelerations in local axes.
pub fn acceleration_at(velocity: &Twist, acceleration: &Twist, pose: &Pose) -> Twist {
    let (w, r) = (&velocity.w, &pose.r);
    let a = acceleration.v + cross(&acceleration.w, r) + cross(w, &cross(w, r));
    Twist { w: pose.t * acceleration.w, v: pose.t * a }
}
