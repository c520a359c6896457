//! A linear spring between two frames.

use super::line_force::{LineForce, S_SMALL, Tension, point_mass};
use super::node::{Nodes, node_setters};
use crate::component::{Contribution, OldComponent};
use crate::declaration::Real;
use crate::error::Error;
use crate::{ports, setters};

/// Linear translational spring between two frames.
///
/// # Equations
/// `f = c (s - s_unstretched)` along the line between the frames; `s` is its length, but not less
/// than `s_small`. A point mass `m` moves with the line, at `lengthFraction` of the way from
/// `frame_a` to `frame_b`.
///
/// # Variables
/// `c` in N/m (if zero, a constant), `s_unstretched` in m, default 0, `s_small` in m, default
/// 1e-10; `m` in kg, default 0, `lengthFraction` without unit, default 0.5; `f` in N, positive if
/// stretched; `length`, `s`, `r_rel_0` in m, `e_rel_0` without unit.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.Spring.
#[derive(Clone, Debug)]
pub struct Spring {
    c: Real,
    s_unstretched: f64,
    s_small: f64,
    m: f64,
    length_fraction: f64,
    nodes: Nodes,
}

ports! {
    /// Ports and variables of a [`Spring`].
    pub struct SpringPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
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
    }
}

impl Spring {
    /// With stiffness `c` in N/m, unstretched at length zero.
    pub fn c(c: impl Into<Real>) -> Self {
        Spring {
            c: c.into(),
            s_unstretched: 0.0,
            s_small: S_SMALL,
            m: 0.0,
            length_fraction: 0.5,
            nodes: Nodes::default(),
        }
    }
}

node_setters!(Spring);

setters! {
    impl Spring {
        /// Unstretched length in m.
        s_unstretched: f64,
        /// Length in m below which the spring has no definite direction.
        s_small: f64,
        /// Mass of the spring in kg, a point.
        m: f64,
        /// Where the mass is: 0 at `frame_a`, 1 at `frame_b`.
        length_fraction: f64,
    }
}

impl OldComponent for Spring {
    type Ports = SpringPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let stiffness = c.amount_or_unknown("c", self.c, "N/m", "Spring constant")?;
        let text = "Unstretched length of the spring";
        let unstretched = c.value("s_unstretched", self.s_unstretched, "m", text)?;
        let line = LineForce::new(c, self.s_small, &self.nodes)?;
        let (mass, fraction) = point_mass(c, self.m, self.length_fraction)?;
        line.mass(c, mass, fraction);
        line.law(c, move |_, line| {
            let stretch = line.s - unstretched;
            let energy = stiffness * stretch.square() * 0.5;
            Ok(Tension { f: stiffness * stretch, energy, loss_power: None })
        });
        Ok(())
    }
}
