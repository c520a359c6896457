//! An element of 1-D mechanics along the line between two frames, with two masses on the line.

use super::line_force::{LineForce, S_SMALL};
use super::node::{Nodes, node_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::{ports, setters};

/// Line force that an element of 1-D mechanics gives, with two point masses on the line.
///
/// # Equations
/// As in [`LineForceWithMass`](super::LineForceWithMass), but for the masses: `m_a` at the distance
/// `L_a` from `frame_a`, `m_b` at the distance `L_b` from `frame_b`, like the centres of mass of a
/// cylinder and its piston rod.
///
/// # Variables
/// `m_a`, `m_b` in kg, `L_a`, `L_b` in m, default 0, `s_small` in m, default 1e-10; `length`,
/// `s`, `r_rel_0` in m, `e_rel_0` without unit.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.LineForceWithTwoMasses.
#[derive(Clone, Debug)]
pub struct LineForceWithTwoMasses {
    m_a: f64,
    m_b: f64,
    l_a: f64,
    l_b: f64,
    s_small: f64,
    nodes: Nodes,
}

ports! {
    /// Ports and variables of a [`LineForceWithTwoMasses`].
    pub struct LineForceWithTwoMassesPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Flange at `frame_a`, at rest.
        flange_a: translational_flange,
        /// Flange at `frame_b`: its position is the distance of the frames.
        flange_b: translational_flange,
        /// Distance of the frames in m.
        length: quantity,
        /// Distance of the frames in m, not less than `s_small`.
        s: quantity,
        /// From `frame_a` to `frame_b` in m, in world axes.
        r_rel_0: vector,
        /// Direction from `frame_a` to `frame_b`, in world axes.
        e_rel_0: vector,
    }
}

impl LineForceWithTwoMasses {
    /// With masses in kg at the frames.
    pub fn m_a_m_b(m_a: f64, m_b: f64) -> Self {
        let (l_a, l_b, s_small) = (0.0, 0.0, S_SMALL);
        LineForceWithTwoMasses { m_a, m_b, l_a, l_b, s_small, nodes: Nodes::default() }
    }

    /// Distances of the masses from `frame_a` and `frame_b` in m.
    #[must_use]
    pub fn l_a_l_b(self, l_a: f64, l_b: f64) -> Self {
        LineForceWithTwoMasses { l_a, l_b, ..self }
    }
}

node_setters!(LineForceWithTwoMasses);

setters! {
    impl LineForceWithTwoMasses {
        /// Length in m below which the line has no definite direction.
        s_small: f64,
    }
}

impl OldComponent for LineForceWithTwoMasses {
    type Ports = LineForceWithTwoMassesPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let line = LineForce::new(c, self.s_small, &self.nodes)?;
        let m_a = c.amount("m_a", self.m_a, "kg", "Mass on the line near frame_a, a point")?;
        let m_b = c.amount("m_b", self.m_b, "kg", "Mass on the line near frame_b, a point")?;
        let l_a = c.value("L_a", self.l_a, "m", "Distance of the mass m_a from frame_a")?;
        let l_b = c.value("L_b", self.l_b, "m", "Distance of the mass m_b from frame_b")?;
        line.mass_at(c, m_a, l_a, false);
        line.mass_at(c, m_b, l_b, true);
        line.flanges(c);
        line.publish(c);
        Ok(())
    }
}
