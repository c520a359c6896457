//! An element of 1-D mechanics along the line between two frames, with masses on the line.

use super::line_force::{LineEnds, LineForce, line_ends};
use mechanics::declaration::{group, prelude::*};
use mechanics::scene::Shape;

group! {
    /// The flanges between which an element of 1-D mechanics acts along the line.
    pub struct LineFlanges(line_flanges) {}
    ports {
        /// Flange at frame_a, at rest
        flange_a: TranslationalFlange,
        /// Flange at frame_b, whose position is the distance of the frames
        flange_b: TranslationalFlange,
    }
}

component! {
    /// Line force of a 1-D translational component, with a point mass on the line.
    ///
    /// It puts a spring, a gas force or any drive train of translation between two points in space.
    ///
    /// # Equations
    /// `flange_a.s = 0` and `flange_b.s = length`. The forces of the flanges act along the line:
    /// `e_rel_0 flange_a.f` acts on the parts connected to `frame_a`, and `e_rel_0 flange_b.f` on
    /// those connected to `frame_b`. If only one flange is connected, the force of the other one is
    /// the opposite. The mass is at `lengthFraction` of the distance from `frame_a` to `frame_b`.
    pub struct LineForceWithMass = "Modelica.Mechanics.MultiBody.Forces.LineForceWithMass" {
        /// Mass, a point mass on the line between the frames
        m: Real["kg", >= 0, structural zero] = 0,
        /// Relative position of the mass: 0 at frame_a, 1 at frame_b
        length_fraction "lengthFraction": Real["1", 0..=1, on demand, fixed] = 0.5,
        ..line: line_ends,
        ..line_flanges,
    }
}

impl Component for LineForceWithMass {
    fn contribute(p: LineForceWithMassParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let line = LineForce::new(c, p.line);
        line.mass(c, p.m, p.length_fraction)?;
        line.flanges(c);
        c.shape("frame_a", |nominal| Shape::damper("frame_b", nominal));
        line.publish(c);
        Ok(())
    }
}

component! {
    /// Line force of a 1-D translational component, with two point masses on the line.
    ///
    /// It is a hydraulic cylinder or a shock absorber whose housing and piston have masses.
    ///
    /// # Equations
    /// Those of [`LineForceWithMass`], except for the masses: `m_a` is at the distance `L_a` from
    /// `frame_a`, and `m_b` at the distance `L_b` from `frame_b`, like the centres of mass of a
    /// cylinder and its piston rod.
    pub struct LineForceWithTwoMasses =
        "Modelica.Mechanics.MultiBody.Forces.LineForceWithTwoMasses"
    {
        /// Mass on the line near frame_a, a point mass
        m_a: Real["kg", >= 0, structural zero] = 0,
        /// Mass on the line near frame_b, a point mass
        m_b: Real["kg", >= 0, structural zero] = 0,
        /// Distance of m_a from frame_a
        l_a "L_a": Real["m"] = 0,
        /// Distance of m_b from frame_b
        l_b "L_b": Real["m"] = l_a,
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
        c.shape("frame_a", |nominal| Shape::damper("frame_b", nominal));
        line.publish(c);
        Ok(())
    }
}
