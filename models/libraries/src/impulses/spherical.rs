//! Spherical joint.

use super::free_orientation::{OrientationStarts, orientation_starts, publish_rotation};
use super::init::{InitType, States, states};
use crate::multibody::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;

component! {
    /// Spherical joint: the origins coincide, and all rotations are free.
    ///
    /// It is a ball joint, or the pivot of a top, in a model with impacts.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0`. There are no torques and no angular impulses. States are the
    /// quaternion `Q` from `frame_a` to `frame_b` and `w`. In a loop whose angles stay away from
    /// singular positions or that cannot be free, the angles `phi` and their derivatives `phi_d`
    /// are states instead. With `use_quaternions(false)`, these angles are variables everywhere.
    pub struct Spherical = "MultiBondLib.Mechanics3DwithImpulses.Joints.Spherical" {
        ..two_frames,
        ..orientation: orientation_starts,
        ..states: states,
    }
    variables {
        /// Angular velocity of frame_b relative to frame_a, resolved in frame_b
        w: Vector["rad/s"],
        /// Derivatives of the components of w
        z: Vector["rad/s2"],
    }
}

impl Component for Spherical {
    fn contribute(p: SphericalParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frames = [c.frame("frame_a"), c.frame("frame_b")];
        c.shape("frame_a", Shape::ball);
        p.orientation.join(c, frames, &[], &p.states, None)?;
        publish_rotation(c, frames);
        Ok(())
    }
}
