//! A housing of drive trains on a frame.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::rigid::fixed_value;
use crate::vector::X;
use crate::{ports, setters};
use equations::Ex;

/// Housing of 1-D drive trains that is fixed to a frame.
///
/// # Equations
/// `flange_b.phi = phi0`, relative to `frame_a`; `frame_a.t = -n flange_b.tau`, `frame_a.f = 0`.
/// With `driveTrainMechanics3D = false` in the world the torque does not act on `frame_a`, which
/// may stay open.
///
/// # Variables
/// `phi0` in rad, default 0; `n` without unit, default `{1, 0, 0}`: its length counts.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.Mounting1D.
#[derive(Clone, Debug)]
pub struct Mounting1D {
    phi0: f64,
    n: [f64; 3],
}

ports! {
    /// Ports of a [`Mounting1D`].
    pub struct Mounting1DPorts {
        /// Flange of the housing.
        flange_b: flange,
        /// Frame to which the housing is fixed.
        frame_a: frame,
    }
}

impl Default for Mounting1D {
    fn default() -> Self {
        Mounting1D { phi0: 0.0, n: X }
    }
}

setters! {
    impl Mounting1D {
        /// Angle of the housing in rad.
        phi0: f64,
        /// Axis of the flange, resolved in `frame_a`.
        n: [f64; 3],
    }
}

impl OldComponent for Mounting1D {
    type Ports = Mounting1DPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let phi0 = fixed_value(c, "phi0", self.phi0, "rad", "Fixed angle of the housing")?;
        let n = c.vector("n", self.n, "1", "Axis of rotation resolved in frame_a")?;
        let flange = c.flange(&ROTATIONAL, "flange_b");
        let relation = c.linear(&[(flange, Ex::one())], phi0);
        let frame = c.optional_frame("frame_a");
        c.mount(relation, frame, n);
        Ok(())
    }
}
