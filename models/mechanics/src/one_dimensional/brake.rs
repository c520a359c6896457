//! Brakes: friction between a shaft and its housing, pressed by a signal.

use crate::expand::two_domains;

#[two_domains]
pub mod rotational {
    use crate::declaration::prelude::*;
    use crate::interfaces::characteristic::Characteristic;
    use crate::interfaces::friction::friction_modes;
    use crate::interfaces::friction_laws::rotational::{Faces, Shaft, faces, shaft};
    use crate::interfaces::losses::losses;

    component! {
        /// Brake based on Coulomb friction.
        ///
        /// # Equations
        /// `phi = flange_a.phi - support.phi`, `flange_b.phi = flange_a.phi`, `w = der(phi)`,
        /// `a = der(w)`, `flange_a.tau + flange_b.tau = tau`, `support.tau = -tau`;
        /// `fn = fn_max f_normalized`. Sliding: `tau = cgeo mu(|w|) fn` against the motion. Stuck:
        /// `a = 0` while `|tau| <= peak cgeo mu(0) fn`. `fn <= 0`: `tau = 0`. `lossPower = tau w`.
        ///
        /// # Events
        /// The sign of `w` while sliding, the torque against its limit while stuck, the sign of
        /// `fn`.
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
