//! A revolute joint that closes a planar loop.

use super::connections::two_frames;
use crate::declaration::prelude::*;
use crate::multibody::planar_pin;

component! {
    /// Revolute joint that closes a planar loop: a loop's other joints keep it in its plane.
    ///
    /// # Equations
    /// The vector from `frame_a` to `frame_b` is along `n`, an axis of `frame_a`; no force along
    /// `n` and no torques, and the same for impulses. That `n` is the same in both frames is
    /// checked in the initial configuration.
    pub struct PlanarRevolute
        = "MultiBondLib.Mechanics3DwithImpulses.Joints.CutJoints.PlanarRevolute"
    {
        /// Axis of rotation resolved in frame_a
        n: Axis["1"] = Z,
        ..two_frames,
    }
}

impl Component for PlanarRevolute {
    fn contribute(p: PlanarRevoluteParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        planar_pin(c, p.n, false);
        Ok(())
    }
}
