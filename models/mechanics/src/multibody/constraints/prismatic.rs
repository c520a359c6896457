//! A constraint of all rotations.

use super::{Locked, locked_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;

/// Prismatic constraint: no relative rotation; translations along axes of `frame_a` are locked or
/// released.
///
/// # Equations
/// With `r_rel_a` from `frame_a` to `frame_b`, resolved in `frame_a`: `r_rel_a[i] = 0` for a locked
/// axis, no force along a released one; equal orientations.
///
/// # Variables
/// `s[i] = r_rel_a[i]` in m, `v[i]` in m/s, `a[i]` in m/s2 of the released axes.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Constraints.Prismatic.
#[derive(Clone, Debug, Default)]
pub struct PrismaticConstraint {
    locked: Locked,
}

ports! {
    /// Ports of a [`PrismaticConstraint`].
    pub struct PrismaticConstraintPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
    }
}

locked_setters!(PrismaticConstraint);

impl OldComponent for PrismaticConstraint {
    type Ports = PrismaticConstraintPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let slides = self.locked.slides(c);
        c.joint(a, b, &slides);
        Ok(())
    }
}
