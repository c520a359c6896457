//! A planetary gear without inertia, losses or elasticity.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::ports;
use equations::Ex;

/// Ideal planetary gear box.
///
/// # Equations
/// `(1 + ratio) carrier.phi = sun.phi + ratio ring.phi`, `ring.tau = ratio sun.tau`,
/// `carrier.tau = -(1 + ratio) sun.tau`.
///
/// # Variables
/// `ratio`, without unit: teeth of the ring over teeth of the sun, negative if pairs of planets
/// mesh between them; neither 0 nor -1, which would leave out a shaft. Fixed because initial values
/// hang on it.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.IdealPlanetary.
#[derive(Clone, Debug)]
pub struct IdealPlanetary {
    ratio: f64,
}

ports! {
    /// Ports of an [`IdealPlanetary`].
    pub struct IdealPlanetaryPorts {
        /// Shaft of the sun.
        sun: flange,
        /// Shaft of the carrier.
        carrier: flange,
        /// Shaft of the ring.
        ring: flange,
    }
}

impl IdealPlanetary {
    /// With `ratio` teeth of the ring for each tooth of the sun.
    pub fn ratio(ratio: f64) -> Self {
        IdealPlanetary { ratio }
    }
}

impl OldComponent for IdealPlanetary {
    type Ports = IdealPlanetaryPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Number of teeth of the ring over that of the sun";
        let ratio = c.non_zero("ratio", self.ratio, "1", text)?;
        let why = "must not be -1, which leaves the carrier alone";
        c.require(&["ratio"], (ratio + 1.0).is_true(), why)?;
        let [sun, carrier, ring] =
            ["sun", "carrier", "ring"].map(|port| c.flange(&ROTATIONAL, port));
        c.linear(&[(sun, Ex::one()), (ring, ratio), (carrier, -(ratio + 1.0))], Ex::zero());
        Ok(())
    }
}
