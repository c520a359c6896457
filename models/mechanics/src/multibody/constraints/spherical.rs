//! A constraint of translations.

use super::{Locked, locked_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::joints::{FreeOrientation, Names};
use crate::ports;

/// Spherical constraint: all rotations; translations along axes of `frame_a` are locked or
/// released.
///
/// # Equations
/// With `r_rel_a` from `frame_a` to `frame_b`, resolved in `frame_a`: `r_rel_a[i] = 0` for a locked
/// axis, no force along a released one; no torques.
///
/// # Variables
/// `s[i] = r_rel_a[i]` in m, `v[i]` in m/s, `a[i]` in m/s2 of the released axes. In an open chain
/// the quaternion `Q` from `frame_a` to `frame_b` and the relative angular velocity `w_rel` in
/// rad/s, resolved in `frame_b`; as part of a loop the angles `phi` in rad and their derivatives
/// `phi_d`.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Constraints.Spherical.
#[derive(Clone, Debug, Default)]
pub struct SphericalConstraint {
    locked: Locked,
}

ports! {
    /// Ports of a [`SphericalConstraint`].
    pub struct SphericalConstraintPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
    }
}

locked_setters!(SphericalConstraint);

const NAMES: Names = Names { quaternion: "Q", w: "w_rel", phi: "phi", phi_d: "phi_d" };

impl OldComponent for SphericalConstraint {
    type Ports = SphericalConstraintPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let slides = self.locked.slides(c);
        FreeOrientation::default().join(c, [a, b], &slides, NAMES, None);
        Ok(())
    }
}
