//! External torques that signals give.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::source;
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

impl OldComponent for Torque {
    type Ports = TorquePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::given(c, &ROTATIONAL)
    }
}

/// Input signal acting as torque between two flanges.
///
/// # Equations
/// `flange_a.tau = tau`, `flange_b.tau = -tau`.
///
/// # Variables
/// Input `tau` in N.m: positive accelerates `flange_b` and brakes `flange_a`.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.Torque2.
#[derive(Clone, Debug, Default)]
pub struct Torque2;

ports! {
    /// Ports of a [`Torque2`].
    pub struct Torque2Ports {
        /// The braked flange.
        flange_a: flange,
        /// The driven flange.
        flange_b: flange,
        /// The torque in N.m.
        tau: input,
    }
}

impl OldComponent for Torque2 {
    type Ports = Torque2Ports;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::given_between(c, &ROTATIONAL)
    }
}
