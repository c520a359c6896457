//! A flange fixed in the housing.

use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use mechanics::declaration::prelude::*;
    use mechanics::domain::ROTATIONAL;

    component! {
        /// Flange fixed in the housing at a given angle.
        ///
        /// It is the housing of a gear, or the fixed end of a spring.
        ///
        /// # Equations
        /// `flange.phi = phi0`.
        pub struct Fixed = "Modelica.Mechanics.Rotational.Components.Fixed" {
            /// Fixed offset angle of the housing
            phi0: Real["rad", fixed] = 0,
        }
        ports {
            /// Fixed flange
            flange: Flange,
        }
    }

    impl Component for Fixed {
        fn contribute(p: FixedParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let flange = c.flange(&ROTATIONAL, "flange");
            c.linear(&[(flange, Ex::one())], p.phi0);
            Ok(())
        }
    }
}
