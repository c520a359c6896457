//! Relative motion as states.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::{compliant, two_flanges};
use crate::ports;
use compliant::relative_states;

/// Definition of relative state variables.
///
/// # Equations
/// `s_rel = flange_b.s - flange_a.s`, `v_rel = der(s_rel)`, `a_rel = der(v_rel)`,
/// `flange_a.f = 0`, `flange_b.f = 0`.
///
/// # Variables
/// `s_rel` in m, `v_rel` in m/s, `a_rel` in m/s2; `s_rel` and `v_rel` are preferred as states.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.RelativeStates.
#[derive(Clone, Debug)]
pub struct RelativeStates {
    relative: compliant::RelativeStates,
}

ports! {
    /// Ports and variables of [`RelativeStates`].
    pub struct RelativeStatesPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Relative distance in m.
        s_rel: quantity,
        /// Relative velocity in m/s.
        v_rel: quantity,
        /// Relative acceleration in m/s2.
        a_rel: quantity,
    }
}

impl Default for RelativeStates {
    /// With nominal value 1 of `s_rel`.
    fn default() -> Self {
        let relative = compliant::RelativeStates { nominal: 1.0, ..Default::default() };
        RelativeStates { relative }
    }
}
relative_states!(translational RelativeStates);

impl OldComponent for RelativeStates {
    type Ports = RelativeStatesPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let flanges = two_flanges(c, &TRANSLATIONAL);
        let compliant::RelativeStates { starts, nominal, select } = self.relative;
        c.relative_position(&TRANSLATIONAL, flanges, starts, nominal, select);
        Ok(())
    }
}
