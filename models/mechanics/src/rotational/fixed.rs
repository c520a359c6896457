//! A flange fixed in the housing.

use crate::assembly::{At, Flange};
use crate::component::{Component, Contribution};
use crate::error::Error;
use equations::Ex;

/// Flange fixed in the housing at a given angle.
///
/// # Equations
/// `flange.phi = phi0`.
///
/// # Variables
/// `phi0` in rad.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.Fixed.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    phi0: f64,
}

/// Ports of a [`Fixed`].
#[derive(Clone, Copy, Debug)]
pub struct FixedPorts {
    /// The fixed flange.
    pub flange: Flange,
}

impl Fixed {
    /// At the angle `phi0` in rad.
    pub fn phi0(phi0: f64) -> Self {
        Fixed { phi0 }
    }
}

impl Component for Fixed {
    type Ports = FixedPorts;

    fn ports(at: At) -> FixedPorts {
        FixedPorts { flange: at.flange("flange") }
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.check("phi0", self.phi0, "rad", true)?;
        let text = "Fixed offset angle of the housing";
        let phi0: Ex = c.parameter("phi0", self.phi0).unit("rad").describe(text).into();
        let flange = c.flange("flange");
        c.linear(&[(flange, Ex::one())], phi0);
        Ok(())
    }
}
