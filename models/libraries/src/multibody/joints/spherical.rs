//! Spherical joint.

use super::free_orientation::{Orientation, OrientationNames, orientation, orientation_variables};
use crate::multibody::parts::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;

component! {
    /// Spherical joint: the origins coincide, and all rotations are free.
    ///
    /// It is a ball joint of a suspension, or the pivot of a top.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0`, and there are no torques.
    ///
    /// In an open chain, the quaternion `Q` and `w_rel` are states. In a loop whose angles stay
    /// away from singular positions or that cannot be free, the angles `phi` and their derivatives
    /// `phi_d` are states instead. With `use_quaternions(false)`, these angles are variables
    /// everywhere.
    pub struct Spherical = "Modelica.Mechanics.MultiBody.Joints.Spherical" {
        /// Start value of the relative angular velocity, resolved in frame_a; if one component is
        /// fixed, all are
        w_rel_a_start: [Start; 3]["rad/s"] = [free(); 3],
        /// Whether states of this joint must describe the orientation
        enforce_states "enforceStates": bool = false,
        ..orientation: orientation,
        ..orientation_variables,
        ..two_frames,
    }
    variables {
        /// Angular velocity of frame_b relative to frame_a, resolved in frame_b
        w_rel?: Vector["rad/s"],
    }
}

/// Names of the variables of a spherical joint, and of a spherical constraint.
pub(in crate::multibody) const SPHERICAL_NAMES: OrientationNames =
    OrientationNames { quaternion: "Q", w: "w_rel", phi: "phi", phi_d: "phi_d" };

impl Component for Spherical {
    fn contribute(p: SphericalParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.shape("frame_a", Shape::ball);
        let select = if p.enforce_states { Always } else { StateSelect::Default };
        p.orientation.turning(p.w_rel_a_start, select).join(c, [a, b], &[], SPHERICAL_NAMES, None);
        Ok(())
    }
}
