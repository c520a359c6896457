//! A joint that leaves all six freedoms.

use super::coordinate;
use super::free_orientation::{FreeOrientation, Names, orientation_setters};
use crate::compile::structure::Freedom;
use crate::component::{Contribution, OldComponent};
use crate::domain::{Word, word};
use crate::error::Error;
use crate::start::{Start, StateSelect};
use crate::vector::{X, Y, Z};
use crate::{ports, setters};

const POSITION: &str = "Position vector from frame_a to frame_b, resolved in frame_a";
const VELOCITY: &str = "First derivative of r_rel_a";
const ACCELERATION: &str = "Second derivative of r_rel_a";

static R_REL_A: [[Word; 3]; 3] = [
    [
        word("r_rel_a[1]", "m", POSITION),
        word("v_rel_a[1]", "m/s", VELOCITY),
        word("a_rel_a[1]", "m/s2", ACCELERATION),
    ],
    [
        word("r_rel_a[2]", "m", POSITION),
        word("v_rel_a[2]", "m/s", VELOCITY),
        word("a_rel_a[2]", "m/s2", ACCELERATION),
    ],
    [
        word("r_rel_a[3]", "m", POSITION),
        word("v_rel_a[3]", "m/s", VELOCITY),
        word("a_rel_a[3]", "m/s2", ACCELERATION),
    ],
];

/// Free motion: no constraint, but relative coordinates that may be states.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0 + R' r_rel_a`, `v_rel_a = der(r_rel_a)`, `a_rel_a = der(v_rel_a)`; no
/// forces, no torques.
///
/// # Variables
/// `r_rel_a` in m, `v_rel_a` in m/s, `a_rel_a` in m/s2, resolved in `frame_a`; the quaternion `Q`
/// from `frame_a` to `frame_b` and the relative angular velocity `w_rel_b` in rad/s, resolved in
/// `frame_b`; with `use_quaternions(false)`, or where the joint takes part in a loop, the angles
/// `phi` in rad and their derivatives `phi_d` instead. They are states unless other joints hold
/// both frames; `enforce_states` refuses a model where that is so.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.FreeMotion.
#[derive(Clone, Debug)]
pub struct FreeMotion {
    r_rel_a: [Start; 3],
    v_rel_a: [Start; 3],
    a_rel_a: [Start; 3],
    orientation: FreeOrientation,
}

ports! {
    /// Ports and variables of a [`FreeMotion`] joint.
    pub struct FreeMotionPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Position in m, resolved in `frame_a`.
        r_rel_a: vector,
        /// Its derivative in m/s.
        v_rel_a: vector,
        /// Its second derivative in m/s2.
        a_rel_a: vector,
    }
}

impl Default for FreeMotion {
    fn default() -> Self {
        let orientation =
            FreeOrientation { select: StateSelect::Prefer, ..FreeOrientation::default() };
        let zero = [Start::default(); 3];
        FreeMotion { r_rel_a: zero, v_rel_a: zero, a_rel_a: zero, orientation }
    }
}

const NAMES: Names =
    Names { quaternion: "Q", w: "w_rel_b", phi: "phi", phi_d: "phi_d", w_start: "w_rel_a_start" };

orientation_setters!(FreeMotion);

setters! {
    impl FreeMotion {
        /// Start value of the position in m, resolved in `frame_a`.
        r_rel_a: [Start; 3],
        /// Start value of its derivative in m/s.
        v_rel_a: [Start; 3],
        /// Initial second derivative in m/s2; counts only if it is fixed.
        a_rel_a: [Start; 3],
    }
}

impl FreeMotion {
    /// The relative coordinates must be states.
    #[must_use]
    pub fn enforce_states(mut self) -> Self {
        self.orientation.select = StateSelect::Always;
        self
    }
}

impl OldComponent for FreeMotion {
    type Ports = FreeMotionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let mut slide = |k: usize, axis| {
            let starts = [self.r_rel_a[k], self.v_rel_a[k], self.a_rel_a[k]];
            let freedom = (Freedom::Slide, axis);
            coordinate(c, freedom, R_REL_A[k].each_ref(), starts, self.orientation.select)
        };
        let slides = [slide(0, X)?, slide(1, Y)?, slide(2, Z)?];
        self.orientation.join(c, [a, b], &slides, NAMES, None)?;
        Ok(())
    }
}
