//! Planar assemblies: three revolute joints, or two and a prismatic one.

use super::dyad::{Dyad, FirstRod, Rods, Slide, Turn, frames, rods, sliding, turning};
use crate::multibody::joints::{CheckedPower, checked_power};
use mechanics::declaration::prelude::*;

component! {
    /// Planar revolute - revolute - revolute joint aggregation.
    ///
    /// It closes a planar loop with two rods, such as a four-bar linkage, in closed form.
    ///
    /// # Equations
    /// Rod 1 rotates about `n_a` at `frame_a`, rod 2 rotates about the same direction at `frame_b`,
    /// and a joint between the rods has this axis too. `frame_ia` is fixed to rod 1; `frame_ib` and
    /// `frame_im` are fixed to rod 2. Internally the middle joint is spherical and the joint at
    /// `frame_a` is universal, so that no equation is redundant. The other parts of the model must
    /// therefore constrain the frames to a plane perpendicular to `n_a`. The axis in `frame_b`
    /// follows from the start values. The rods are massless, and there are no states.
    pub struct JointRRR = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRR" {
        ..frames,
        /// Axis perpendicular to the plane of motion, resolved in frame_a
        n_a: Axis["1"] = Z,
        ..rods: rods,
        ..turn: turning,
        ..power: checked_power,
    }
}

impl Component for JointRRR {
    fn contribute(p: JointRRRParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rod1 = FirstRod::planar(c, p.n_a, p.rods.r_rod1_ia)?;
        let guide = p.turn.about_axis_of_a(p.n_a);
        Dyad { rod1, r_rod2_ib: p.rods.r_rod2_ib, guide, power: p.power }.contribute(c)
    }
}

component! {
    /// Planar revolute - revolute - prismatic joint aggregation.
    ///
    /// It closes a planar loop with a slider, such as a crank-slider mechanism, in closed form.
    ///
    /// # Equations
    /// Rod 1 rotates about `n_a` at `frame_a`, and about the same direction relative to rod 2. Rod
    /// 2 slides along `n_b`, which is perpendicular to `n_a`, at `frame_b`. `frame_ia` is fixed to
    /// rod 1; `frame_ib` and `frame_im` are fixed to rod 2. Internally the middle joint is
    /// spherical and the joint at `frame_a` is universal, so that no equation is redundant. The
    /// other parts of the model must therefore constrain the frames to a plane perpendicular to
    /// `n_a`. The rods are massless, and there are no states.
    pub struct JointRRP = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRP" {
        ..frames,
        /// Axis perpendicular to the plane of motion, resolved in frame_a
        n_a: Axis["1"] = Z,
        ..rods: rods,
        /// Axis of the joint at frame_b, resolved in frame_b
        n_b: Axis["1"] = [-1.0, 0.0, 0.0],
        ..slide: sliding,
        ..power: checked_power,
    }
}

impl Component for JointRRP {
    fn contribute(p: JointRRPParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rod1 = FirstRod::planar(c, p.n_a, p.rods.r_rod1_ia)?;
        let guide = p.slide.along(p.n_b);
        Dyad { rod1, r_rod2_ib: p.rods.r_rod2_ib, guide, power: p.power }.contribute(c)
    }
}
