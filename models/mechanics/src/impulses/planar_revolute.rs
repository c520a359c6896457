//! A revolute joint that closes a planar loop.

use super::connections::ConnectionPorts;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::planar_pin;
use crate::vector::Z;

/// Revolute joint that closes a planar loop: a loop's other joints keep it in its plane.
///
/// # Equations
/// The vector from `frame_a` to `frame_b` is along `n`, an axis of `frame_a`; no force along `n`
/// and no torques, and the same for impulses. That `n` is the same in both frames is checked in the
/// initial configuration.
///
/// # Variables
/// `n` without unit, default `{0, 0, 1}`; of any direction.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Joints.CutJoints.PlanarRevolute.
#[derive(Clone, Debug)]
pub struct PlanarRevolute {
    n: [f64; 3],
}

impl Default for PlanarRevolute {
    fn default() -> Self {
        PlanarRevolute::n(Z)
    }
}

impl PlanarRevolute {
    /// About the axis `n`, at right angles to the plane, resolved in `frame_a`.
    pub fn n(n: [f64; 3]) -> Self {
        PlanarRevolute { n }
    }
}

impl OldComponent for PlanarRevolute {
    type Ports = ConnectionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let n = c.axis("n", self.n, "Axis of rotation resolved in frame_a")?;
        planar_pin(c, n, false);
        Ok(())
    }
}
