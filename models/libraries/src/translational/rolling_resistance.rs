//! The resistance of a rolling wheel.

use crate::interfaces::regularization::Regularization;
use crate::interfaces::source::Source;
use crate::interfaces::source::translational::{accelerating, supported};
use crate::translational::road::Road;
use mechanics::declaration::prelude::*;
use mechanics::domain::TRANSLATIONAL;

component! {
    /// Resistance of a rolling wheel; `flange` is its axle and `support` is the road.
    ///
    /// It brakes the axle of a vehicle whose wheels and mass are other components.
    ///
    /// # Equations
    /// `f = flange.f = Cr fWeight cos(atan(inclination)) sign(v)`, where `reg` selects how the sign
    /// is made continuous around zero; `support.f = -f`.
    pub struct RollingResistance = "Modelica.Mechanics.Translational.Components.RollingResistance" {
        /// Wheel load due to gravity
        f_weight "fWeight": Real["N", >= 0, structural zero],
        /// Rolling resistance coefficient
        cr_constant "CrConstant": Real["1", for cr] = 0.01,
        /// Tangent of the inclination angle
        inclination_constant "inclinationConstant": Real["1", for inclination] = 0,
        /// Velocity below which the force is regularized
        v0: Real["m/s", > 0] = 0.1,
        /// Type of regularization
        reg: Regularization[constant] = Regularization::Exp,
        ..supported,
        ..accelerating,
    }
    ports {
        /// Rolling resistance coefficient
        cr: Input["1"],
        /// Tangent of the inclination angle
        inclination: Input["1"],
    }
}

impl Component for RollingResistance {
    fn contribute(p: RollingResistanceParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let road = Road { cr: p.cr_constant, inclination: p.inclination_constant };
        Source::new(c, &TRANSLATIONAL)
            .law(c, move |e, v| Ok(-road.read(e)?.rolling(p.f_weight) * p.reg.sign(v, p.v0)));
        Ok(())
    }
}
