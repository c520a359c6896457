//! A linear spring and damper in parallel.

use crate::component::{Component, Contribution, Starts};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{Compliance, Compliant, RelativeStates};
use crate::start::{Start, StateSelect};
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
    phi_rel: Start,
    w_rel: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`SpringDamper`].
    pub struct SpringDamperPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Relative angle in rad.
        phi_rel: quantity,
        /// Relative angular velocity in rad/s.
        w_rel: quantity,
        /// Torque between the flanges in N.m.
        tau: quantity,
    }
}

impl SpringDamper {
    /// With stiffness `c` in N.m/rad and damping `d` in N.m.s/rad.
    pub fn c_d(c: f64, d: f64) -> Self {
        let (phi_rel, w_rel) = (Start::default(), Start::default());
        SpringDamper { c, d, phi_rel0: 0.0, phi_rel, w_rel, states: StateSelect::Prefer }
    }
}

setters! {
    impl SpringDamper {
        /// Relative angle of the unstretched spring in rad.
        phi_rel0: f64,
        /// Start value of the relative angle in rad.
        phi_rel: Start,
        /// Start value of the relative angular velocity in rad/s.
        w_rel: Start,
        /// Preference of `phi_rel` and `w_rel` as states.
        states: StateSelect,
    }
}

impl Component for SpringDamper {
    type Ports = SpringDamperPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        // Zero is structure: without damping a flange without inertia has a static angle.
        let stiffness = c.amount("c", self.c, "N.m/rad", "Spring constant")?;
        let damping = c.amount("d", self.d, "N.m.s/rad", "Damping constant")?;
        let phi_rel0 = c.value("phi_rel0", self.phi_rel0, "rad", "Unstretched spring angle")?;
        let starts = Starts { position: self.phi_rel, speed: self.w_rel };
        let states = RelativeStates { starts, select: self.states, ..RelativeStates::default() };
        let element = Compliant::new(c, &ROTATIONAL, states);
        if self.d != 0.0 {
            c.damped(element.position);
        }
        element.law(c, move |_, relative| {
            let stretch = relative.q - phi_rel0;
            let damper = damping * relative.v;
            Ok(Compliance {
                flow: stiffness * stretch + damper,
                energy: stiffness * stretch.square() * 0.5,
                loss_power: Some(damper * relative.v),
            })
        });
        Ok(())
    }
}
