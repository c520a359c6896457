//! A housing of drive trains on a frame.

use mechanics::declaration::prelude::*;
use mechanics::domain::ROTATIONAL;

component! {
    /// Housing of 1-D drive trains that is fixed to a frame.
    ///
    /// It carries a motor or a gearbox on a moving part, which then takes their reactions.
    ///
    /// # Equations
    /// `flange_b.phi = phi0` relative to `frame_a`, `frame_a.t = -n flange_b.tau`, and
    /// `frame_a.f = 0` with `n` of length 1. Everything else that is fixed in the drive train, such
    /// as open supports, rests on `frame_a` too, and its torques act there as if it were connected
    /// to `flange_b`; an `Inertia` of the drive train is a [`Rotor1D`](super::Rotor1D). If
    /// `driveTrainMechanics3D = false` in the world, no torque acts on `frame_a`, which may then be
    /// left open.
    pub struct Mounting1D = "Modelica.Mechanics.MultiBody.Parts.Mounting1D" {
        /// Fixed angle of the housing
        phi0: Real["rad", fixed] = 0,
        /// Axis of rotation resolved in frame_a
        n: Axis["1"] = X,
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
        c.support_reaction(constraint, frame, &[p.n]);
        Ok(())
    }
}
