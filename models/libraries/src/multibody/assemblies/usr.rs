//! Universal - spherical - revolute and universal - spherical - prismatic joints.

use super::dyad::{Dyad, FirstRod, Rods, Slide, Turn, frames, rods, sliding, turning};
use crate::multibody::joints::{CheckedPower, checked_power};
use mechanics::declaration::prelude::*;

component! {
    /// Universal - spherical - revolute joint aggregation.
    ///
    /// It closes a loop with a connecting rod in space and a swinging arm in closed form.
    ///
    /// # Equations
    /// Rod 1 has a universal joint at `frame_a`, whose first rotation is about `n1_a`, and ends in
    /// a spherical joint. Rod 2 leads from there to a revolute joint about `n_b` at `frame_b`.
    /// `frame_ia` is fixed to rod 1; `frame_ib` and `frame_im` are fixed to rod 2. The length of
    /// rod 1 determines `phi + phi_offset`. The rods are massless, and there are no states.
    pub struct JointUSR = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointUSR" {
        ..frames,
        /// Axis 1 of universal joint resolved in frame_a
        n1_a: Axis["1"] = Z,
        ..rods: rods,
        /// Axis of the joint at frame_b, resolved in frame_b
        n_b: Axis["1"] = Z,
        ..turn: turning,
        ..power: checked_power,
    }
}

impl Component for JointUSR {
    fn contribute(p: JointUSRParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rod1 = FirstRod::universal(c, ("n1_a", p.n1_a), p.rods.r_rod1_ia)?;
        let guide = p.turn.about(p.n_b);
        Dyad { rod1, r_rod2_ib: p.rods.r_rod2_ib, guide, power: p.power }.contribute(c)
    }
}

component! {
    /// Universal - spherical - prismatic joint aggregation.
    ///
    /// It closes a loop with a connecting rod in space and a slider, such as a piston, in closed
    /// form.
    ///
    /// # Equations
    /// Rod 1 has a universal joint at `frame_a`, whose first rotation is about `n1_a`, and ends in
    /// a spherical joint. Rod 2 leads from there to a prismatic joint along `n_b` at `frame_b`.
    /// `frame_ia` is fixed to rod 1; `frame_ib` and `frame_im` are fixed to rod 2. The length of
    /// rod 1 determines `s + s_offset`. The rods are massless, and there are no states.
    pub struct JointUSP = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointUSP" {
        ..frames,
        /// Axis 1 of universal joint resolved in frame_a
        n1_a: Axis["1"] = Z,
        ..rods: rods,
        /// Axis of the joint at frame_b, resolved in frame_b
        n_b: Axis["1"] = [-1.0, 0.0, 0.0],
        ..slide: sliding,
        ..power: checked_power,
    }
}

impl Component for JointUSP {
    fn contribute(p: JointUSPParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rod1 = FirstRod::universal(c, ("n1_a", p.n1_a), p.rods.r_rod1_ia)?;
        let guide = p.slide.along(p.n_b);
        Dyad { rod1, r_rod2_ib: p.rods.r_rod2_ib, guide, power: p.power }.contribute(c)
    }
}
