//! Initial conditions of a flange from signals.

use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use mechanics::declaration::prelude::*;
    use mechanics::domain::ROTATIONAL;

    component! {
        /// Initial angle, angular velocity and angular acceleration of a flange by input signals.
        ///
        /// It starts a drive train in a motion that signals give, such as rest under load.
        ///
        /// # Equations
        /// At the start `flange.phi = phi_start`, `w_flange = w_start` and
        /// `der(w_flange) = a_start`, each only if its input is connected. Always
        /// `phi_flange = flange.phi`, `w_flange = der(phi_flange)` and `flange.tau = 0`. An initial
        /// acceleration determines the angle. If the angle has another initial condition, the
        /// initial acceleration determines a different free start value on which the acceleration
        /// depends.
        pub struct InitializeFlange =
            "Modelica.Mechanics.Rotational.Components.InitializeFlange" {}
        ports {
            /// Initialized flange
            flange: Flange,
            /// Initial angle
            phi_start: Input["rad"],
            /// Initial angular velocity
            w_start: Input["rad/s"],
            /// Initial angular acceleration
            a_start: Input["rad/s2"],
        }
        variables {
            /// Absolute rotation angle
            phi_flange: Real["rad"],
            /// Absolute angular velocity
            w_flange: Real["rad/s"],
        }
    }

    impl Component for InitializeFlange {
        fn contribute(
            _: InitializeFlangeParameters,
            c: &mut Contribution<'_>,
        ) -> Result<(), Error> {
            let flange = c.flange(&ROTATIONAL, "flange");
            for (order, input) in ["phi_start", "w_start", "a_start"].into_iter().enumerate() {
                if let Some(start) = c.optional_input(input) {
                    c.initial_condition(flange, order, move |e| e.read(start));
                }
            }
            c.law(move |e| {
                let motion = e.flange(flange);
                e.variable("phi_flange", motion.q);
                e.variable("w_flange", motion.v);
                Ok(())
            });
            Ok(())
        }
    }
}
