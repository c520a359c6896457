//! Universal joint.

use super::turn;
use crate::multibody::parts::two_frames;
use mechanics::component::CoordinateId;
use mechanics::declaration::{group, prelude::*};
use mechanics::scene::Shape;
use mechanics::vector::{constant, cross_constant, unit_axis};

component! {
    /// Universal joint: two rotations about axes of a cross.
    ///
    /// It is the cross of a cardan shaft, or a gimbal.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0`. The cross is rotated by `phi_a` about `n_a` of `frame_a`, and
    /// `frame_b` by `phi_b` about `n_b` of the cross. There are no torques about these axes.
    ///
    /// In a cut joint, the angles are measured between the frames, from -pi to pi.
    pub struct Universal = "Modelica.Mechanics.MultiBody.Joints.Universal" {
        /// Axis of the first rotation resolved in frame_a
        n_a: Axis["1"] = X,
        /// Axis of the second rotation resolved in frame_b
        n_b: Axis["1"] = Y,
        /// Start value of the angle about n_a
        phi_a: Start["rad"] = free(),
        /// Start value of the angle about n_b
        phi_b: Start["rad"] = free(),
        /// Start value of the derivative of phi_a
        w_a: Start["rad/s"] = free(),
        /// Start value of the derivative of phi_b
        w_b: Start["rad/s"] = free(),
        /// Initial derivative of w_a; used only if it is fixed
        a_a: Start["rad/s2"] = free(),
        /// Initial derivative of w_b; used only if it is fixed
        a_b: Start["rad/s2"] = free(),
        /// Preference of angles and angular velocities as states
        states: StateSelect = Prefer,
        ..cross,
        ..two_frames,
    }
}

impl Component for Universal {
    fn contribute(p: UniversalParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        check_cross(c, p.n_a, p.n_b)?;
        c.shape("frame_a", |nominal| Shape::turn(&constant(p.n_a), nominal));
        c.shape("frame_b", |nominal| Shape::turn(&constant(p.n_b), nominal));
        let starts = [[p.phi_a, p.w_a, p.a_a], [p.phi_b, p.w_b, p.a_b]];
        let turns = cross_turns(c, [p.n_a, p.n_b], starts, p.states);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, &turns);
        Ok(())
    }
}

group! {
    /// The cross of a universal joint.
    pub struct Cross(cross) {}
    variables {
        /// Rotation angle from frame_a to the cross
        phi_a: Real["rad"],
        /// Rotation angle from the cross to frame_b
        phi_b: Real["rad"],
        /// First derivative of angle phi_a
        w_a: Real["rad/s"],
        /// First derivative of angle phi_b
        w_b: Real["rad/s"],
        /// Second derivative of angle phi_a
        a_a: Real["rad/s2"],
        /// Second derivative of angle phi_b
        a_b: Real["rad/s2"],
    }
}

/// Returns an error if the axes of a cross are parallel.
pub(in crate::multibody) fn check_cross(
    c: &Contribution<'_>,
    n_a: [f64; 3],
    n_b: [f64; 3],
) -> Result<(), Error> {
    match unit_axis(cross_constant(n_a, n_b)) {
        Some(_) => Ok(()),
        None => Err(c.refuse("n_b", format!("{n_b:?} must not be parallel to n_a, {n_a:?}"))),
    }
}

/// The two rotations of a universal joint.
pub(in crate::multibody) fn cross_turns(
    c: &mut Contribution<'_>,
    [n_a, n_b]: [[f64; 3]; 2],
    [of_a, of_b]: [[Start; 3]; 2],
    select: StateSelect,
) -> [CoordinateId; 2] {
    let first = turn(c, n_a, ["phi_a", "w_a", "a_a"], of_a, select);
    [first, turn(c, n_b, ["phi_b", "w_b", "a_b"], of_b, select)]
}
