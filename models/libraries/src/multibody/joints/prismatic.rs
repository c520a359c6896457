//! Prismatic joint.

use super::{flanges, slide};
use mechanics::declaration::prelude::*;
use mechanics::domain::TRANSLATIONAL;
use mechanics::scene::{Shape, ShapeType};
use mechanics::vector::constant;

component! {
    /// Prismatic joint: one translation along an axis.
    ///
    /// It guides a slide, a piston, a drawer or an elevator; a drive train may move it.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0 + R' e s` with `e = n / |n|`, no relative rotation, `v = der(s)`,
    /// `a = der(v)`. The force along `n` is that of the flange `axis`.
    pub struct Prismatic = "Modelica.Mechanics.MultiBody.Joints.Prismatic" {
        /// Axis of translation resolved in frame_a
        n: Axis["1"] = X,
        /// Start value of the distance
        s: Start["m"] = free(),
        /// Start value of the velocity
        v: Start["m/s"] = free(),
        /// Initial acceleration; used only if it is fixed
        a: Start["m/s2"] = free(),
        /// Preference of `s` and `v` as states
        states: StateSelect = Prefer,
    }
    ports {
        /// Frame on the first side
        frame_a: Frame,
        /// Frame on the second side
        frame_b: Frame,
        /// Flange that moves with the joint; if it is open, there is no force along n
        axis: TranslationalFlange,
        /// Flange of the joint's housing; its force does not act on `frame_a`
        support: TranslationalFlange,
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

impl Component for Prismatic {
    fn contribute(p: PrismaticParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", |nominal| Shape::slide(ShapeType::Box, &constant(p.n), "s", nominal));
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let s = slide(c, p.n, ["s", "v", "a"], [p.s, p.v, p.a], p.states);
        c.joint(a, b, &[s]);
        flanges(c, &TRANSLATIONAL, "support", s);
        Ok(())
    }
}
