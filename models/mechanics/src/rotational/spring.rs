//! A linear spring.

use crate::component::{Component, Contribution};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{Compliant, RelativeStates, SpringDamper, relative_states};
use crate::start::StateSelect;
use crate::{ports, setters};

/// Linear 1-D rotational spring.
///
/// # Equations
/// `phi_rel = flange_b.phi - flange_a.phi`, `tau = c (phi_rel - phi_rel0)`, `flange_b.tau = tau`,
/// `flange_a.tau = -tau`.
///
/// # Variables
/// `c` in N.m/rad (if zero, a constant), `phi_rel0` in rad; `phi_rel` is a state only if nothing
/// else can be one.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.Spring.
#[derive(Clone, Debug)]
pub struct Spring {
    c: f64,
    phi_rel0: f64,
    relative: RelativeStates,
}

ports! {
    /// Ports and variables of a [`Spring`].
    pub struct SpringPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Relative angle in rad.
        phi_rel: quantity,
        /// Torque between the flanges in N.m.
        tau: quantity,
    }
}

impl Spring {
    /// With stiffness `c` in N.m/rad.
    pub fn c(c: f64) -> Self {
        let relative = RelativeStates { select: StateSelect::Avoid, ..RelativeStates::default() };
        Spring { c, phi_rel0: 0.0, relative }
    }
}

setters! {
    impl Spring {
        /// Relative angle of the unstretched spring in rad.
        phi_rel0: f64,
    }
}
relative_states!(rotational Spring);

impl Component for Spring {
    type Ports = SpringPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let stiffness = c.amount("c", self.c, "N.m/rad", "Spring constant")?;
        let unstretched = c.value("phi_rel0", self.phi_rel0, "rad", "Unstretched spring angle")?;
        let element = Compliant::new(c, &ROTATIONAL, self.relative);
        SpringDamper { c: stiffness, d: None, unstretched }.act(c, element);
        Ok(())
    }
}
