//! Brakes: friction between a shaft and its housing, which a signal presses together.

use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use crate::interfaces::friction::friction_modes;
    use crate::interfaces::friction_laws::rotational::{Faces, Shaft, faces, shaft};
    use crate::interfaces::losses::losses;
    use mechanics::declaration::prelude::*;

    component! {
        /// Brake based on Coulomb friction.
        ///
        /// It slows a part down against the housing, and then holds it.
        ///
        /// # Equations
        /// `phi = flange_a.phi - support.phi`, `flange_b.phi = flange_a.phi`, `w = der(phi)`,
        /// `a = der(w)`, `flange_a.tau + flange_b.tau = tau`, `support.tau = -tau`, and
        /// `fn = fn_max f_normalized`. While the brake slides, `tau` has the sign of `w` and the
        /// magnitude `cgeo mu(|w|) fn`. While it is stuck, `a = 0` as long as
        /// `|tau| <= peak cgeo mu(0) fn`. If `fn <= 0`, `tau = 0`. `lossPower = tau w`.
        ///
        /// # Events
        /// `w` changes its sign while the brake slides; the torque reaches its limit while the
        /// brake is stuck; `fn` changes its sign.
        pub struct Brake = "Modelica.Mechanics.Rotational.Components.Brake" {
            ..faces: faces,
            ..shaft: shaft,
            ..friction_modes,
            ..losses,
        }
    }

    impl Component for Brake {
        fn contribute(p: BrakeParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let place = p.shaft.place(c);
            p.faces.contribute(c, place, |_, w, pressed| pressed.coulomb(w))
        }
    }
}
