//! A linear damper.

use crate::component::{Component, Contribution};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{Compliant, RelativeStates, SpringDamper, relative_states};
use crate::ports;
use equations::Ex;

/// Linear 1-D rotational damper.
///
/// # Equations
/// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `tau = d w_rel`,
/// `flange_b.tau = tau`, `flange_a.tau = -tau`, `lossPower = tau w_rel`.
///
/// # Variables
/// `d` in N.m.s/rad (if zero, a constant); `phi_rel` is preferred as a state.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.Damper.
#[derive(Clone, Debug)]
pub struct Damper {
    d: f64,
    relative: RelativeStates,
}

ports! {
    /// Ports and variables of a [`Damper`].
    pub struct DamperPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Relative angle in rad.
        phi_rel: quantity,
        /// Relative angular velocity in rad/s.
        w_rel: quantity,
        /// Relative angular acceleration in rad/s2.
        a_rel: quantity,
        /// Torque between the flanges in N.m.
        tau: quantity,
        /// Power lost in W.
        loss_power: quantity = "lossPower",
    }
}

impl Damper {
    /// With damping `d` in N.m.s/rad.
    pub fn d(d: f64) -> Self {
        Damper { d, relative: RelativeStates::default() }
    }
}
relative_states!(rotational Damper);

impl Component for Damper {
    type Ports = DamperPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let d = Some(c.amount("d", self.d, "N.m.s/rad", "Damping constant")?);
        let element = Compliant::new(c, &ROTATIONAL, self.relative);
        SpringDamper { c: Ex::zero(), d, unstretched: Ex::zero() }.act(c, element);
        Ok(())
    }
}
