//! Linear springs and dampers.

use crate::expand::two_domains;

#[two_domains]
pub mod rotational {
    use crate::declaration::prelude::*;
    use crate::domain::ROTATIONAL;
    use crate::interfaces::compliant::rotational::{RelativeStates, relative_states};
    use crate::interfaces::compliant::{Compliance, Compliant};
    use crate::interfaces::losses::losses;

    component! {
        /// Linear 1-D rotational spring and damper in parallel.
        ///
        /// # Equations
        /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`,
        /// `tau = c (phi_rel - phi_rel0) + d w_rel`, `flange_b.tau = tau`, `flange_a.tau = -tau`,
        /// `lossPower = d w_rel^2`.
        pub struct SpringDamper = "Modelica.Mechanics.Rotational.Components.SpringDamper" {
            /// Spring constant
            c: Amount["N.m/rad"],
            /// Damping constant
            d: Amount["N.m.s/rad"],
            /// Unstretched spring angle
            phi_rel0: Real["rad"] = 0,
            ..relative: relative_states,
            ..losses,
        }
    }

    impl Component for SpringDamper {
        fn contribute(p: SpringDamperParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let element = Compliant::new(c, &ROTATIONAL, p.relative).damped(c, p.d);
            element.law(c, move |_, relative| {
                let (phi_rel, w_rel) = (relative.q, relative.v);
                let (tau_c, tau_d) = (p.c * (phi_rel - p.phi_rel0), p.d * w_rel);
                let energy = p.c * (phi_rel - p.phi_rel0).square() * 0.5;
                Compliance { flow: tau_c + tau_d, energy, loss_power: Some(tau_d * w_rel) }
            });
            Ok(())
        }
    }

    component! {
        /// Linear 1-D rotational damper.
        ///
        /// # Equations
        /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `tau = d w_rel`,
        /// `flange_b.tau = tau`, `flange_a.tau = -tau`, `lossPower = tau w_rel`.
        pub struct Damper = "Modelica.Mechanics.Rotational.Components.Damper" {
            /// Damping constant
            d: Amount["N.m.s/rad"],
            ..relative: relative_states,
            ..losses,
        }
    }

    impl Component for Damper {
        fn contribute(p: DamperParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let element = Compliant::new(c, &ROTATIONAL, p.relative).damped(c, p.d);
            element.law(c, move |_, relative| {
                let tau = p.d * relative.v;
                Compliance { flow: tau, energy: Ex::zero(), loss_power: Some(tau * relative.v) }
            });
            Ok(())
        }
    }
}
