//! Cylindrical joint.

use super::rotation::{Rotation, rotation};
use super::slide;
use crate::multibody::parts::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::scene::{Shape, ShapeType};
use mechanics::vector::constant;

component! {
    /// Cylindrical joint: a translation along an axis and a rotation about it.
    ///
    /// A drill and a gear selector are examples: shafts that turn and slide in a bush.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0 + R' e s` with `e = n / |n|`. `frame_b` is rotated by `phi` about
    /// `n`, which is the same in both frames. There is no force along `n` and no torque about it.
    pub struct Cylindrical = "Modelica.Mechanics.MultiBody.Joints.Cylindrical" {
        /// Axis of the cylinder resolved in frame_a
        n: Axis["1"] = X,
        /// Start value of the distance
        s: Start["m"] = free(),
        /// Start value of the velocity
        v: Start["m/s"] = free(),
        /// Initial acceleration; used only if it is fixed
        a: Start["m/s2"] = free(),
        ..rotation: rotation,
        /// Preference of `s`, `v`, `phi` and `w` as states
        states: StateSelect = Prefer,
        ..two_frames,
    }
    variables {
        /// Distance between frame_a and frame_b along n
        s: Real["m"],
        /// First derivative of s
        v: Real["m/s"],
        /// Second derivative of s
        a: Real["m/s2"],
    }
}

impl Component for Cylindrical {
    fn contribute(p: CylindricalParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let e = constant(p.n);
        c.shape("frame_a", |nominal| Shape::slide(ShapeType::Cylinder, &e, "s", nominal));
        let s = slide(c, p.n, ["s", "v", "a"], [p.s, p.v, p.a], p.states);
        let phi = p.rotation.about(p.n, p.states, c);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, &[s, phi]);
        Ok(())
    }
}
