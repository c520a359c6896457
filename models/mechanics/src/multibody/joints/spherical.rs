//! Spherical joint.

use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::ports;

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
