//! Joints with one freedom, and the spherical joint.

use crate::assembly::{At, Frame, Quantity};
use crate::compile::structure::Primitive;
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::start::{Start, StateSelect};
use crate::vector::{X, Z};

/// Revolute joint: one rotation about an axis.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0`; `frame_b` is turned by `phi` about `n`, the same in both frames;
/// `w = der(phi)`, `a = der(w)`; no torque about `n`.
///
/// # Variables
/// `phi` in rad, `w` in rad/s, `a` in rad/s2; `n` without unit. In a joint at which a loop is cut
/// `phi` is measured between the frames, from -pi to pi.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Revolute.
#[derive(Clone, Debug)]
pub struct Revolute {
    n: [f64; 3],
    phi: Start,
    w: Start,
    select: StateSelect,
}

/// Ports and variables of a [`Revolute`] joint.
#[derive(Clone, Copy, Debug)]
pub struct RevolutePorts {
    /// Frame on one side.
    pub frame_a: Frame,
    /// Frame on the other side.
    pub frame_b: Frame,
    /// Rotation angle in rad.
    pub phi: Quantity,
    /// Angular velocity in rad/s.
    pub w: Quantity,
    /// Angular acceleration in rad/s2.
    pub a: Quantity,
}

impl Default for Revolute {
    fn default() -> Self {
        Revolute::n(Z)
    }
}

impl Revolute {
    /// About the axis `n`, resolved in `frame_a` (the same as in `frame_b`).
    pub fn n(n: [f64; 3]) -> Self {
        let (phi, w, select) = (Start::default(), Start::default(), StateSelect::Prefer);
        Revolute { n, phi, w, select }
    }

    /// Start value of the angle in rad.
    pub fn phi(self, phi: Start) -> Self {
        Revolute { phi, ..self }
    }

    /// Start value of the angular velocity in rad/s.
    pub fn w(self, w: Start) -> Self {
        Revolute { w, ..self }
    }

    /// Preference of `phi` and `w` as states.
    pub fn states(self, select: StateSelect) -> Self {
        Revolute { select, ..self }
    }
}

impl Component for Revolute {
    type Ports = RevolutePorts;

    fn ports(at: At) -> RevolutePorts {
        RevolutePorts {
            frame_a: at.frame("frame_a"),
            frame_b: at.frame("frame_b"),
            phi: at.quantity("phi"),
            w: at.quantity("w"),
            a: at.quantity("a"),
        }
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axis = c.axis("n", self.n, "Axis of rotation resolved in frame_a")?;
        let position =
            c.candidate("phi", "rad", "Rotation angle from frame_a to frame_b", self.phi);
        let speed = c.candidate("w", "rad/s", "First derivative of angle phi", self.w);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, Primitive { turns: true, axis, position, speed }, self.select);
        Ok(())
    }
}

/// Prismatic joint: one translation along an axis.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0 + R' e s` with `e = n / |n|`; no relative rotation; `v = der(s)`,
/// `a = der(v)`; no force along `n`.
///
/// # Variables
/// `s` in m, `v` in m/s, `a` in m/s2; `n` without unit.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Prismatic.
#[derive(Clone, Debug)]
pub struct Prismatic {
    n: [f64; 3],
    s: Start,
    v: Start,
    select: StateSelect,
}

/// Ports and variables of a [`Prismatic`] joint.
#[derive(Clone, Copy, Debug)]
pub struct PrismaticPorts {
    /// Frame on one side.
    pub frame_a: Frame,
    /// Frame on the other side.
    pub frame_b: Frame,
    /// Distance in m.
    pub s: Quantity,
    /// Velocity in m/s.
    pub v: Quantity,
    /// Acceleration in m/s2.
    pub a: Quantity,
}

impl Default for Prismatic {
    fn default() -> Self {
        Prismatic::n(X)
    }
}

impl Prismatic {
    /// Along the axis `n`, resolved in `frame_a` (the same as in `frame_b`).
    pub fn n(n: [f64; 3]) -> Self {
        let (s, v, select) = (Start::default(), Start::default(), StateSelect::Prefer);
        Prismatic { n, s, v, select }
    }

    /// Start value of the distance in m.
    pub fn s(self, s: Start) -> Self {
        Prismatic { s, ..self }
    }

    /// Start value of the velocity in m/s.
    pub fn v(self, v: Start) -> Self {
        Prismatic { v, ..self }
    }

    /// Preference of `s` and `v` as states.
    pub fn states(self, select: StateSelect) -> Self {
        Prismatic { select, ..self }
    }
}

impl Component for Prismatic {
    type Ports = PrismaticPorts;

    fn ports(at: At) -> PrismaticPorts {
        PrismaticPorts {
            frame_a: at.frame("frame_a"),
            frame_b: at.frame("frame_b"),
            s: at.quantity("s"),
            v: at.quantity("v"),
            a: at.quantity("a"),
        }
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axis = c.axis("n", self.n, "Axis of translation resolved in frame_a")?;
        let text = "Distance between frame_a and frame_b along n";
        let position = c.candidate("s", "m", text, self.s);
        let speed = c.candidate("v", "m/s", "First derivative of s", self.v);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, Primitive { turns: false, axis, position, speed }, self.select);
        Ok(())
    }
}

/// Spherical joint that closes a loop: two origins coincide, all rotations are free.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0`; no torques.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Spherical.
#[derive(Clone, Debug, Default)]
pub struct Spherical;

/// Ports of a [`Spherical`] joint.
#[derive(Clone, Copy, Debug)]
pub struct SphericalPorts {
    /// Frame on one side.
    pub frame_a: Frame,
    /// Frame on the other side.
    pub frame_b: Frame,
}

impl Component for Spherical {
    type Ports = SphericalPorts;

    fn ports(at: At) -> SphericalPorts {
        SphericalPorts { frame_a: at.frame("frame_a"), frame_b: at.frame("frame_b") }
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.spherical_joint(a, b);
        Ok(())
    }
}
