//! A linear spring and damper in parallel.

use super::two_flanges;
use crate::assembly::{At, Flange, Quantity};
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::start::{Start, StateSelect};
use equations::Ex;

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
    select: StateSelect,
}

/// Ports and variables of a [`SpringDamper`].
#[derive(Clone, Copy, Debug)]
pub struct SpringDamperPorts {
    /// Left flange.
    pub flange_a: Flange,
    /// Right flange.
    pub flange_b: Flange,
    /// Relative angle in rad.
    pub phi_rel: Quantity,
    /// Relative angular velocity in rad/s.
    pub w_rel: Quantity,
    /// Torque between the flanges in N.m.
    pub tau: Quantity,
}

impl SpringDamper {
    /// With stiffness `c` in N.m/rad and damping `d` in N.m.s/rad.
    pub fn c_d(c: f64, d: f64) -> Self {
        let (phi_rel, w_rel) = (Start::default(), Start::default());
        SpringDamper { c, d, phi_rel0: 0.0, phi_rel, w_rel, select: StateSelect::Prefer }
    }

    /// Relative angle of the unstretched spring in rad.
    pub fn phi_rel0(self, phi_rel0: f64) -> Self {
        SpringDamper { phi_rel0, ..self }
    }

    /// Start value of the relative angle in rad.
    pub fn phi_rel(self, phi_rel: Start) -> Self {
        SpringDamper { phi_rel, ..self }
    }

    /// Start value of the relative angular velocity in rad/s.
    pub fn w_rel(self, w_rel: Start) -> Self {
        SpringDamper { w_rel, ..self }
    }

    /// Preference of `phi_rel` and `w_rel` as states.
    pub fn states(self, select: StateSelect) -> Self {
        SpringDamper { select, ..self }
    }
}

impl Component for SpringDamper {
    type Ports = SpringDamperPorts;

    fn ports(at: At) -> SpringDamperPorts {
        let (flange_a, flange_b) = two_flanges(at);
        SpringDamperPorts {
            flange_a,
            flange_b,
            phi_rel: at.quantity("phi_rel"),
            w_rel: at.quantity("w_rel"),
            tau: at.quantity("tau"),
        }
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.check("c", self.c, "N.m/rad", self.c >= 0.0)?;
        c.check("d", self.d, "N.m.s/rad", self.d >= 0.0)?;
        c.check("phi_rel0", self.phi_rel0, "rad", true)?;
        // Zero is structure: without damping a flange without inertia has a static angle.
        let mut tunable = |local: &str, value: f64, unit: &str, text: &str| -> Ex {
            if value == 0.0 && local != "phi_rel0" {
                c.constant(local, 0.0, unit, text);
                return Ex::zero();
            }
            c.parameter(local, value).unit(unit).describe(text).tunable().into()
        };
        let stiffness = tunable("c", self.c, "N.m/rad", "Spring constant");
        let damping = tunable("d", self.d, "N.m.s/rad", "Damping constant");
        let phi_rel0 = tunable("phi_rel0", self.phi_rel0, "rad", "Unstretched spring angle");
        let (a, b) = (c.flange("flange_a"), c.flange("flange_b"));
        let angle = c.relative_angle(a, b, self.phi_rel, self.w_rel, self.select);
        if self.d != 0.0 {
            c.damped(angle);
        }
        c.law(move |e| {
            let relative = e.relative(a, b);
            let stretch = relative.q - phi_rel0;
            let tau_d = damping * relative.v;
            let tau = stiffness * stretch + tau_d;
            e.set_torque(b, tau);
            e.set_torque(a, -tau);
            e.add_potential(stiffness * stretch.square() * 0.5);
            e.variable("tau", tau).unit("N.m").describe("Torque between the flanges");
            let loss = tau_d * relative.v;
            e.variable("lossPower", loss).unit("W").describe("Power lost in the damper");
            Ok(())
        });
        Ok(())
    }
}
