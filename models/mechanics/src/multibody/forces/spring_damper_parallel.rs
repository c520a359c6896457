//! A linear spring and damper in parallel between two frames.

use super::line_force::{LineForce, S_SMALL, Tension};
use super::node::{Nodes, node_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::{ports, setters};

/// Linear spring and linear damper in parallel between two frames.
///
/// # Equations
/// `f = c (s - s_unstretched) + f_d` with `f_d = d der(s)`, along the line between the frames; `s`
/// is its length, but not less than `s_small`; `lossPower = f_d der(s)`.
///
/// # Variables
/// `c` in N/m, `d` in N.s/m, default 0 (if zero, constants), `s_unstretched` in m, default 0,
/// `s_small` in m, default 1e-10; `f`, `f_d` in N, positive if they pull the frames towards each
/// other; `length`, `s`, `r_rel_0` in m, `e_rel_0` without unit; `lossPower` in W.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.SpringDamperParallel.
#[derive(Clone, Debug)]
pub struct SpringDamperParallel {
    c: f64,
    d: f64,
    s_unstretched: f64,
    s_small: f64,
    nodes: Nodes,
}

ports! {
    /// Ports and variables of a [`SpringDamperParallel`].
    pub struct SpringDamperParallelPorts {
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
        /// Part of the force that the damper has, in N.
        f_d: quantity,
        /// Power lost in W.
        loss_power: quantity = "lossPower",
    }
}

impl SpringDamperParallel {
    /// With stiffness `c` in N/m and damping `d` in N.s/m, unstretched at length zero.
    pub fn c_d(c: f64, d: f64) -> Self {
        SpringDamperParallel { c, d, s_unstretched: 0.0, s_small: S_SMALL, nodes: Nodes::default() }
    }
}

node_setters!(SpringDamperParallel);

setters! {
    impl SpringDamperParallel {
        /// Unstretched length in m.
        s_unstretched: f64,
        /// Length in m below which the element has no definite direction.
        s_small: f64,
    }
}

impl OldComponent for SpringDamperParallel {
    type Ports = SpringDamperParallelPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let stiffness = c.amount("c", self.c, "N/m", "Spring constant")?;
        let d = c.amount("d", self.d, "N.s/m", "Damping constant")?;
        let text = "Unstretched length of the spring";
        let unstretched = c.value("s_unstretched", self.s_unstretched, "m", text)?;
        LineForce::new(c, self.s_small, &self.nodes)?.law(c, move |e, line| {
            let stretch = line.s - unstretched;
            let f_d = d * line.speed;
            e.variable("f_d", f_d).unit("N").describe("Damping force");
            Ok(Tension {
                f: stiffness * stretch + f_d,
                energy: stiffness * stretch.square() * 0.5,
                loss_power: Some(f_d * line.speed),
            })
        });
        Ok(())
    }
}
