//! A linear damper between two frames.

use super::line_force::{LineForce, S_SMALL, Tension};
use super::node::{Nodes, node_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::{ports, setters};
use equations::Ex;

/// Linear translational damper between two frames.
///
/// # Equations
/// `f = d der(s)` along the line between the frames; `s` is its length, but not less than
/// `s_small`; `lossPower = f der(s)`.
///
/// # Variables
/// `d` in N.s/m (if zero, a constant), `s_small` in m, default 1e-10; `f` in N, positive if the
/// frames move apart; `length`, `s`, `r_rel_0` in m, `e_rel_0` without unit; `lossPower` in W.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.Damper.
#[derive(Clone, Debug)]
pub struct Damper {
    d: f64,
    s_small: f64,
    nodes: Nodes,
}

ports! {
    /// Ports and variables of a [`Damper`].
    pub struct DamperPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Distance of the frames in m.
        length: quantity,
        /// Distance of the frames in m, not less than `s_small`.
        s: quantity,
        /// From `frame_a` to `frame_b` in m, in world axes.
        r_rel_0: vector,
        /// Direction from `frame_a` to `frame_b`, in world axes.
        e_rel_0: vector,
        /// Force in N; positive pulls the frames towards each other.
        f: quantity,
        /// Power lost in W.
        loss_power: quantity = "lossPower",
    }
}

impl Damper {
    /// With damping `d` in N.s/m.
    pub fn d(d: f64) -> Self {
        Damper { d, s_small: S_SMALL, nodes: Nodes::default() }
    }
}

node_setters!(Damper);

setters! {
    impl Damper {
        /// Length in m below which the damper has no definite direction.
        s_small: f64,
    }
}

impl OldComponent for Damper {
    type Ports = DamperPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let d = c.amount("d", self.d, "N.s/m", "Damping constant")?;
        LineForce::new(c, self.s_small, &self.nodes)?.law(c, move |_, line| {
            let f = d * line.speed;
            Ok(Tension { f, energy: Ex::zero(), loss_power: Some(f * line.speed) })
        });
        Ok(())
    }
}
