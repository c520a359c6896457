//! An element of 1-D mechanics along the line between two frames, with a mass on the line.

use super::line_force::{LineForce, S_SMALL, point_mass};
use super::node::{Nodes, node_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::{ports, setters};

/// Line force that an element of 1-D mechanics gives, with a point mass on the line.
///
/// # Equations
/// `flange_a.s = 0`, `flange_b.s = length`. The forces of the flanges act along the line:
/// what is connected to `frame_a` feels `e_rel_0 flange_a.f`, what is connected to `frame_b` feels
/// `e_rel_0 flange_b.f`; if only one flange is in use, the force of the other is
/// the opposite. The mass is at `lengthFraction` of the way from `frame_a` to `frame_b`.
///
/// # Variables
/// `m` in kg, `lengthFraction` without unit, default 0.5, `s_small` in m, default 1e-10; `length`,
/// `s`, `r_rel_0` in m, `e_rel_0` without unit.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.LineForceWithMass.
#[derive(Clone, Debug)]
pub struct LineForceWithMass {
    m: f64,
    length_fraction: f64,
    s_small: f64,
    nodes: Nodes,
}

ports! {
    /// Ports and variables of a [`LineForceWithMass`].
    pub struct LineForceWithMassPorts {
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

impl LineForceWithMass {
    /// With a mass in kg, in the middle of the line.
    pub fn m(m: f64) -> Self {
        let (length_fraction, s_small) = (0.5, S_SMALL);
        LineForceWithMass { m, length_fraction, s_small, nodes: Nodes::default() }
    }
}

node_setters!(LineForceWithMass);

setters! {
    impl LineForceWithMass {
        /// Where the mass is: 0 at `frame_a`, 1 at `frame_b`.
        length_fraction: f64,
        /// Length in m below which the line has no definite direction.
        s_small: f64,
    }
}

impl OldComponent for LineForceWithMass {
    type Ports = LineForceWithMassPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let line = LineForce::new(c, self.s_small, &self.nodes)?;
        let (mass, fraction) = point_mass(c, self.m, self.length_fraction)?;
        line.mass(c, mass, fraction);
        line.flanges(c);
        line.publish(c);
        Ok(())
    }
}
