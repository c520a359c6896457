//! A constraint that locks one rotation.

use super::{Locked, locked};
use crate::multibody::joints::{check_cross, cross, cross_turns};
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;

component! {
    /// Universal constraint: rotations about two axes of a cross; translations along axes of
    /// `frame_a` are locked or released.
    ///
    /// It joins a body that has its own coordinates to another part by a cross, or closes a loop.
    ///
    /// # Equations
    /// `r_rel_a` is the vector from `frame_a` to `frame_b`, resolved in `frame_a`. Along a locked
    /// axis, `r_rel_a[i] = 0`; along a released one, `s[i] = r_rel_a[i]` and there is no force. The
    /// axis `n_a` of `frame_a` is perpendicular to the axis `n_b` of `frame_b`, and there is no
    /// torque about either.
    pub struct UniversalConstraint = "Modelica.Mechanics.MultiBody.Joints.Constraints.Universal" {
        /// Axis of the first rotation resolved in frame_a
        n_a: Axis["1"] = X,
        /// Axis of the second rotation resolved in frame_b
        n_b: Axis["1"] = Y,
        ..cross,
        ..locked: locked,
    }
}

impl Component for UniversalConstraint {
    fn contribute(p: UniversalConstraintParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (n_a, n_b) = (p.n_a, p.n_b);
        check_cross(c, n_a, n_b)?;
        let along: f64 = n_a.iter().zip(&n_b).map(|(a, b)| a * b).sum();
        if along.abs() > 1e-12 {
            let angle = along.acos().to_degrees();
            let why = format!("the angle to n_a is {angle} deg, but must be 90 deg");
            return Err(c.refuse("n_b", why));
        }
        c.shape("frame_a", Shape::ball);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let mut all = p.locked.slides(c);
        all.extend(cross_turns(c, [n_a, n_b], [[free(); 3]; 2], StateSelect::Default));
        c.joint(a, b, &all);
        Ok(())
    }
}
