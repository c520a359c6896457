//! Spherical - spherical - revolute and spherical - spherical - prismatic joints.

use super::dyad::{Dyad, Slide, SphericalRods, Turn, frames, sliding, spherical_rods, turning};
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
    pub struct JointSSR = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointSSR" {
        ..frames,
        ..rods: spherical_rods,
        /// Axis of the joint at frame_b, resolved in frame_b
        n_b: Axis["1"] = Z,
        ..turn: turning,
        ..power: checked_power,
    }
}

impl Component for JointSSR {
    fn contribute(p: JointSSRParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let guide = p.turn.about(p.n_b);
        Dyad { rod1: p.rods.first(), r_rod2_ib: p.rods.r_rod2_ib, guide, power: p.power }
            .contribute(c)
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
    /// The whole reaction of the mass acts on the prismatic joint; the formula of the Modelica
    /// Standard Library for the force in the rod leaves it out at this joint.
    pub struct JointSSP = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointSSP" {
        ..frames,
        ..rods: spherical_rods,
        /// Axis of the joint at frame_b, resolved in frame_b
        n_b: Axis["1"] = Z,
        ..slide: sliding,
        ..power: checked_power,
    }
}

impl Component for JointSSP {
    fn contribute(p: JointSSPParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let guide = p.slide.along(p.n_b);
        Dyad { rod1: p.rods.first(), r_rod2_ib: p.rods.r_rod2_ib, guide, power: p.power }
            .contribute(c)
    }
}
