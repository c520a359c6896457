//! Cylindrical joint.

use super::coordinate;
use crate::compile::structure::Freedom;
use crate::component::{Contribution, OldComponent};
use crate::domain::{Word, word};
use crate::error::Error;
use crate::scene::{Form, Shape};
use crate::start::{Start, StateSelect};
use crate::vector::{X, constant};
use crate::{ports, setters};

static S: Word = word("s", "m", "Distance between frame_a and frame_b along n");
static V: Word = word("v", "m/s", "First derivative of s");
static A: Word = word("a", "m/s2", "Second derivative of s");
static PHI: Word = word("phi", "rad", "Rotation angle from frame_a to frame_b about n");
static W: Word = word("w", "rad/s", "First derivative of angle phi");
static WD: Word = word("wd", "rad/s2", "Second derivative of angle phi");

/// Cylindrical joint: a translation along an axis and a rotation about it.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0 + R' e s` with `e = n / |n|`; `frame_b` is turned by `phi` about `n`,
/// the same in both frames; no force along `n` and no torque about it.
///
/// # Variables
/// `s` in m, `v` in m/s, `a` in m/s2; `phi` in rad, `w` in rad/s, `wd` in rad/s2; `n` without unit.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Cylindrical.
#[derive(Clone, Debug)]
pub struct Cylindrical {
    n: [f64; 3],
    s: Start,
    v: Start,
    a: Start,
    phi: Start,
    w: Start,
    wd: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Cylindrical`] joint.
    pub struct CylindricalPorts {
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
        /// Rotation angle in rad.
        phi: quantity,
        /// Angular velocity in rad/s.
        w: quantity,
        /// Angular acceleration in rad/s2.
        wd: quantity,
    }
}

impl Default for Cylindrical {
    fn default() -> Self {
        Cylindrical::n(X)
    }
}

impl Cylindrical {
    /// Along and about the axis `n`, resolved in `frame_a` (the same as in `frame_b`).
    pub fn n(n: [f64; 3]) -> Self {
        let (s, v, a) = (Start::default(), Start::default(), Start::default());
        let (phi, w, wd) = (s, v, a);
        Cylindrical { n, s, v, a, phi, w, wd, states: StateSelect::Prefer }
    }
}

setters! {
    impl Cylindrical {
        /// Start value of the distance in m.
        s: Start,
        /// Start value of the velocity in m/s.
        v: Start,
        /// Initial acceleration in m/s2; counts only if it is fixed.
        a: Start,
        /// Start value of the angle in rad.
        phi: Start,
        /// Start value of the angular velocity in rad/s.
        w: Start,
        /// Initial angular acceleration in rad/s2; counts only if it is fixed.
        wd: Start,
        /// Preference of the four as states.
        states: StateSelect,
    }
}

impl OldComponent for Cylindrical {
    type Ports = CylindricalPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axis = c.axis("n", self.n, "Axis of the cylinder resolved in frame_a")?;
        let e = constant(axis);
        c.shape("frame_a", |nominal| Shape::slide(Form::Cylinder, &e, "s", nominal));
        let (starts, freedom) = ([self.s, self.v, self.a], (Freedom::Slide, axis));
        let slide = coordinate(c, freedom, [&S, &V, &A], starts, self.states)?;
        let (starts, freedom) = ([self.phi, self.w, self.wd], (Freedom::Turn, axis));
        let turn = coordinate(c, freedom, [&PHI, &W, &WD], starts, self.states)?;
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, &[slide, turn]);
        Ok(())
    }
}
