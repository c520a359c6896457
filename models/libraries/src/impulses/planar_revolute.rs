//! A revolute joint that closes a planar loop.

use crate::multibody::planar_pin;
use crate::multibody::two_frames;
use mechanics::declaration::prelude::*;

component! {
    /// Revolute joint that closes a planar loop, whose other joints constrain it to its plane.
    ///
    /// It is the last joint of a planar linkage, so that no condition of the loop is redundant.
    ///
    /// # Equations
    /// The vector from `frame_a` to `frame_b` is parallel to `n`, an axis of `frame_a`. There is no
    /// force along `n` and no torque; the same holds for impulses. The initial configuration must
    /// have the same axis `n` in both frames.
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
