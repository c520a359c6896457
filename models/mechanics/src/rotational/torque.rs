//! An external torque on a flange.

use crate::assembly::{At, Flange, Input};
use crate::component::{Component, Contribution};
use crate::error::Error;

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

/// Ports of a [`Torque`].
#[derive(Clone, Copy, Debug)]
pub struct TorquePorts {
    /// The driven flange.
    pub flange: Flange,
    /// Housing.
    pub support: Flange,
    /// The torque in N.m.
    pub tau: Input,
}

impl Component for Torque {
    type Ports = TorquePorts;

    fn ports(at: At) -> TorquePorts {
        TorquePorts {
            flange: at.flange("flange"),
            support: at.flange("support"),
            tau: at.input("tau"),
        }
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (flange, support, input) = (c.flange("flange"), c.support("support"), c.input("tau")?);
        c.law(move |e| {
            let tau = e.read(input)?;
            e.set_torque(flange, -tau);
            e.set_torque(support, tau);
            e.variable("tau", tau).unit("N.m").describe("Accelerating torque on the flange");
            Ok(())
        });
        Ok(())
    }
}
