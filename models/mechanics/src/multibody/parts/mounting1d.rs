//! A housing of drive trains on a frame.

use crate::declaration::prelude::*;
use crate::domain::ROTATIONAL;

component! {
    /// Housing of 1-D drive trains that is fixed to a frame.
    ///
    /// # Equations
    /// `flange_b.phi = phi0` relative to `frame_a`, `frame_a.t = -n flange_b.tau`, and
    /// `frame_a.f = 0`. If `driveTrainMechanics3D = false` in the world, the torque does not act on
    /// `frame_a`, which may then be left open.
    pub struct Mounting1D = "Modelica.Mechanics.MultiBody.Parts.Mounting1D" {
        /// Fixed angle of the housing
        phi0: Real["rad", fixed] = 0,
        /// Axis of rotation resolved in frame_a; its length scales the torque
        n: Vector3["1", fixed] = X,
    }
    ports {
        /// Flange of the housing
        flange_b: Flange,
        /// Frame to which the housing is fixed
        frame_a: Frame,
    }
}

impl Component for Mounting1D {
    fn contribute(p: Mounting1DParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let flange = c.flange(&ROTATIONAL, "flange_b");
        let constraint = c.linear(&[(flange, Ex::one())], p.phi0);
        let frame = c.optional_frame("frame_a");
        c.support_reaction(constraint, frame, p.n);
        Ok(())
    }
}
