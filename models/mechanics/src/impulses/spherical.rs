//! Spherical joint.

use super::free_orientation::{Orientation, orientation_setters, publish_rotation};
use super::init::{States, states_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::scene::Shape;

/// Spherical joint: two origins coincide, all rotations are free.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0`; no torques, and no angular impulses.
///
/// # Variables
/// The relative angular velocity `w` in rad/s, resolved in `frame_b`, and its derivative `z` in
/// rad/s2. States are the quaternion `Q` from `frame_a` to `frame_b` and `w`; where the joint is
/// part of a loop, or with `use_quaternions(false)`, the angles `phi` in rad and their derivatives
/// `phi_d`. Given in degrees: `phi_start` in deg, `w_start` in deg/s, `z_start` in deg/s2, default
/// 0.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Joints.Spherical.
#[derive(Clone, Debug, Default)]
pub struct Spherical {
    orientation: Orientation,
    states: States,
}

ports! {
    /// Ports and variables of a [`Spherical`] joint.
    pub struct SphericalPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Relative angular velocity in rad/s, resolved in `frame_b`.
        w: vector,
        /// Its derivative in rad/s2.
        z: vector,
    }
}

orientation_setters!(Spherical);
states_setters!(Spherical);

impl OldComponent for Spherical {
    type Ports = SphericalPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frames = [c.frame("frame_a"), c.frame("frame_b")];
        c.shape("frame_a", Shape::ball);
        self.orientation.join(c, frames, &[], self.states, None)?;
        publish_rotation(c, frames);
        Ok(())
    }
}
