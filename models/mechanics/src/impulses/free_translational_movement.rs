//! A joint from the world that leaves all translations.

use super::free_movement::{LINEAR, Translation, translation_setters};
use super::init::{States, check_vectors, states_setters};
use crate::compile::structure::{Freedom, Pose};
use crate::component::{Contribution, OldComponent};
use crate::domain::{Word, word};
use crate::error::Error;
use crate::multibody::coordinate;
use crate::vector::{X, Y, Z, identity};
use crate::{ports, setters};

const POSITION: &str = "Position vector from the world to frame_b less r, resolved in the world";
const VELOCITY: &str = "First derivative of x";
const ACCELERATION: &str = "Second derivative of x";

static MOTION: [[Word; 3]; 3] = [
    [
        word("x[1]", "m", POSITION),
        word("v[1]", "m/s", VELOCITY),
        word("a[1]", "m/s2", ACCELERATION),
    ],
    [
        word("x[2]", "m", POSITION),
        word("v[2]", "m/s", VELOCITY),
        word("a[2]", "m/s2", ACCELERATION),
    ],
    [
        word("x[3]", "m", POSITION),
        word("v[3]", "m/s", VELOCITY),
        word("a[3]", "m/s2", ACCELERATION),
    ],
];

/// Free translation against the world; the orientation is that of the world.
///
/// # Equations
/// `frame_b.r_0 = x + r`, `frame_b.R` is the identity; `v = der(x)`, `a = der(v)`; no forces, and
/// no impulses. The joint exerts the torques and angular impulses that prevent rotation: what moves
/// with it feels no lever arm.
///
/// # Variables
/// `x` in m, `v` in m/s, `a` in m/s2, resolved in the world; `r` in m, `x_start` in m, `v_start` in
/// m/s, `a_start` in m/s2, default 0.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Joints.FreeTranslationalMovement.
#[derive(Clone, Debug, Default)]
pub struct FreeTranslationalMovement {
    r: [f64; 3],
    translation: Translation,
    states: States,
}

ports! {
    /// Ports and variables of a [`FreeTranslationalMovement`].
    pub struct FreeTranslationalMovementPorts {
        /// The frame that moves.
        frame_b: frame,
        /// Position in m less `r`, in world axes.
        x: vector,
        /// Velocity in m/s, in world axes.
        v: vector,
        /// Acceleration in m/s2, in world axes.
        a: vector,
    }
}

setters! {
    impl FreeTranslationalMovement {
        /// Position in m where `x` is zero, in world axes; its zeros are structure.
        r: [f64; 3],
    }
}

translation_setters!(FreeTranslationalMovement);
states_setters!(FreeTranslationalMovement);

impl OldComponent for FreeTranslationalMovement {
    type Ports = FreeTranslationalMovementPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let r = c.vector("r", self.r, "m", "Position of frame_b where x is zero")?;
        let frame_b = c.frame("frame_b");
        let world = c.ground(Pose { r, t: identity() });
        let Translation { x_start, v_start, a_start } = self.translation;
        let given = [x_start, v_start, a_start];
        check_vectors(c, LINEAR, given)?;
        let [x, v, a] = self.states.init_type.vectors(given);
        let mut slide = |k: usize| {
            let freedom = (Freedom::Slide, [X, Y, Z][k]);
            let (words, starts) = (MOTION[k].each_ref(), [x[k], v[k], a[k]]);
            coordinate(c, freedom, words, starts, self.states.select())
        };
        let slides = [slide(0)?, slide(1)?, slide(2)?];
        c.joint(world, frame_b, &slides);
        self.states.tell(c, &slides);
        Ok(())
    }
}
