//! A linear spring and damper in series between two frames.

use super::line_force::{LineForce, S_SMALL, Tension};
use super::node::{Nodes, node_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::{ports, setters};
use equations::Ex;

/// Linear spring and linear damper in series between two frames.
///
/// # Equations
/// `f = c (s - s_unstretched - s_damper)`, `d der(s_damper) = f`, along the line between the
/// frames; `s` is its length, but not less than `s_small`; `lossPower = f der(s_damper)`.
///
/// # Variables
/// `c` in N/m (if zero, a constant), `d` in N.s/m, positive, `s_unstretched` in m, default 0,
/// `s_small` in m, default 1e-10; the state `s_damper` in m, the length of the damper, which is
/// `s_damper_start` (default 0) at the start; `f` in N, positive if stretched; `length`, `s`,
/// `r_rel_0` in m, `e_rel_0` without unit; `lossPower` in W.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.SpringDamperSeries.
#[derive(Clone, Debug)]
pub struct SpringDamperSeries {
    c: f64,
    d: f64,
    s_unstretched: f64,
    s_damper_start: f64,
    s_small: f64,
    nodes: Nodes,
}

ports! {
    /// Ports and variables of a [`SpringDamperSeries`].
    pub struct SpringDamperSeriesPorts {
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
        /// Length of the damper in m.
        s_damper: quantity,
        /// Power lost in W.
        loss_power: quantity = "lossPower",
    }
}

impl SpringDamperSeries {
    /// With stiffness `c` in N/m and damping `d` in N.s/m, unstretched at length zero.
    pub fn c_d(c: f64, d: f64) -> Self {
        SpringDamperSeries {
            c,
            d,
            s_unstretched: 0.0,
            s_damper_start: 0.0,
            s_small: S_SMALL,
            nodes: Nodes::default(),
        }
    }
}

node_setters!(SpringDamperSeries);

setters! {
    impl SpringDamperSeries {
        /// Unstretched length of the spring in m.
        s_unstretched: f64,
        /// Length of the damper in m at the start.
        s_damper_start: f64,
        /// Length in m below which the element has no definite direction.
        s_small: f64,
    }
}

impl OldComponent for SpringDamperSeries {
    type Ports = SpringDamperSeriesPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let stiffness = c.amount("c", self.c, "N/m", "Spring constant")?;
        let d = c.positive("d", self.d, "N.s/m", "Damping constant")?;
        let text = "Unstretched length of the spring";
        let unstretched = c.value("s_unstretched", self.s_unstretched, "m", text)?;
        c.finite("s_damper_start", self.s_damper_start, "m")?;
        let name = c.full("s_damper");
        let state = c.model.state(&name, self.s_damper_start).unit("m");
        let s_damper: Ex = state.describe("Length of the damper").done();
        LineForce::new(c, self.s_small, &self.nodes)?.law(c, move |e, line| {
            let stretch = line.s - unstretched - s_damper;
            let f = stiffness * stretch;
            let speed = f / d;
            e.define("s_damper", s_damper);
            e.model().derivative(s_damper, speed);
            let energy = stiffness * stretch.square() * 0.5;
            Ok(Tension { f, energy, loss_power: Some(f * speed) })
        });
        Ok(())
    }
}
