//! Linear springs and dampers.

use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use crate::interfaces::compliant::{Compliance, Compliant};
    use crate::interfaces::losses::losses;
    use crate::interfaces::relative_coordinate::RelativeCoordinate;
    use crate::interfaces::relative_coordinate::rotational::{
        RelativeStarts, flange_pair, relative_motion, relative_starts,
    };
    use mechanics::component::Starts;
    use mechanics::declaration::prelude::*;
    use mechanics::domain::ROTATIONAL;

    component! {
        /// Linear 1-D rotational spring.
        ///
        /// It is an elastic part without losses, whose mass does not matter.
        ///
        /// # Equations
        /// `phi_rel = flange_b.phi - flange_a.phi`, `tau = c (phi_rel - phi_rel0)`,
        /// `flange_b.tau = tau`, `flange_a.tau = -tau`.
        ///
        /// `phi_rel` and `w_rel` become states only if there is no other choice. Unless they are
        /// states, `w_rel` and `a_rel` are not published.
        pub struct Spring = "Modelica.Mechanics.Rotational.Components.Spring" {
            /// Spring constant
            c: Real["N.m/rad", >= 0, structural zero],
            /// Unstretched spring angle
            phi_rel0: Real["rad"] = 0,
            /// Start value of the relative angle
            phi_rel: Start["rad"] = free(),
            ..flange_pair,
            ..relative_motion,
        }
        variables {
            /// Torque between the flanges
            tau: Real["N.m"],
        }
    }

    impl Component for Spring {
        fn contribute(p: SpringParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let relative = RelativeCoordinate {
                starts: Starts { position: p.phi_rel, speed: free() },
                select: Avoid,
                ..RelativeCoordinate::default()
            };
            let element = Compliant::new(c, &ROTATIONAL, relative);
            c.hide_speed(element.position);
            element.law(c, move |_, relative| {
                let stretch = relative.q - p.phi_rel0;
                let energy = p.c * stretch.square() * 0.5;
                Compliance { flow: p.c * stretch, energy, loss_power: None }
            });
            Ok(())
        }
    }

    component! {
        /// Linear 1-D rotational spring and damper in parallel.
        ///
        /// It is an elastic part of a drive train with its losses, or an elastic coupling.
        ///
        /// # Equations
        /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`,
        /// `tau = c (phi_rel - phi_rel0) + d w_rel`, `flange_b.tau = tau`, `flange_a.tau = -tau`,
        /// `lossPower = d w_rel^2`.
        pub struct SpringDamper = "Modelica.Mechanics.Rotational.Components.SpringDamper" {
            /// Spring constant
            c: Real["N.m/rad", >= 0, structural zero],
            /// Damping constant
            d: Real["N.m.s/rad", >= 0, structural zero],
            /// Unstretched spring angle
            phi_rel0: Real["rad"] = 0,
            ..flange_pair,
            ..relative_motion,
            ..relative: relative_starts,
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
        /// It describes viscous friction between two parts, such as that of oil.
        ///
        /// # Equations
        /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `tau = d w_rel`,
        /// `flange_b.tau = tau`, `flange_a.tau = -tau`, `lossPower = tau w_rel`.
        pub struct Damper = "Modelica.Mechanics.Rotational.Components.Damper" {
            /// Damping constant
            d: Real["N.m.s/rad", >= 0, structural zero],
            ..flange_pair,
            ..relative_motion,
            ..relative: relative_starts,
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
