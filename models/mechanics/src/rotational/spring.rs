//! A linear spring.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{Compliant, RelativeStates, SpringDamper};
use crate::start::{Start, StateSelect};
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
    phi_rel: Start,
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
        Spring { c, phi_rel0: 0.0, phi_rel: Start::default() }
    }
}

setters! {
    impl Spring {
        /// Relative angle of the unstretched spring in rad.
        phi_rel0: f64,
        /// Start value of the relative angle in rad.
        phi_rel: Start,
    }
}

impl OldComponent for Spring {
    type Ports = SpringPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let stiffness = c.amount("c", self.c, "N.m/rad", "Spring constant")?;
        let unstretched = c.value("phi_rel0", self.phi_rel0, "rad", "Unstretched spring angle")?;
        let starts = Starts { position: self.phi_rel, ..Starts::default() };
        let select = StateSelect::Avoid;
        let relative = RelativeStates { starts, select, ..RelativeStates::default() };
        let element = Compliant::new(c, &ROTATIONAL, relative);
        c.hide_speed(element.position);
        SpringDamper { c: stiffness, d: None, unstretched }.act(c, element);
        Ok(())
    }
}
