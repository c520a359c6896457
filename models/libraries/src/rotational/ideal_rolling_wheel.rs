//! A wheel that rolls without slip.

use crate::interfaces::rotational_to_translational::{self, rotational_to_translational};
use mechanics::declaration::prelude::*;

component! {
    /// Ideal rolling wheel without inertia.
    ///
    /// It is the wheel of a vehicle that moves straight ahead without slip.
    ///
    /// # Equations
    /// `radius (flangeR.phi - supportR.phi) = flangeT.s - supportT.s`,
    /// `0 = radius flangeT.f + flangeR.tau`, `supportR.tau = -flangeR.tau`,
    /// `supportT.f = -flangeT.f`; a support that is not connected is fixed at zero.
    ///
    /// `radius` is fixed because initial values depend on it.
    pub struct IdealRollingWheel = "Modelica.Mechanics.Rotational.Components.IdealRollingWheel" {
        /// Radius of the wheel
        radius: Real["m", != 0, fixed],
        ..rotational_to_translational,
    }
}

impl Component for IdealRollingWheel {
    fn contribute(p: IdealRollingWheelParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        rotational_to_translational::contribute(c, p.radius, Ex::one());
        Ok(())
    }
}
