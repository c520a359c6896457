//! Spherical joint.

use super::free_orientation::{FreeOrientation, Names, orientation_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::scene::Shape;
use crate::start::StateSelect;

/// Spherical joint: two origins coincide, all rotations are free.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0`; no torques.
///
/// # Variables
/// In an open chain the quaternion `Q` from `frame_a` to `frame_b` and the relative angular
/// velocity `w_rel` in rad/s, resolved in `frame_b`, are states; where the joint is part of a loop,
/// or with `use_quaternions(false)`, the angles `phi` in rad and their derivatives `phi_d`.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Spherical.
#[derive(Clone, Debug, Default)]
pub struct Spherical {
    orientation: FreeOrientation,
}

ports! {
    /// Ports of a [`Spherical`] joint.
    pub struct SphericalPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
    }
}

const NAMES: Names =
    Names { quaternion: "Q", w: "w_rel", phi: "phi", phi_d: "phi_d", w_start: "w_rel_a_start" };

orientation_setters!(Spherical);

impl Spherical {
    /// The orientation must be described by states of this joint.
    #[must_use]
    pub fn enforce_states(mut self) -> Self {
        self.orientation.select = StateSelect::Always;
        self
    }
}

impl OldComponent for Spherical {
    type Ports = SphericalPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.shape("frame_a", Shape::ball);
        self.orientation.join(c, [a, b], &[], NAMES, None)?;
        Ok(())
    }
}
