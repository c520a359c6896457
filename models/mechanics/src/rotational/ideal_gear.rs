//! A gear without inertia, losses or elasticity.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::ports;
use equations::Ex;

/// Ideal gear without inertia.
///
/// # Equations
/// `phi_a = ratio phi_b` with both angles relative to the support (to zero if it is not
/// connected), `0 = ratio flange_a.tau + flange_b.tau`; the support takes the difference.
///
/// # Variables
/// `ratio`, without unit, not zero; fixed because initial values hang on it.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.IdealGear.
#[derive(Clone, Debug)]
pub struct IdealGear {
    ratio: f64,
}

ports! {
    /// Ports of an [`IdealGear`].
    pub struct IdealGearPorts {
        /// Fast flange.
        flange_a: flange,
        /// Slow flange.
        flange_b: flange,
        /// Housing.
        support: flange,
    }
}

impl IdealGear {
    /// With transmission ratio `flange_a.phi / flange_b.phi`.
    pub fn ratio(ratio: f64) -> Self {
        IdealGear { ratio }
    }
}

impl OldComponent for IdealGear {
    type Ports = IdealGearPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Transmission ratio (flange_a.phi / flange_b.phi)";
        let ratio = c.non_zero("ratio", self.ratio, "1", text)?;
        let (a, b) = (c.flange(&ROTATIONAL, "flange_a"), c.flange(&ROTATIONAL, "flange_b"));
        let support = c.support(&ROTATIONAL, "support");
        c.linear(&[(a, Ex::one()), (b, -ratio), (support, ratio - 1.0)], Ex::zero());
        Ok(())
    }
}
