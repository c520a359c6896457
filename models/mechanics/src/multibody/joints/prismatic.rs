//! Prismatic joint.

use super::{coordinate, flanges};
use crate::compile::structure::Freedom;
use crate::component::{Contribution, OldComponent};
use crate::domain::{TRANSLATIONAL, Word, word};
use crate::error::Error;
use crate::scene::{Form, Shape};
use crate::start::{Start, StateSelect};
use crate::vector::{X, constant};
use crate::{ports, setters};

static S: Word = word("s", "m", "Distance between frame_a and frame_b along n");
static V: Word = word("v", "m/s", "First derivative of s");
static ACCELERATION: Word = word("a", "m/s2", "Second derivative of s");

/// Prismatic joint: one translation along an axis.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0 + R' e s` with `e = n / |n|`; no relative rotation; `v = der(s)`,
/// `a = der(v)`; the force along `n` is that of the flange `axis`.
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
    a: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Prismatic`] joint.
    pub struct PrismaticPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Flange that moves with the joint; open: no force along it.
        axis: translational_flange,
        /// Flange of the joint's housing; its reaction does not act on `frame_a`.
        support: translational_flange,
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
        let (s, v, a) = (Start::default(), Start::default(), Start::default());
        Prismatic { n, s, v, a, states: StateSelect::Prefer }
    }
}

setters! {
    impl Prismatic {
        /// Start value of the distance in m.
        s: Start,
        /// Start value of the velocity in m/s.
        v: Start,
        /// Initial acceleration in m/s2; counts only if it is fixed.
        a: Start,
        /// Preference of `s` and `v` as states.
        states: StateSelect,
    }
}

impl OldComponent for Prismatic {
    type Ports = PrismaticPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axis = c.axis("n", self.n, "Axis of translation resolved in frame_a")?;
        c.shape("frame_a", |nominal| Shape::slide(Form::Box, &constant(axis), "s", nominal));
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let starts = [self.s, self.v, self.a];
        let freedom = (Freedom::Slide, axis);
        let coordinate = coordinate(c, freedom, [&S, &V, &ACCELERATION], starts, self.states)?;
        c.joint(a, b, &[coordinate]);
        flanges(c, &TRANSLATIONAL, coordinate);
        Ok(())
    }
}
