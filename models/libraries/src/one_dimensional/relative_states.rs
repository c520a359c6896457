//! Relative motion as states.

use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use crate::interfaces::relative_coordinate::rotational::{flange_pair, relative_motion};
    use crate::interfaces::two_flanges;
    use mechanics::component::Starts;
    use mechanics::declaration::prelude::*;
    use mechanics::domain::ROTATIONAL;

    component! {
        /// Definition of relative state variables.
        ///
        /// It makes the relative motion of two parts states, where it matters more than that of
        /// each part.
        ///
        /// # Equations
        /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `a_rel = der(w_rel)`,
        /// `flange_a.tau = 0`, `flange_b.tau = 0`.
        pub struct RelativeStates = "Modelica.Mechanics.Rotational.Components.RelativeStates" {
            /// Start value of the relative angle
            phi_rel: Start["rad"] = free(),
            /// Start value of the relative angular velocity
            w_rel: Start["rad/s"] = free(),
            /// Nominal value of the relative angle, which scales its error tolerance
            phi_nominal: Real["rad", > 0, structural] = 1,
            /// Preference of `phi_rel` and `w_rel` as states
            states: StateSelect = Prefer,
            ..flange_pair,
            ..relative_motion,
        }
    }

    impl Component for RelativeStates {
        fn contribute(p: RelativeStatesParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let flanges = two_flanges(c, &ROTATIONAL);
            let starts = Starts { position: p.phi_rel, speed: p.w_rel };
            c.relative_position(&ROTATIONAL, flanges, starts, p.phi_nominal, p.states);
            Ok(())
        }
    }
}
