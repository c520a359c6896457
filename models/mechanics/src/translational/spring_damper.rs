//! A linear spring and damper in parallel.

use crate::component::{Component, Contribution};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{self, Compliant, RelativeStates, relative_states};
use crate::{ports, setters};

/// Linear 1-D translational spring and damper in parallel.
///
/// # Equations
/// `s_rel = flange_b.s - flange_a.s`, `v_rel = der(s_rel)`,
/// `f = c (s_rel - s_rel0) + d v_rel`, `flange_b.f = f`, `flange_a.f = -f`,
/// `lossPower = d v_rel^2`.
///
/// # Variables
/// `c` in N/m, `d` in N.s/m (if zero, constants), `s_rel0` in m; `s_rel` is preferred
/// as a state, so that a stiff spring's force is not the difference of two large distances.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.SpringDamper.
#[derive(Clone, Debug)]
pub struct SpringDamper {
    c: f64,
    d: f64,
    s_rel0: f64,
    relative: RelativeStates,
}

ports! {
    /// Ports and variables of a [`SpringDamper`].
    pub struct SpringDamperPorts {
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

impl SpringDamper {
    /// With stiffness `c` in N/m and damping `d` in N.s/m.
    pub fn c_d(c: f64, d: f64) -> Self {
        SpringDamper { c, d, s_rel0: 0.0, relative: RelativeStates::default() }
    }
}

setters! {
    impl SpringDamper {
        /// Relative distance of the unstretched spring in m.
        s_rel0: f64,
    }
}
relative_states!(translational SpringDamper);

impl Component for SpringDamper {
    type Ports = SpringDamperPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        // Zero is structure: without damping a flange without inertia has a static distance.
        let stiffness = c.amount("c", self.c, "N/m", "Spring constant")?;
        let damping = c.amount("d", self.d, "N.s/m", "Damping constant")?;
        let unstretched = c.value("s_rel0", self.s_rel0, "m", "Unstretched spring length")?;
        let element = Compliant::new(c, &TRANSLATIONAL, self.relative);
        compliant::SpringDamper { c: stiffness, d: Some(damping), unstretched }.act(c, element);
        Ok(())
    }
}
