//! An element of 1-D mechanics along the line between two frames, with masses on the line.

use super::line_force::{LineEnds, LineForce, line_ends};
use super::node::Node;
use crate::declaration::{group, prelude::*};

group! {
    /// The flanges between which an element of 1-D mechanics acts along the line.
    pub struct LineFlanges(line_flanges) {}
    ports {
        /// Flange at frame_a, at rest
        flange_a: TranslationalFlange,
        /// Flange at frame_b: its position is the distance of the frames
        flange_b: TranslationalFlange,
    }
}

component! {
    /// Line force that an element of 1-D mechanics gives, with a point mass on the line.
    ///
    /// # Equations
    /// `flange_a.s = 0`, `flange_b.s = length`. The forces of the flanges act along the line: what
    /// is connected to `frame_a` feels `e_rel_0 flange_a.f`, what is connected to `frame_b` feels
    /// `e_rel_0 flange_b.f`; if only one flange is in use, the force of the other is the opposite.
    /// The mass is at `lengthFraction` of the way from `frame_a` to `frame_b`.
    pub struct LineForceWithMass = "Modelica.Mechanics.MultiBody.Forces.LineForceWithMass" {
        /// Mass, a point on the line between the frames
        m: Amount["kg"],
        /// Where the mass is: 0 at frame_a, 1 at frame_b
        length_fraction "lengthFraction": Real["1", 0..=1, fixed] = 0.5,
        ..line: line_ends,
        ..line_flanges,
    }
}

impl Component for LineForceWithMass {
    fn contribute(p: LineForceWithMassParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let line = LineForce::new(c, p.line);
        line.mass(c, p.m, p.length_fraction);
        line.flanges(c);
        line.publish(c);
        Ok(())
    }
}

component! {
    /// Line force that an element of 1-D mechanics gives, with two point masses on the line.
    ///
    /// # Equations
    /// As in [`LineForceWithMass`], but for the masses: `m_a` at the distance `L_a` from `frame_a`,
    /// `m_b` at the distance `L_b` from `frame_b`, like the centres of mass of a cylinder and its
    /// piston rod.
    pub struct LineForceWithTwoMasses =
        "Modelica.Mechanics.MultiBody.Forces.LineForceWithTwoMasses"
    {
        /// Mass on the line near frame_a, a point
        m_a: Amount["kg"],
        /// Mass on the line near frame_b, a point
        m_b: Amount["kg"],
        /// Distance of the mass m_a from frame_a
        l_a "L_a": Real["m"] = 0,
        /// Distance of the mass m_b from frame_b
        l_b "L_b": Real["m"] = 0,
        ..line: line_ends,
        ..line_flanges,
    }
}

impl Component for LineForceWithTwoMasses {
    fn contribute(
        p: LineForceWithTwoMassesParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let line = LineForce::new(c, p.line);
        line.mass_at(c, p.m_a, p.l_a, false);
        line.mass_at(c, p.m_b, p.l_b, true);
        line.flanges(c);
        line.publish(c);
        Ok(())
    }
}
