//! A linear spring and damper in parallel.

use crate::component::{Component, Contribution};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{self, Compliant, RelativeStates, relative_states};
use crate::{ports, setters};

/// Linear 1-D rotational spring and damper in parallel.
///
/// # Equations
/// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`,
/// `tau = c (phi_rel - phi_rel0) + d w_rel`, `flange_b.tau = tau`, `flange_a.tau = -tau`,
/// `lossPower = d w_rel^2`.
///
/// # Variables
/// `c` in N.m/rad, `d` in N.m.s/rad (if zero, constants), `phi_rel0` in rad; `phi_rel` is preferred
/// as a state, so that a stiff spring's torque is not the difference of two large angles.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.SpringDamper.
#[derive(Clone, Debug)]
pub struct SpringDamper {
    c: f64,
    d: f64,
    phi_rel0: f64,
    relative: RelativeStates,
}

ports! {
    /// Ports and variables of a [`SpringDamper`].
    pub struct SpringDamperPorts {
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

impl SpringDamper {
    /// With stiffness `c` in N.m/rad and damping `d` in N.m.s/rad.
    pub fn c_d(c: f64, d: f64) -> Self {
        SpringDamper { c, d, phi_rel0: 0.0, relative: RelativeStates::default() }
    }
}

setters! {
    impl SpringDamper {
        /// Relative angle of the unstretched spring in rad.
        phi_rel0: f64,
    }
}
relative_states!(rotational SpringDamper);

impl Component for SpringDamper {
    type Ports = SpringDamperPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        // Zero is structure: without damping a flange without inertia has a static angle.
        let stiffness = c.amount("c", self.c, "N.m/rad", "Spring constant")?;
        let damping = c.amount("d", self.d, "N.m.s/rad", "Damping constant")?;
        let unstretched = c.value("phi_rel0", self.phi_rel0, "rad", "Unstretched spring angle")?;
        let element = Compliant::new(c, &ROTATIONAL, self.relative);
        compliant::SpringDamper { c: stiffness, d: Some(damping), unstretched }.act(c, element);
        Ok(())
    }
}
