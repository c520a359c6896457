//! The resistance of a rolling wheel.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::regularization::Regularization;
use crate::interfaces::source::Source;
use crate::translational::road::Road;
use crate::{ports, setters};

/// Resistance of a rolling wheel.
///
/// # Equations
/// `f = flange.f = Cr fWeight cos(atan(inclination)) sign(v)`, the sign made continuous around zero
/// as `reg` says; `support.f = -f`.
///
/// # Variables
/// `fWeight` in N; `Cr` and `inclination` (the tangent of the angle) without unit, each an input
/// or, if that is not connected, the parameter `CrConstant` or `inclinationConstant`; `v0` in m/s,
/// positive; `v` relative to the support.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.RollingResistance.
#[derive(Clone, Debug)]
pub struct RollingResistance {
    weight: f64,
    cr_constant: f64,
    inclination_constant: f64,
    reg: Regularization,
    v0: f64,
}

ports! {
    /// Ports and variables of a [`RollingResistance`].
    pub struct RollingResistancePorts {
        /// The axle.
        flange: translational_flange,
        /// The road; held if it is not connected.
        support: translational_flange,
        /// Rolling resistance coefficient.
        cr: input,
        /// Tangent of the inclination angle.
        inclination: input,
        /// Position relative to the support in m.
        s: quantity,
        /// Velocity relative to the support in m/s.
        v: quantity,
        /// Braking force in N.
        f: quantity,
    }
}

impl RollingResistance {
    /// Of a wheel that carries `fWeight` in N.
    pub fn f_weight(weight: f64) -> Self {
        RollingResistance {
            weight,
            cr_constant: 0.01,
            inclination_constant: 0.0,
            reg: Regularization::Exp,
            v0: 0.1,
        }
    }
}

setters! {
    impl RollingResistance {
        /// Rolling resistance coefficient if the input is not connected.
        cr_constant: f64,
        /// Tangent of the inclination angle if the input is not connected.
        inclination_constant: f64,
        /// How the sign of the velocity passes through zero.
        reg: Regularization,
        /// Velocity in m/s below which the sign is regularised.
        v0: f64,
    }
}

impl OldComponent for RollingResistance {
    type Ports = RollingResistancePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let weight = c.amount("fWeight", self.weight, "N", "Weight that the wheel carries")?;
        let road = Road::declare(c, self.cr_constant, self.inclination_constant)?;
        let v0 =
            c.positive("v0", self.v0, "m/s", "Velocity below which the force is regularised")?;
        let reg = self.reg;
        reg.declare(c);
        Source::new(c, &TRANSLATIONAL)
            .law(c, move |e, motion| Ok(-road.read(e)?.rolling(weight) * reg.sign(motion.v, v0)));
        Ok(())
    }
}
