//! An ideal transmission from rotation to translation.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::interfaces::rotational_to_translational;
use crate::ports;
use equations::Ex;

/// Gearbox transforming rotational into translational motion.
///
/// # Equations
/// `flangeR.phi - supportR.phi = ratio (flangeT.s - supportT.s)`,
/// `0 = ratio flangeR.tau + flangeT.f`, `supportR.tau = -flangeR.tau`, `supportT.f = -flangeT.f`;
/// a support that is not connected is held at zero.
///
/// # Variables
/// `ratio` in rad/m, not zero; fixed because initial values hang on it.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.IdealGearR2T.
#[derive(Clone, Debug)]
pub struct IdealGearR2T {
    ratio: f64,
}

ports! {
    /// Ports of an [`IdealGearR2T`].
    pub struct IdealGearR2TPorts {
        /// Rotating shaft.
        flange_r: flange = "flangeR",
        /// Sliding rod.
        flange_t: translational_flange = "flangeT",
        /// Housing that takes the torque.
        support_r: flange = "supportR",
        /// Housing that takes the force.
        support_t: translational_flange = "supportT",
    }
}

impl IdealGearR2T {
    /// With transmission ratio `flangeR.phi / flangeT.s` in rad/m.
    pub fn ratio(ratio: f64) -> Self {
        IdealGearR2T { ratio }
    }
}

impl OldComponent for IdealGearR2T {
    type Ports = IdealGearR2TPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Transmission ratio (flangeR.phi / flangeT.s)";
        let ratio = c.non_zero("ratio", self.ratio, "rad/m", text)?;
        rotational_to_translational::contribute(c, Ex::one(), ratio);
        Ok(())
    }
}
