//! A joint with six degrees of freedom.

use super::free_orientation::{Orientation, OrientationNames, orientation, orientation_variables};
use super::slide;
use crate::multibody::parts::two_frames;
use mechanics::assembly::element;
use mechanics::declaration::prelude::*;

component! {
    /// Free motion: no constraint, but relative coordinates that may be states.
    ///
    /// It gives a free body coordinates relative to a moving part, such as a satellite relative to
    /// its carrier.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0 + R' r_rel_a`, `v_rel_a = der(r_rel_a)`,
    /// `a_rel_a = der(v_rel_a)`. There are no forces and no torques.
    ///
    /// The orientation is described by the quaternion `Q` and `w_rel_b`. In a loop whose angles
    /// stay away from singular positions or that cannot be free, it is described by the angles
    /// `phi` and their derivatives `phi_d`. With `use_quaternions(false)`, these angles are
    /// variables everywhere. All coordinates are states unless other joints already connect both
    /// frames.
    pub struct FreeMotion = "Modelica.Mechanics.MultiBody.Joints.FreeMotion" {
        /// Start value of the position, resolved in frame_a
        r_rel_a: [Start; 3]["m"] = [free(); 3],
        /// Start value of the derivative of the position
        v_rel_a: [Start; 3]["m/s"] = [free(); 3],
        /// Initial second derivative of the position; used only if it is fixed
        a_rel_a: [Start; 3]["m/s2"] = [free(); 3],
        /// Start value of the relative angular velocity, resolved in frame_a; if one component is
        /// fixed, all are
        w_rel_a_start: [Start; 3]["rad/s"] = [free(); 3],
        /// Whether the relative coordinates must be states; it is then an error if other joints
        /// already connect both frames
        enforce_states "enforceStates": bool = false,
        ..orientation: orientation,
        ..orientation_variables,
        ..two_frames,
    }
    variables {
        /// Position vector from frame_a to frame_b, resolved in frame_a
        r_rel_a: Vector["m"],
        /// First derivative of r_rel_a
        v_rel_a: Vector["m/s"],
        /// Second derivative of r_rel_a
        a_rel_a: Vector["m/s2"],
        /// Angular velocity of frame_b relative to frame_a, resolved in frame_b
        w_rel_b?: Vector["rad/s"],
    }
}

const NAMES: OrientationNames =
    OrientationNames { quaternion: "Q", w: "w_rel_b", phi: "phi", phi_d: "phi_d" };

impl Component for FreeMotion {
    fn contribute(p: FreeMotionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let select = if p.enforce_states { Always } else { Prefer };
        let slides = [0, 1, 2].map(|k| {
            let names = ["r_rel_a", "v_rel_a", "a_rel_a"].map(|name| element(name, k + 1));
            slide(c, [X, Y, Z][k], names, [p.r_rel_a[k], p.v_rel_a[k], p.a_rel_a[k]], select)
        });
        p.orientation.turning(p.w_rel_a_start, select).join(c, [a, b], &slides, NAMES, None);
        Ok(())
    }
}
