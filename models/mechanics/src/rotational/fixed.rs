//! A flange fixed in the housing.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::rigid;
use crate::ports;

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

ports! {
    /// Ports of a [`Fixed`].
    pub struct FixedPorts {
        /// The fixed flange.
        flange: flange,
    }
}

impl Fixed {
    /// At the angle `phi0` in rad.
    pub fn phi0(phi0: f64) -> Self {
        Fixed { phi0 }
    }
}

impl OldComponent for Fixed {
    type Ports = FixedPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        rigid::fixed(c, &ROTATIONAL, "phi0", self.phi0, "Fixed offset angle of the housing")
    }
}
