//! Prismatic joint.

use super::init::{Names, States, check, offset, states_setters};
use crate::compile::structure::Freedom;
use crate::component::{Contribution, OldComponent};
use crate::domain::{Word, word};
use crate::error::Error;
use crate::multibody::coordinate;
use crate::scene::{Form, Shape};
use crate::vector::{X, constant};
use crate::{ports, setters};

static S: Word = word("s", "m", "Distance from frame_a to frame_b along n, without s_offset");
static V: Word = word("v", "m/s", "First derivative of s");
static ACCELERATION: Word = word("a", "m/s2", "Second derivative of s");
const STARTS: Names = [("s_start", "m"), ("v_start", "m/s"), ("a_start", "m/s2")];

/// Prismatic joint: one translation along an axis.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0 + R' e (s + s_offset)` with `e = n / |n|`; no relative rotation;
/// `v = der(s)`, `a = der(v)`; no force along `n`, and no impulse. Impulses act with the lever arm
/// `s + s_offset`.
///
/// # Variables
/// `s` in m, `v` in m/s, `a` in m/s2; `n` without unit, default `{1, 0, 0}`; `s_offset` and
/// `s_start` in m, `v_start` in m/s, `a_start` in m/s2, default 0.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Joints.Prismatic.
#[derive(Clone, Debug)]
pub struct Prismatic {
    n: [f64; 3],
    s_offset: f64,
    s_start: Option<f64>,
    v_start: Option<f64>,
    a_start: Option<f64>,
    states: States,
}

ports! {
    /// Ports and variables of a [`Prismatic`] joint.
    pub struct PrismaticPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Distance in m, without `s_offset`.
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
        let (s_offset, s_start, v_start, a_start) = (0.0, None, None, None);
        Prismatic { n, s_offset, s_start, v_start, a_start, states: States::default() }
    }
}

setters! {
    impl Prismatic {
        /// Distance of the frames where `s` is zero, in m.
        s_offset: f64,
        /// Start value of the distance in m.
        s_start: Option<f64>,
        /// Start value of the velocity in m/s.
        v_start: Option<f64>,
        /// Initial acceleration in m/s2.
        a_start: Option<f64>,
    }
}

states_setters!(Prismatic);

impl OldComponent for Prismatic {
    type Ports = PrismaticPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axis = c.axis("n", self.n, "Axis of translation resolved in frame_a")?;
        c.shape("frame_a", |nominal| Shape::slide(Form::Box, &constant(axis), "s", nominal));
        let starts = [self.s_start, self.v_start, self.a_start];
        check(c, STARTS, starts)?;
        c.finite("s_offset", self.s_offset, "m")?;
        let text = "s + s_offset = distance of the frames";
        let offset = offset(c, "s_offset", self.s_offset, "m", text);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let starts = self.states.init_type.starts(starts);
        let words = [&S, &V, &ACCELERATION];
        let joint = coordinate(c, (Freedom::Slide, axis), words, starts, self.states.select())?;
        c.offset(joint, offset);
        c.joint(a, b, &[joint]);
        self.states.tell(c, &[joint]);
        Ok(())
    }
}
