//! Initial conditions of a flange from signals.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::initialize;
use crate::ports;

/// Initial position, velocity and acceleration of a flange by input signals.
///
/// # Equations
/// At the start `flange.s = s_start`, `v_flange = v_start`, `der(v_flange) = a_start`, each if
/// its input is connected; always `s_flange = flange.s`, `v_flange = der(s_flange)`,
/// `flange.f = 0`.
///
/// # Variables
/// Inputs `s_start` in m, `v_start` in m/s, `a_start` in m/s2; `s_flange` in m, `v_flange` in
/// m/s.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.InitializeFlange.
#[derive(Clone, Debug, Default)]
pub struct InitializeFlange;

ports! {
    /// Ports and variables of an [`InitializeFlange`].
    pub struct InitializeFlangePorts {
        /// The flange that is initialized.
        flange: translational_flange,
        /// Initial position in m.
        s_start: input,
        /// Initial velocity in m/s.
        v_start: input,
        /// Initial acceleration in m/s2.
        a_start: input,
        /// Position of the flange in m.
        s_flange: quantity,
        /// Velocity of the flange in m/s.
        v_flange: quantity,
    }
}

impl OldComponent for InitializeFlange {
    type Ports = InitializeFlangePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let start = ["s_start", "v_start", "a_start"];
        let names = initialize::Names { start, flange: ["s_flange", "v_flange"] };
        initialize::flange(c, &TRANSLATIONAL, names);
        Ok(())
    }
}
