//! Relative motion as states.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::{compliant, two_flanges};
use crate::ports;
use compliant::relative_states;

/// Definition of relative state variables.
///
/// # Equations
/// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `a_rel = der(w_rel)`,
/// `flange_a.tau = 0`, `flange_b.tau = 0`.
///
/// # Variables
/// `phi_rel` in rad, `w_rel` in rad/s, `a_rel` in rad/s2; `phi_rel` and `w_rel` are preferred as
/// states.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.RelativeStates.
#[derive(Clone, Debug)]
pub struct RelativeStates {
    relative: compliant::RelativeStates,
}

ports! {
    /// Ports and variables of [`RelativeStates`].
    pub struct RelativeStatesPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Relative angle in rad.
        phi_rel: quantity,
        /// Relative angular velocity in rad/s.
        w_rel: quantity,
        /// Relative angular acceleration in rad/s2.
        a_rel: quantity,
    }
}

impl Default for RelativeStates {
    /// With nominal value 1 of `phi_rel`.
    fn default() -> Self {
        let relative = compliant::RelativeStates { nominal: 1.0, ..Default::default() };
        RelativeStates { relative }
    }
}
relative_states!(rotational RelativeStates);

impl OldComponent for RelativeStates {
    type Ports = RelativeStatesPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let flanges = two_flanges(c, &ROTATIONAL);
        let compliant::RelativeStates { starts, nominal, select } = self.relative;
        c.relative_position(&ROTATIONAL, flanges, starts, nominal, select);
        Ok(())
    }
}
