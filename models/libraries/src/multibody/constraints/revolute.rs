//! A constraint that locks all rotations except one.

use super::{Locked, locked};
use crate::multibody::joints::turn;
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;

component! {
    /// Revolute constraint: rotation about one axis; translations along axes of `frame_a` are
    /// locked or released.
    ///
    /// It hinges a body that has its own coordinates to another part, or closes a loop.
    ///
    /// # Equations
    /// `r_rel_a` is the vector from `frame_a` to `frame_b`, resolved in `frame_a`. Along a locked
    /// axis, `r_rel_a[i] = 0`; along a released one, `s[i] = r_rel_a[i]` and there is no force. The
    /// axis `n` is the same in both frames, and there is no torque about it.
    pub struct RevoluteConstraint = "Modelica.Mechanics.MultiBody.Joints.Constraints.Revolute" {
        /// Axis of rotation resolved in frame_a (the same as in frame_b)
        n: Axis["1"] = Y,
        ..locked: locked,
    }
    variables {
        /// Rotation angle from frame_a to frame_b about n
        phi: Real["rad"],
        /// First derivative of angle phi
        w: Real["rad/s"],
        /// Second derivative of angle phi
        wd: Real["rad/s2"],
    }
}

impl Component for RevoluteConstraint {
    fn contribute(p: RevoluteConstraintParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", Shape::ball);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let mut all = p.locked.slides(c);
        all.push(turn(c, p.n, ["phi", "w", "wd"], [free(); 3], StateSelect::Default));
        c.joint(a, b, &all);
        Ok(())
    }
}
