//! An external torque on a flange.

use crate::component::{Component, Contribution};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::ports;

/// Input signal acting as external torque on a flange.
///
/// # Equations
/// `flange.tau = -tau`, `support.tau = tau` (the support is held if it is not connected).
///
/// # Variables
/// Input `tau` in N.m: positive accelerates the flange.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.Torque.
#[derive(Clone, Debug, Default)]
pub struct Torque;

ports! {
    /// Ports of a [`Torque`].
    pub struct TorquePorts {
        /// The driven flange.
        flange: flange,
        /// Housing.
        support: flange,
        /// The torque in N.m.
        tau: input,
    }
}

impl Component for Torque {
    type Ports = TorquePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (flange, support, input) =
            (c.flange(&ROTATIONAL, "flange"), c.support(&ROTATIONAL, "support"), c.input("tau")?);
        c.law(move |e| {
            let tau = e.read(input)?;
            e.set_flow(flange, -tau);
            e.set_flow(support, tau);
            e.variable("tau", tau).unit("N.m").describe("Accelerating torque on the flange");
            Ok(())
        });
        Ok(())
    }
}
