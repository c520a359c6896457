//! A planetary gear without inertia, losses or elasticity.

use mechanics::declaration::prelude::*;
use mechanics::domain::ROTATIONAL;

component! {
    /// Ideal planetary gear box.
    ///
    /// It is the planetary gear of an automatic transmission, or a differential.
    ///
    /// # Equations
    /// `(1 + ratio) carrier.phi = sun.phi + ratio ring.phi`, `ring.tau = ratio sun.tau`,
    /// `carrier.tau = -(1 + ratio) sun.tau`.
    ///
    /// `ratio` is negative if pairs of planets mesh between ring and sun. It must be neither 0 nor
    /// -1, because the angle of one shaft would then not occur in the equation. It is fixed because
    /// initial values depend on it.
    pub struct IdealPlanetary = "Modelica.Mechanics.Rotational.Components.IdealPlanetary" {
        /// Number of teeth of the ring divided by that of the sun
        ratio: Real["1", != 0, fixed],
    }
    ports {
        /// Shaft of the sun
        sun: Flange,
        /// Shaft of the carrier
        carrier: Flange,
        /// Shaft of the ring
        ring: Flange,
    }
}

impl Component for IdealPlanetary {
    fn contribute(p: IdealPlanetaryParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let why = "must not be -1, which removes the carrier from the equations";
        c.require(&["ratio"], (p.ratio + 1.0).is_true(), why)?;
        let [sun, carrier, ring] =
            ["sun", "carrier", "ring"].map(|port| c.flange(&ROTATIONAL, port));
        c.linear(&[(sun, Ex::one()), (ring, p.ratio), (carrier, -(p.ratio + 1.0))], Ex::zero());
        Ok(())
    }
}
