//! Spherical - spherical - revolute and spherical - spherical - prismatic joints.

use super::dyad::{Dyad, FirstRod, Slide, Turn, rods, sliding, turning};
use crate::multibody::joints::{CheckedPower, checked_power};
use mechanics::declaration::prelude::*;

component! {
    /// Spherical - spherical - revolute joint aggregation with mass.
    ///
    /// It closes a loop with a rod between ball joints and a swinging arm, such as a wheel
    /// suspension, in closed form.
    ///
    /// # Equations
    /// Rod 1 has spherical joints at both ends, the first one at `frame_a`, and a point mass
    /// `rod1Mass` in its middle. Rod 2 leads from the second spherical joint to a revolute joint
    /// about `n_b` at `frame_b`. `frame_ib` and `frame_im` are fixed to rod 2. The length of rod 1
    /// determines `phi + phi_offset`, so there are no states.
    ///
    /// The coordinate has two solutions. The text begins with the one nearer to `phi_guess`. The
    /// simulation remains on this branch, also with other start values and lengths; another
    /// `phi_guess` chooses the nearer one. `branch` shows which one it is. Beyond the position in
    /// which both coincide there is no solution, and the evaluation fails.
    pub struct JointSSR = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointSSR" {
        /// Length of rod (distance between the spherical joints)
        rod1_length "rod1Length": Real["m", > 0, fixed],
        /// Mass of rod 1, a point mass in its middle
        rod1_mass "rod1Mass": Real["kg", >= 0, structural zero] = 0,
        /// Vector from the joint at frame_b to the spherical joint, resolved in frame_ib
        r_rod2_ib "rRod2_ib": [Real; 3]["m", fixed] = X,
        /// Axis of the joint at frame_b, resolved in frame_b
        n_b: Axis["1"] = Z,
        ..turn: turning,
        ..power: checked_power,
        ..rods,
    }
}

impl Component for JointSSR {
    fn contribute(p: JointSSRParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rod1 = FirstRod::Spherical { length: p.rod1_length, mass: p.rod1_mass };
        let guide = p.turn.about(p.n_b);
        Dyad { rod1, r_rod2_ib: p.r_rod2_ib, guide, power: p.power }.contribute(c)
    }
}

component! {
    /// Spherical - spherical - prismatic joint aggregation with mass.
    ///
    /// It closes a loop with a rod between ball joints and a slider, such as the drive of a swash
    /// plate, in closed form.
    ///
    /// # Equations
    /// Rod 1 has spherical joints at both ends, the first one at `frame_a`, and a point mass
    /// `rod1Mass` in its middle. Rod 2 leads from the second spherical joint to a prismatic joint
    /// along `n_b` at `frame_b`. `frame_ib` and `frame_im` are fixed to rod 2. The length of rod 1
    /// determines `s + s_offset`, so there are no states.
    ///
    /// The coordinate has two solutions. The text begins with the one nearer to `s_guess`. The
    /// simulation remains on this branch, also with other start values and lengths; another
    /// `s_guess` chooses the nearer one. `branch` shows which one it is. Beyond the position in
    /// which both coincide there is no solution, and the evaluation fails.
    ///
    /// The whole reaction of the mass acts on the prismatic joint; the formula of the Modelica
    /// Standard Library for the force in the rod leaves it out at this joint.
    pub struct JointSSP = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointSSP" {
        /// Length of rod (distance between the spherical joints)
        rod1_length "rod1Length": Real["m", > 0, fixed],
        /// Mass of rod 1, a point mass in its middle
        rod1_mass "rod1Mass": Real["kg", >= 0, structural zero] = 0,
        /// Vector from the joint at frame_b to the spherical joint, resolved in frame_ib
        r_rod2_ib "rRod2_ib": [Real; 3]["m", fixed] = X,
        /// Axis of the joint at frame_b, resolved in frame_b
        n_b: Axis["1"] = Z,
        ..slide: sliding,
        ..power: checked_power,
        ..rods,
    }
}

impl Component for JointSSP {
    fn contribute(p: JointSSPParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rod1 = FirstRod::Spherical { length: p.rod1_length, mass: p.rod1_mass };
        let guide = p.slide.along(p.n_b);
        Dyad { rod1, r_rod2_ib: p.r_rod2_ib, guide, power: p.power }.contribute(c)
    }
}
