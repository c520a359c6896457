//! An ideal transmission from rotation to translation.

use crate::interfaces::rotational_to_translational::{self, rotational_to_translational};
use mechanics::declaration::prelude::*;

component! {
    /// Gearbox transforming rotational into translational motion.
    ///
    /// It is a rack and pinion, a spindle or a winch.
    ///
    /// # Equations
    /// `flangeR.phi - supportR.phi = ratio (flangeT.s - supportT.s)`,
    /// `0 = ratio flangeR.tau + flangeT.f`, `supportR.tau = -flangeR.tau`,
    /// `supportT.f = -flangeT.f`; a support that is not connected is fixed at zero.
    ///
    /// `ratio` is fixed because initial values depend on it.
    pub struct IdealGearR2T = "Modelica.Mechanics.Rotational.Components.IdealGearR2T" {
        /// Transmission ratio (flangeR.phi / flangeT.s)
        ratio: Real["rad/m", != 0, fixed],
        ..rotational_to_translational,
    }
}

impl Component for IdealGearR2T {
    fn contribute(p: IdealGearR2TParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        rotational_to_translational::contribute(c, Ex::one(), p.ratio);
        Ok(())
    }
}
