//! Planar joint.

use super::rotation::{Rotation, rotation};
use super::slide;
use crate::multibody::parts::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::scene::{Shape, ShapeType};
use mechanics::vector::{constant, cross_constant, unit_axis};

component! {
    /// Planar joint: two translations in a plane and a rotation about its normal.
    ///
    /// It is a puck on a table, or a stage that moves in a plane.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0 + R' (e_x s_x + e_y s_y)`, where `e_y` has the direction of
    /// `n x n_x` and `e_x` that of `(n x n_x) x n`. `frame_b` is rotated by `phi` about `n`. There
    /// are no forces in the plane and no torque about its normal.
    pub struct Planar = "Modelica.Mechanics.MultiBody.Joints.Planar" {
        /// Axis normal to the plane resolved in frame_a
        n: Axis["1"] = Z,
        /// Direction of the x-axis resolved in frame_a
        n_x: Axis["1"] = X,
        /// Start value of the distance along the x-axis
        s_x: Start["m"] = free(),
        /// Start value of the velocity along the x-axis
        v_x: Start["m/s"] = free(),
        /// Initial acceleration along the x-axis; used only if it is fixed
        a_x: Start["m/s2"] = free(),
        /// Start value of the distance along the y-axis
        s_y: Start["m"] = free(),
        /// Start value of the velocity along the y-axis
        v_y: Start["m/s"] = free(),
        /// Initial acceleration along the y-axis; used only if it is fixed
        a_y: Start["m/s2"] = free(),
        ..rotation: rotation,
        /// Preference of distances, angle and their derivatives as states
        states: StateSelect = Prefer,
        ..two_frames,
    }
    variables {
        /// Distance between frame_a and frame_b along the x-axis of the plane
        s_x: Real["m"],
        /// First derivative of s_x
        v_x: Real["m/s"],
        /// Second derivative of s_x
        a_x: Real["m/s2"],
        /// Distance between frame_a and frame_b along the y-axis of the plane
        s_y: Real["m"],
        /// First derivative of s_y
        v_y: Real["m/s"],
        /// Second derivative of s_y
        a_y: Real["m/s2"],
    }
}

impl Component for Planar {
    fn contribute(p: PlanarParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let PlanarParameters { n, n_x, states, .. } = p;
        let Some(e_y) = unit_axis(cross_constant(n, n_x)) else {
            return Err(c.refuse("n_x", format!("{n_x:?} must not be parallel to n, {n:?}")));
        };
        let e_x = cross_constant(e_y, n);
        c.shape("frame_a", |nominal| {
            let along = constant(e_x);
            let slide = Shape::slide(ShapeType::Box, &along, "s_x", nominal);
            Shape { width: slide.width * 0.3, height: slide.height * 0.3, ..slide }
        });
        c.shape("frame_b", |nominal| Shape::turn(&constant(n), nominal));
        let s_x = slide(c, e_x, ["s_x", "v_x", "a_x"], [p.s_x, p.v_x, p.a_x], states);
        let s_y = slide(c, e_y, ["s_y", "v_y", "a_y"], [p.s_y, p.v_y, p.a_y], states);
        let phi = p.rotation.about(n, states, c);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, &[s_x, s_y, phi]);
        Ok(())
    }
}
