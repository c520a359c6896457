//! Initial conditions of a flange from signals.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::initialize;
use crate::ports;

/// Initial angle, angular velocity and angular acceleration of a flange by input signals.
///
/// # Equations
/// At the start `flange.phi = phi_start`, `w_flange = w_start`, `der(w_flange) = a_start`, each if
/// its input is connected; always `phi_flange = flange.phi`, `w_flange = der(phi_flange)`,
/// `flange.tau = 0`. An acceleration determines the angle, or where that is given otherwise another
/// start value that is free and on which it depends.
///
/// # Variables
/// Inputs `phi_start` in rad, `w_start` in rad/s, `a_start` in rad/s2; `phi_flange` in rad,
/// `w_flange` in rad/s.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.InitializeFlange.
#[derive(Clone, Debug, Default)]
pub struct InitializeFlange;

ports! {
    /// Ports and variables of an [`InitializeFlange`].
    pub struct InitializeFlangePorts {
        /// The flange that is initialized.
        flange: flange,
        /// Initial angle in rad.
        phi_start: input,
        /// Initial angular velocity in rad/s.
        w_start: input,
        /// Initial angular acceleration in rad/s2.
        a_start: input,
        /// Angle of the flange in rad.
        phi_flange: quantity,
        /// Angular velocity of the flange in rad/s.
        w_flange: quantity,
    }
}

impl OldComponent for InitializeFlange {
    type Ports = InitializeFlangePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let start = ["phi_start", "w_start", "a_start"];
        let names = initialize::Names { start, flange: ["phi_flange", "w_flange"] };
        initialize::flange(c, &ROTATIONAL, names);
        Ok(())
    }
}
