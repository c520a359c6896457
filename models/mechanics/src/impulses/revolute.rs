//! Revolute joint.

use super::init::{ANGULAR, States, check, offset, states_setters};
use crate::compile::structure::Freedom;
use crate::component::{Contribution, OldComponent};
use crate::domain::{Word, word};
use crate::error::Error;
use crate::multibody::coordinate;
use crate::scene::Shape;
use crate::vector::{Z, constant};
use crate::{ports, setters};

static PHI: Word = word("phi", "rad", "Rotation angle from frame_a to frame_b, without phi_offset");
static W: Word = word("w", "rad/s", "First derivative of angle phi");
static ACCELERATION: Word = word("z", "rad/s2", "Second derivative of angle phi");

/// Revolute joint: one rotation about an axis.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0`; `frame_b` is turned by `phi + phi_offset` about `n`, the same in
/// both frames; `w = der(phi)`, `z = der(w)`; no torque about `n`, and no angular impulse.
///
/// # Variables
/// `phi` in rad, `w` in rad/s, `z` in rad/s2; `n` without unit, default `{0, 0, 1}`. Given in
/// degrees: `phi_offset` and `phi_start` in deg, `w_start` in deg/s, `z_start` in deg/s2, default
/// 0.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Joints.Revolute.
#[derive(Clone, Debug)]
pub struct Revolute {
    n: [f64; 3],
    phi_offset: f64,
    phi_start: Option<f64>,
    w_start: Option<f64>,
    z_start: Option<f64>,
    states: States,
}

ports! {
    /// Ports and variables of a [`Revolute`] joint.
    pub struct RevolutePorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Rotation angle in rad, without `phi_offset`.
        phi: quantity,
        /// Angular velocity in rad/s.
        w: quantity,
        /// Angular acceleration in rad/s2.
        z: quantity,
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
        let (phi_offset, phi_start, w_start, z_start) = (0.0, None, None, None);
        Revolute { n, phi_offset, phi_start, w_start, z_start, states: States::default() }
    }
}

setters! {
    impl Revolute {
        /// Angle between the frames where `phi` is zero, in deg.
        phi_offset: f64,
        /// Start value of the angle in deg.
        phi_start: Option<f64>,
        /// Start value of the angular velocity in deg/s.
        w_start: Option<f64>,
        /// Initial angular acceleration in deg/s2.
        z_start: Option<f64>,
    }
}

states_setters!(Revolute);

impl OldComponent for Revolute {
    type Ports = RevolutePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axis = c.axis("n", self.n, "Axis of rotation resolved in frame_a")?;
        c.shape("frame_a", |nominal| Shape::turn(&constant(axis), nominal));
        let starts = [self.phi_start, self.w_start, self.z_start];
        check(c, ANGULAR, starts)?;
        c.finite("phi_offset", self.phi_offset, "deg")?;
        let (text, turned) =
            ("phi + phi_offset = angle of the frames", self.phi_offset.to_radians());
        let offset = offset(c, "phi_offset", turned, "rad", text);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let starts = self.states.init_type.starts(starts.map(|start| start.map(f64::to_radians)));
        let words = [&PHI, &W, &ACCELERATION];
        let joint = coordinate(c, (Freedom::Turn, axis), words, starts, self.states.select())?;
        c.offset(joint, offset);
        c.joint(a, b, &[joint]);
        self.states.tell(c, &[joint]);
        Ok(())
    }
}
