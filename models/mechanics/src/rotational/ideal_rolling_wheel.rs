//! A wheel that rolls without slip.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::interfaces::rotational_to_translational;
use crate::ports;
use equations::Ex;

/// Ideal rolling wheel without inertia.
///
/// # Equations
/// `radius (flangeR.phi - supportR.phi) = flangeT.s - supportT.s`,
/// `0 = radius flangeT.f + flangeR.tau`, `supportR.tau = -flangeR.tau`, `supportT.f = -flangeT.f`;
/// a support that is not connected is held at zero.
///
/// # Variables
/// `radius` in m, not zero; fixed because initial values hang on it.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.IdealRollingWheel.
#[derive(Clone, Debug)]
pub struct IdealRollingWheel {
    radius: f64,
}

ports! {
    /// Ports of an [`IdealRollingWheel`].
    pub struct IdealRollingWheelPorts {
        /// Rotating shaft.
        flange_r: flange = "flangeR",
        /// The axle that moves along.
        flange_t: translational_flange = "flangeT",
        /// Housing that takes the torque.
        support_r: flange = "supportR",
        /// Ground that takes the force.
        support_t: translational_flange = "supportT",
    }
}

impl IdealRollingWheel {
    /// With `radius` in m.
    pub fn radius(radius: f64) -> Self {
        IdealRollingWheel { radius }
    }
}

impl OldComponent for IdealRollingWheel {
    type Ports = IdealRollingWheelPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let radius = c.non_zero("radius", self.radius, "m", "Radius of the wheel")?;
        rotational_to_translational::contribute(c, radius, Ex::one());
        Ok(())
    }
}
