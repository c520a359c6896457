//! A gear whose flanges have different axes and whose housing moves in space.

use crate::interfaces::two_flanges;
use mechanics::declaration::prelude::*;
use mechanics::domain::ROTATIONAL;

component! {
    /// Gear between two axes of a frame on which its housing is fixed.
    ///
    /// It turns the axis of a drive train on a moving part, as in the wrist of a robot.
    ///
    /// # Equations
    /// `flange_a.phi = ratio flange_b.phi`, where both angles are relative to `frame_a`, and
    /// `0 = ratio flange_a.tau + flange_b.tau`. With `e_a = n_a / |n_a|` and `e_b = n_b / |n_b|`,
    /// `frame_a.t = -flange_a.tau e_a - flange_b.tau e_b` and `frame_a.f = 0`. If
    /// `driveTrainMechanics3D = false` in the world, the torques do not act on `frame_a`, which may
    /// then be left open.
    pub struct BevelGear1D = "Modelica.Mechanics.MultiBody.Parts.BevelGear1D" {
        /// Transmission ratio (flange_a.phi / flange_b.phi)
        ratio: Real["1", != 0, fixed],
        /// Axis of flange_a resolved in frame_a
        n_a: Axis["1"] = X,
        /// Axis of flange_b resolved in frame_a
        n_b: Axis["1"] = X,
    }
    ports {
        /// Left flange
        flange_a: Flange,
        /// Right flange
        flange_b: Flange,
        /// Frame to which the housing is fixed
        frame_a: Frame,
    }
}

impl Component for BevelGear1D {
    fn contribute(p: BevelGear1DParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = two_flanges(c, &ROTATIONAL);
        let constraint = c.linear(&[(a, Ex::one()), (b, -p.ratio)], Ex::zero());
        let frame = c.optional_frame("frame_a");
        c.support_reaction(constraint, frame, &[p.n_a, p.n_b]);
        Ok(())
    }
}
