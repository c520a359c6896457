//! Friction in the bearings of a shaft.

use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use crate::interfaces::characteristic::Characteristic;
    use crate::interfaces::friction::{self, Law, friction_modes};
    use crate::interfaces::friction_laws::rotational::{Shaft, shaft};
    use crate::interfaces::losses::losses;
    use mechanics::declaration::prelude::*;

    component! {
        /// Coulomb friction in bearings.
        ///
        /// It describes dry and viscous friction against the housing, and holds what is at rest.
        /// `tau_pos` contains rows of a speed and the torque. It is linear between the rows, and
        /// beyond the last row on the line through the last two, but never negative.
        ///
        /// # Equations
        /// `phi = flange_a.phi - support.phi`, `flange_b.phi = flange_a.phi`, `w = der(phi)`,
        /// `a = der(w)`, `flange_a.tau + flange_b.tau = tau`, `support.tau = -tau`. While the
        /// shaft slides, `tau` has the sign of `w` and the magnitude `tau_pos(|w|)`. While it is
        /// stuck, `a = 0` as long as `|tau| <= peak tau_pos(0)`. `lossPower = tau w`.
        ///
        /// # Events
        /// `w` changes its sign while the shaft slides; the torque reaches its limit while it is
        /// stuck.
        pub struct BearingFriction = "Modelica.Mechanics.Rotational.Components.BearingFriction" {
            /// Friction torque as a function of the speed
            tau_pos: [[Real]]["rad/s, N.m", >= 0] = 1,
            /// Ratio of the largest torque at rest to tau_pos[1,2]
            peak: Real["1", >= 1] = 1,
            /// Relative speed that a jump through zero must exceed to reverse the direction of
            /// sliding
            w_small: Real["rad/s", >= 0, structural zero] = either!(1e10, 1e-3),
            ..shaft: shaft,
            ..friction_modes,
            ..losses,
        }
    }

    impl Component for BearingFriction {
        fn contribute(p: BearingFrictionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let place = p.shaft.place(c);
            let tau_pos = Characteristic::new(c, p.tau_pos)?;
            friction::contribute(c, place, move |_, motion| {
                Ok(Law::coulomb(|w| tau_pos.at(w), motion.v, p.peak, p.w_small))
            });
            Ok(())
        }
    }
}
