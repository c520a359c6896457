//! A constraint of all rotations but one.

use super::{Locked, locked_setters};
use crate::compile::structure::Freedom;
use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::{Word, word};
use crate::error::Error;
use crate::ports;
use crate::start::StateSelect;
use crate::vector::Y;

static PHI: Word = word("phi", "rad", "Rotation angle from frame_a to frame_b about n");
static W: Word = word("w", "rad/s", "First derivative of angle phi");
static WD: Word = word("wd", "rad/s2", "Second derivative of angle phi");

/// Revolute constraint: rotation about one axis; translations along axes of `frame_a` are locked or
/// released.
///
/// # Equations
/// With `r_rel_a` from `frame_a` to `frame_b`, resolved in `frame_a`: `r_rel_a[i] = 0` for a locked
/// axis, no force along a released one; `n` is the same in both frames, no torque about it.
///
/// # Variables
/// `s[i] = r_rel_a[i]` in m, `v[i]` in m/s, `a[i]` in m/s2 of the released axes; `phi` in rad, `w`
/// in rad/s, `wd` in rad/s2; `n` without unit.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Constraints.Revolute.
#[derive(Clone, Debug)]
pub struct RevoluteConstraint {
    n: [f64; 3],
    locked: Locked,
}

ports! {
    /// Ports and variables of a [`RevoluteConstraint`].
    pub struct RevoluteConstraintPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Rotation angle in rad.
        phi: quantity,
        /// Angular velocity in rad/s.
        w: quantity,
        /// Angular acceleration in rad/s2.
        wd: quantity,
    }
}

impl Default for RevoluteConstraint {
    fn default() -> Self {
        RevoluteConstraint::n(Y)
    }
}

impl RevoluteConstraint {
    /// Leaves the rotation about the axis `n`, resolved in `frame_a` (the same as in `frame_b`).
    pub fn n(n: [f64; 3]) -> Self {
        RevoluteConstraint { n, locked: Locked::default() }
    }
}

locked_setters!(RevoluteConstraint);

impl OldComponent for RevoluteConstraint {
    type Ports = RevoluteConstraintPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axis = c.axis("n", self.n, "Axis of rotation resolved in frame_a")?;
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let mut all = self.locked.slides(c);
        let motion = c.candidates([&PHI, &W, &WD], Starts::default());
        all.push(c.coordinate(Freedom::Turn, axis, motion, StateSelect::Default));
        c.joint(a, b, &all);
        Ok(())
    }
}
