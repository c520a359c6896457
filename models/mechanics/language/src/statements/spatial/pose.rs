//! Where frames are and how they move.

use crate::vector::{
    Matrix, Vector, constant, cross, dot, identity, scale, triad, unit_axis, zero,
};
use equations::Ex;
use std::ops::Sub;

/// Position and orientation of a frame `b` in another one, `a`: `x_ab`.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Position of the origin of `b`, in the axes of `a`; m.
    pub r: Vector,
    /// Maps coordinates in `a` to those in `b`.
    pub t: Matrix,
}

impl Pose {
    /// The pose of a frame in itself.
    pub fn identity() -> Self {
        Pose { r: zero(), t: identity() }
    }

    /// The pose `x_ac` of a frame with the pose `x_bc` in `b`.
    pub fn then(&self, x_bc: &Pose) -> Pose {
        Pose { r: self.r + self.t.transpose() * x_bc.r, t: x_bc.t * self.t }
    }

    /// The pose `x_ba`.
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

/// The velocity of a frame, or a part of it that is caused by one speed; in the axes of the frame.
///
/// Without products of velocities, an acceleration transforms in the same way, and is a twist too.
#[derive(Clone, Copy, Debug)]
pub struct Twist {
    /// Angular velocity in rad/s.
    pub w: Vector,
    /// Velocity of the origin in m/s.
    pub v: Vector,
}

impl Twist {
    /// At rest.
    pub fn zero() -> Self {
        Twist { w: zero(), v: zero() }
    }

    /// The velocity `v_b` of a frame with the constant pose `x_ab`, where this is `v_a`.
    pub fn at(&self, x_ab: &Pose) -> Twist {
        Twist { w: x_ab.t * self.w, v: x_ab.t * (self.v + cross(&self.w, &x_ab.r)) }
    }

    /// The same vectors in other axes, to which `t` maps.
    pub fn resolved(&self, t: &Matrix) -> Twist {
        Twist { w: t * self.w, v: t * self.v }
    }

    /// Adds a multiple of another one.
    pub fn add_scaled(&mut self, other: &Twist, factor: Ex) {
        self.w += scale(&other.w, factor);
        self.v += scale(&other.v, factor);
    }

    /// Its components, those of the angular velocity first.
    pub fn components(&self) -> impl Iterator<Item = Ex> {
        self.w.iter().chain(self.v.iter()).copied()
    }
}

impl Sub for Twist {
    type Output = Twist;

    fn sub(self, other: Twist) -> Twist {
        Twist { w: self.w - other.w, v: self.v - other.v }
    }
}

/// The acceleration of a frame, in its axes.
#[derive(Clone, Copy, Debug)]
pub struct Acceleration {
    /// Angular acceleration in rad/s2.
    pub z: Vector,
    /// Acceleration of the origin in m/s2.
    pub a: Vector,
}

impl Acceleration {
    /// None.
    pub fn zero() -> Self {
        Acceleration { z: zero(), a: zero() }
    }

    /// The acceleration `a_b` of a frame with the constant pose `x_ab`, where this is `a_a`.
    pub fn at(&self, v_a: &Twist, x_ab: &Pose) -> Acceleration {
        let (w, r) = (&v_a.w, &x_ab.r);
        let a = self.a + cross(&self.z, r) + cross(w, &cross(w, r));
        Acceleration { z: x_ab.t * self.z, a: x_ab.t * a }
    }

    /// The same vectors in other axes, to which `t` maps.
    pub fn resolved(&self, t: &Matrix) -> Acceleration {
        Acceleration { z: t * self.z, a: t * self.a }
    }
}

impl Sub for Acceleration {
    type Output = Acceleration;

    fn sub(self, other: Acceleration) -> Acceleration {
        Acceleration { z: self.z - other.z, a: self.a - other.a }
    }
}
