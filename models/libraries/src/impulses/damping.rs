//! Damping of the velocity between two frames.

use crate::multibody::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;
use mechanics::statements::spatial::wrench::Wrench;
use mechanics::vector::{dot, scale};

component! {
    /// Damping of the whole relative velocity of two frame origins, not only along the line between
    /// them.
    ///
    /// It describes a viscous medium, such as a bath of oil, between two parts.
    ///
    /// # Equations
    /// With `v_rel = frame_b.v_0 - frame_a.v_0`, the force `d v_rel` acts on `frame_a` and
    /// `-d v_rel` acts on `frame_b`; `lossPower = d v_rel.v_rel`. There are no torques and no
    /// impulses. Because the forces need not have the same line of action, angular momentum is not
    /// conserved.
    pub struct Damping = "MultiBondLib.Mechanics3DwithImpulses.Forces.Damping" {
        /// Damping constant
        d: Real["N.s/m", >= 0, structural zero],
        ..two_frames,
    }
    variables {
        /// Velocity of frame_b relative to frame_a, resolved in the world
        v_rel: Vector["m/s"],
        /// Power that leaves the mechanics as heat
        loss_power "lossPower": Real["W"],
    }
}

impl Component for Damping {
    fn contribute(p: DampingParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.shape("frame_a", |nominal| Shape::damper("frame_b", nominal));
        c.law(move |e| {
            let (r_a, r_b) = (e.pose(a).t, e.pose(b).t);
            let v_rel = r_b.transpose() * e.velocity(b).v - r_a.transpose() * e.velocity(a).v;
            e.publish("v_rel", &v_rel);
            let force = scale(&v_rel, p.d);
            e.set_wrench(a, Wrench::of_force(-(r_a * force)));
            e.set_wrench(b, Wrench::of_force(r_b * force));
            e.set_loss(None, dot(&force, &v_rel));
            Ok(())
        });
        Ok(())
    }
}
