//! Revolute joint.

use super::init::{AngleInDegrees, InitType, States, states};
use crate::multibody::turn;
use crate::multibody::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;
use mechanics::vector::constant;

component! {
    /// Revolute joint: one rotation about an axis.
    ///
    /// It is the hinge of a pendulum or of a linkage in a model with impacts.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0`. `frame_b` is rotated by `phi + phi_offset` about `n`, which is
    /// the same in both frames. `w = der(phi)`, `z = der(w)`. There is no torque and no angular
    /// impulse about `n`.
    pub struct Revolute = "MultiBondLib.Mechanics3DwithImpulses.Joints.Revolute" {
        /// Axis of rotation resolved in frame_a
        n: Axis["1"] = Z,
        /// Offset: the angle between the frames is phi + phi_offset
        phi_offset: AngleInDegrees["rad", fixed] = 0,
        /// Start value of the angle
        phi_start?: Real["deg", structural],
        /// Start value of the angular velocity
        w_start?: Real["deg/s", structural],
        /// Initial angular acceleration
        z_start?: Real["deg/s2", structural],
        ..states: states,
        ..two_frames,
    }
    variables {
        /// Rotation angle from frame_a to frame_b, without phi_offset
        phi: Real["rad"],
        /// First derivative of angle phi
        w: Real["rad/s"],
        /// Second derivative of angle phi
        z: Real["rad/s2"],
    }
}

impl Component for Revolute {
    fn contribute(p: RevoluteParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", |nominal| Shape::turn(&constant(p.n), nominal));
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let starts = [p.phi_start, p.w_start, p.z_start].map(|start| start.map(f64::to_radians));
        let (starts, select) = (p.states.init_type.starts(starts), p.states.select());
        let joint = turn(c, p.n, ["phi", "w", "z"], starts, select);
        c.offset(joint, p.phi_offset);
        c.joint(a, b, &[joint]);
        p.states.apply_to(c, &[joint]);
        Ok(())
    }
}
