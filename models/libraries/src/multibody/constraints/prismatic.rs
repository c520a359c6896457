//! A constraint that locks all rotations.

use super::{Locked, locked};
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;

component! {
    /// Prismatic constraint: no relative rotation; translations along axes of `frame_a` are locked
    /// or released.
    ///
    /// It guides a body that has its own coordinates along an axis, or closes a loop.
    ///
    /// # Equations
    /// `r_rel_a` is the vector from `frame_a` to `frame_b`, resolved in `frame_a`. Along a locked
    /// axis, `r_rel_a[i] = 0`; along a released one, `s[i] = r_rel_a[i]` and there is no force.
    /// Both frames have the same orientation.
    pub struct PrismaticConstraint = "Modelica.Mechanics.MultiBody.Joints.Constraints.Prismatic" {
        ..locked: locked,
    }
}

impl Component for PrismaticConstraint {
    fn contribute(p: PrismaticConstraintParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", Shape::ball);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let slides = p.locked.slides(c);
        c.joint(a, b, &slides);
        Ok(())
    }
}
