//! A constraint that locks translations only.

use super::{Locked, locked};
use crate::multibody::joints::{FreeOrientation, SPHERICAL_NAMES, orientation_variables};
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;

component! {
    /// Spherical constraint: all rotations are free; translations along axes of `frame_a` are
    /// locked or released.
    ///
    /// It ties a body that has its own coordinates to a point, an axis or a plane.
    ///
    /// # Equations
    /// `r_rel_a` is the vector from `frame_a` to `frame_b`, resolved in `frame_a`. Along a locked
    /// axis, `r_rel_a[i] = 0`; along a released one, `s[i] = r_rel_a[i]` and there is no force.
    /// There are no torques.
    ///
    /// In an open chain, the orientation is described by the quaternion `Q` and `w_rel`; in a loop,
    /// it is described by the angles `phi` and their derivatives `phi_d`.
    pub struct SphericalConstraint = "Modelica.Mechanics.MultiBody.Joints.Constraints.Spherical" {
        ..locked: locked,
        ..orientation_variables,
    }
    variables {
        /// Angular velocity of frame_b relative to frame_a, resolved in frame_b
        w_rel?: Vector["rad/s"],
    }
}

impl Component for SphericalConstraint {
    fn contribute(p: SphericalConstraintParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", Shape::ball);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let slides = p.locked.slides(c);
        FreeOrientation::default().join(c, [a, b], &slides, SPHERICAL_NAMES, None);
        Ok(())
    }
}
