//! A constraint of one rotation.

use super::{Locked, locked_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::joints::{cross_axes, cross_turns};
use crate::ports;
use crate::start::{Start, StateSelect};
use crate::vector::{X, Y};

/// Universal constraint: rotations about two axes of a cross; translations along axes of `frame_a`
/// are locked or released.
///
/// # Equations
/// With `r_rel_a` from `frame_a` to `frame_b`, resolved in `frame_a`: `r_rel_a[i] = 0` for a locked
/// axis, no force along a released one; `n_a` of `frame_a` stays at right angles to `n_b` of
/// `frame_b`, no torque about either.
///
/// # Variables
/// `s[i] = r_rel_a[i]` in m, `v[i]` in m/s, `a[i]` in m/s2 of the released axes; `phi_a`, `phi_b`
/// in rad, `w_a`, `w_b` in rad/s, `a_a`, `a_b` in rad/s2; `n_a` and `n_b` without unit.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Constraints.Universal.
#[derive(Clone, Debug)]
pub struct UniversalConstraint {
    n_a: [f64; 3],
    n_b: [f64; 3],
    locked: Locked,
}

ports! {
    /// Ports and variables of a [`UniversalConstraint`].
    pub struct UniversalConstraintPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Angle about the axis of `frame_a` in rad.
        phi_a: quantity,
        /// Angle about the axis of `frame_b` in rad.
        phi_b: quantity,
        /// Derivative of `phi_a` in rad/s.
        w_a: quantity,
        /// Derivative of `phi_b` in rad/s.
        w_b: quantity,
        /// Derivative of `w_a` in rad/s2.
        a_a: quantity,
        /// Derivative of `w_b` in rad/s2.
        a_b: quantity,
    }
}

impl Default for UniversalConstraint {
    fn default() -> Self {
        UniversalConstraint::n_a_n_b(X, Y)
    }
}

impl UniversalConstraint {
    /// With the axes `n_a`, resolved in `frame_a`, and `n_b`, resolved in `frame_b`, at right
    /// angles to each other.
    pub fn n_a_n_b(n_a: [f64; 3], n_b: [f64; 3]) -> Self {
        UniversalConstraint { n_a, n_b, locked: Locked::default() }
    }
}

locked_setters!(UniversalConstraint);

impl OldComponent for UniversalConstraint {
    type Ports = UniversalConstraintPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let [e_a, e_b] = cross_axes(c, self.n_a, self.n_b)?;
        let along: f64 = e_a.iter().zip(&e_b).map(|(a, b)| a * b).sum();
        if along.abs() > 1e-12 {
            let (n_a, n_b) = (self.n_a, self.n_b);
            return Err(c.refuse("n_b", format!("{n_b:?} is not at right angles to n_a, {n_a:?}")));
        }
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let mut all = self.locked.slides(c);
        let starts = [[Start::default(); 3]; 2];
        all.extend(cross_turns(c, [e_a, e_b], starts, StateSelect::Default)?);
        c.joint(a, b, &all);
        Ok(())
    }
}
