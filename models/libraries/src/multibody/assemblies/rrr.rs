//! Planar assemblies: three revolute joints, or two and a prismatic one.

use super::dyad::{Dyad, FirstRod, Slide, Turn, on_rod, rods, sliding, turning};
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
    ///
    /// The coordinate has two solutions. The text begins with the one nearer to `phi_guess`. The
    /// simulation remains on this branch, also with other start values and lengths; another
    /// `phi_guess` chooses the nearer one. `branch` shows which one it is. Beyond the position in
    /// which both coincide there is no solution, and the evaluation fails.
    pub struct JointRRR = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRR" {
        /// Axis perpendicular to the plane of motion, resolved in frame_a
        n_a: Axis["1"] = Z,
        /// Vector from frame_a to the spherical joint, resolved in frame_ia
        r_rod1_ia "rRod1_ia": [Real; 3]["m", fixed] = X,
        /// Vector from the joint at frame_b to the spherical joint, resolved in frame_ib
        r_rod2_ib "rRod2_ib": [Real; 3]["m", fixed] = [-1.0, 0.0, 0.0],
        ..turn: turning,
        ..power: checked_power,
        ..rods,
        ..on_rod,
    }
}

impl Component for JointRRR {
    fn contribute(p: JointRRRParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rod1 = FirstRod::planar(c, p.n_a, p.r_rod1_ia)?;
        let guide = p.turn.about_axis_of_a(p.n_a);
        Dyad { rod1, r_rod2_ib: p.r_rod2_ib, guide, power: p.power }.contribute(c)
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
    ///
    /// The coordinate has two solutions. The text begins with the one nearer to `s_guess`. The
    /// simulation remains on this branch, also with other start values and lengths; another
    /// `s_guess` chooses the nearer one. `branch` shows which one it is. Beyond the position in
    /// which both coincide there is no solution, and the evaluation fails.
    pub struct JointRRP = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRP" {
        /// Axis perpendicular to the plane of motion, resolved in frame_a
        n_a: Axis["1"] = Z,
        /// Vector from frame_a to the spherical joint, resolved in frame_ia
        r_rod1_ia "rRod1_ia": [Real; 3]["m", fixed] = X,
        /// Vector from the joint at frame_b to the spherical joint, resolved in frame_ib
        r_rod2_ib "rRod2_ib": [Real; 3]["m", fixed] = [-1.0, 0.0, 0.0],
        /// Axis of the joint at frame_b, resolved in frame_b
        n_b: Axis["1"] = [-1.0, 0.0, 0.0],
        ..slide: sliding,
        ..power: checked_power,
        ..rods,
        ..on_rod,
    }
}

impl Component for JointRRP {
    fn contribute(p: JointRRPParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rod1 = FirstRod::planar(c, p.n_a, p.r_rod1_ia)?;
        let guide = p.slide.along(p.n_b);
        Dyad { rod1, r_rod2_ib: p.r_rod2_ib, guide, power: p.power }.contribute(c)
    }
}
