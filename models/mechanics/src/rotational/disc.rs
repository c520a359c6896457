//! Two flanges at a fixed angle to each other.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::rigid;
use crate::ports;

/// Disc without inertia whose right flange is turned by a fixed angle.
///
/// # Equations
/// `flange_a.phi = phi - deltaPhi/2`, `flange_b.phi = phi + deltaPhi/2`,
/// `0 = flange_a.tau + flange_b.tau`.
///
/// # Variables
/// `phi` in rad; `deltaPhi` in rad, fixed because initial values hang on it.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.Disc.
#[derive(Clone, Debug)]
pub struct Disc {
    delta_phi: f64,
}

ports! {
    /// Ports and variables of a [`Disc`].
    pub struct DiscPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Angle in the middle between the flanges in rad.
        phi: quantity,
    }
}

impl Disc {
    /// Turned by `deltaPhi` in rad.
    pub fn delta_phi(delta_phi: f64) -> Self {
        Disc { delta_phi }
    }
}

impl OldComponent for Disc {
    type Ports = DiscPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Angle of the right flange less that of the left one";
        let delta_phi = rigid::fixed_value(c, "deltaPhi", self.delta_phi, "rad", text)?;
        rigid::massless(c, &ROTATIONAL, delta_phi);
        Ok(())
    }
}
