//! A flange fixed in the housing.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::rigid;
use crate::ports;

/// Flange fixed in the housing at a given position.
///
/// # Equations
/// `flange.s = s0`.
///
/// # Variables
/// `s0` in m.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.Fixed.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    s0: f64,
}

ports! {
    /// Ports of a [`Fixed`].
    pub struct FixedPorts {
        /// The fixed flange.
        flange: translational_flange,
    }
}

impl Fixed {
    /// At the position `s0` in m.
    pub fn s0(s0: f64) -> Self {
        Fixed { s0 }
    }
}

impl OldComponent for Fixed {
    type Ports = FixedPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        rigid::fixed(c, &TRANSLATIONAL, "s0", self.s0, "Fixed offset position of the housing")
    }
}
