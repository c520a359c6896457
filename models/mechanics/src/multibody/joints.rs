//! Joints with one freedom, and the spherical joint.

use crate::compile::structure::Primitive;
use crate::component::{Component, Contribution, Starts};
use crate::domain::{Word, word};
use crate::error::Error;
use crate::start::{Start, StateSelect};
use crate::vector::{X, Z};
use crate::{ports, setters};

static PHI: Word = word("phi", "rad", "Rotation angle from frame_a to frame_b");
static W: Word = word("w", "rad/s", "First derivative of angle phi");
static ANGULAR_ACCELERATION: Word = word("a", "rad/s2", "Second derivative of angle phi");
static S: Word = word("s", "m", "Distance between frame_a and frame_b along n");
static V: Word = word("v", "m/s", "First derivative of s");
static ACCELERATION: Word = word("a", "m/s2", "Second derivative of s");

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
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Revolute`] joint.
    pub struct RevolutePorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Rotation angle in rad.
        phi: quantity,
        /// Angular velocity in rad/s.
        w: quantity,
        /// Angular acceleration in rad/s2.
        a: quantity,
    }
}

impl Default for Revolute {
    fn default() -> Self {
        Revolute::n(Z)
    }
}

impl Revolute {
    /// About the axis `n`, resolved in `frame_a` (the same as in `frame_b`).
    pub fn n(n: [f64; 3]) -> Self {
        let (phi, w, states) = (Start::default(), Start::default(), StateSelect::Prefer);
        Revolute { n, phi, w, states }
    }
}

setters! {
    impl Revolute {
        /// Start value of the angle in rad.
        phi: Start,
        /// Start value of the angular velocity in rad/s.
        w: Start,
        /// Preference of `phi` and `w` as states.
        states: StateSelect,
    }
}

impl Component for Revolute {
    type Ports = RevolutePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axis = c.axis("n", self.n, "Axis of rotation resolved in frame_a")?;
        let starts = Starts { position: self.phi, speed: self.w };
        let [position, speed] = c.candidates([&PHI, &W, &ANGULAR_ACCELERATION], starts);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, Primitive { turns: true, axis, position, speed }, self.states);
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
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Prismatic`] joint.
    pub struct PrismaticPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Distance in m.
        s: quantity,
        /// Velocity in m/s.
        v: quantity,
        /// Acceleration in m/s2.
        a: quantity,
    }
}

impl Default for Prismatic {
    fn default() -> Self {
        Prismatic::n(X)
    }
}

impl Prismatic {
    /// Along the axis `n`, resolved in `frame_a` (the same as in `frame_b`).
    pub fn n(n: [f64; 3]) -> Self {
        let (s, v, states) = (Start::default(), Start::default(), StateSelect::Prefer);
        Prismatic { n, s, v, states }
    }
}

setters! {
    impl Prismatic {
        /// Start value of the distance in m.
        s: Start,
        /// Start value of the velocity in m/s.
        v: Start,
        /// Preference of `s` and `v` as states.
        states: StateSelect,
    }
}

impl Component for Prismatic {
    type Ports = PrismaticPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axis = c.axis("n", self.n, "Axis of translation resolved in frame_a")?;
        let starts = Starts { position: self.s, speed: self.v };
        let [position, speed] = c.candidates([&S, &V, &ACCELERATION], starts);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, Primitive { turns: false, axis, position, speed }, self.states);
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

ports! {
    /// Ports of a [`Spherical`] joint.
    pub struct SphericalPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
    }
}

impl Component for Spherical {
    type Ports = SphericalPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.spherical_joint(a, b);
        Ok(())
    }
}
