//! Damping of the velocity between two frames.

use crate::compile::structure::Twist;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::vector::{dot, scale};

/// Damping between two frames: of the whole relative velocity of their origins, not only along the
/// line between them.
///
/// # Equations
/// With `v_rel = frame_b.v_0 - frame_a.v_0`: force `d v_rel` on `frame_a` and `-d v_rel` on
/// `frame_b`, `lossPower = d v_rel.v_rel`; no torques, and no impulses. As the forces need not lie
/// in one line, angular momentum is not kept.
///
/// # Variables
/// `d` in N.s/m (if zero, a constant); `v_rel` in m/s, in world axes; `lossPower` in W.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Forces.Damping.
#[derive(Clone, Debug)]
pub struct Damping {
    d: f64,
}

ports! {
    /// Ports and variables of a [`Damping`].
    pub struct DampingPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Velocity of `frame_b` relative to `frame_a` in m/s, in world axes.
        v_rel: vector,
        /// Power lost in W.
        loss_power: quantity = "lossPower",
    }
}

impl Damping {
    /// With damping `d` in N.s/m.
    pub fn d(d: f64) -> Self {
        Damping { d }
    }
}

impl OldComponent for Damping {
    type Ports = DampingPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let d = c.amount("d", self.d, "N.s/m", "Damping constant")?;
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.law(move |e| {
            let (r_a, r_b) = (e.pose(a).t, e.pose(b).t);
            let v_rel = r_b.transpose() * e.velocity(b).v - r_a.transpose() * e.velocity(a).v;
            let text = "Velocity of frame_b relative to frame_a, resolved in the world";
            e.vector("v_rel", &v_rel, "m/s", text);
            let force = scale(&v_rel, d);
            e.set_wrench(a, Twist { v: -(r_a * force), ..Twist::zero() });
            e.set_wrench(b, Twist { v: r_b * force, ..Twist::zero() });
            e.set_loss(None, dot(&force, &v_rel));
            Ok(())
        });
        Ok(())
    }
}
