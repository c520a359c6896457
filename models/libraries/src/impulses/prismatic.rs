//! Prismatic joint.

use super::init::{InitType, States, states};
use crate::multibody::slide;
use crate::multibody::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::scene::{Shape, ShapeType};
use mechanics::vector::{constant, scale};

component! {
    /// Prismatic joint: one translation along an axis.
    ///
    /// It guides a slide, a piston or a carriage in a model with impacts.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0 + R' e (s + s_offset)` with `e = n / |n|`, no relative rotation,
    /// `v = der(s)`, `a = der(v)`. There is no force and no impulse along `n`. Impulses act with
    /// the lever arm `s + s_offset`.
    pub struct Prismatic = "MultiBondLib.Mechanics3DwithImpulses.Joints.Prismatic" {
        /// Axis of translation resolved in frame_a
        n: Axis["1"] = X,
        /// Offset: the distance of the frames is s + s_offset
        s_offset: Real["m", structural zero, fixed] = 0,
        /// Start value of the distance
        s_start?: Real["m", structural],
        /// Start value of the velocity
        v_start?: Real["m/s", structural],
        /// Initial acceleration
        a_start?: Real["m/s2", structural],
        ..states: states,
        ..two_frames,
    }
    variables {
        /// Distance from frame_a to frame_b along n, without s_offset
        s: Real["m"],
        /// First derivative of s
        v: Real["m/s"],
        /// Second derivative of s
        a: Real["m/s2"],
    }
}

impl Component for Prismatic {
    fn contribute(p: PrismaticParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", |nominal| {
            let slide = Shape::slide(ShapeType::Box, &constant(p.n), "s", nominal);
            Shape { r_shape: scale(&constant(p.n), p.s_offset), ..slide }
        });
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let starts = p.states.init_type.starts([p.s_start, p.v_start, p.a_start]);
        let select = p.states.select();
        let joint = slide(c, p.n, ["s", "v", "a"], starts, select);
        c.offset(joint, p.s_offset);
        c.joint(a, b, &[joint]);
        p.states.apply_to(c, &[joint]);
        Ok(())
    }
}
