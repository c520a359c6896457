//! A linear damper.

use crate::component::{Component, Contribution};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{Compliant, RelativeStates, SpringDamper, relative_states};
use crate::ports;
use equations::Ex;

/// Linear 1-D translational damper.
///
/// # Equations
/// `s_rel = flange_b.s - flange_a.s`, `v_rel = der(s_rel)`, `f = d v_rel`,
/// `flange_b.f = f`, `flange_a.f = -f`, `lossPower = f v_rel`.
///
/// # Variables
/// `d` in N.s/m (if zero, a constant); `s_rel` is preferred as a state.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.Damper.
#[derive(Clone, Debug)]
pub struct Damper {
    d: f64,
    relative: RelativeStates,
}

ports! {
    /// Ports and variables of a [`Damper`].
    pub struct DamperPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Relative distance in m.
        s_rel: quantity,
        /// Relative velocity in m/s.
        v_rel: quantity,
        /// Relative acceleration in m/s2.
        a_rel: quantity,
        /// Force between the flanges in N.
        f: quantity,
        /// Power lost in W.
        loss_power: quantity = "lossPower",
    }
}

impl Damper {
    /// With damping `d` in N.s/m.
    pub fn d(d: f64) -> Self {
        Damper { d, relative: RelativeStates::default() }
    }
}
relative_states!(translational Damper);

impl Component for Damper {
    type Ports = DamperPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let d = Some(c.amount("d", self.d, "N.s/m", "Damping constant")?);
        let element = Compliant::new(c, &TRANSLATIONAL, self.relative);
        SpringDamper { c: Ex::zero(), d, unstretched: Ex::zero() }.act(c, element);
        Ok(())
    }
}
