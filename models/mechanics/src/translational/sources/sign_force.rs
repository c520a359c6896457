//! A force of constant magnitude in the direction of motion.

use super::ForceSourcePorts;
use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::regularization::Regularization;
use crate::interfaces::source;
use crate::setters;

/// Force that changes its sign with the direction of motion.
///
/// # Equations
/// `f = flange.f = -f_nominal sign(v)`, the sign made continuous around zero as `reg` says;
/// `support.f = -f`.
///
/// # Variables
/// `f_nominal` in N (negative: a load), `v0` in m/s, positive; `v` relative to the support.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.SignForce.
#[derive(Clone, Debug)]
pub struct SignForce {
    f_nominal: f64,
    reg: Regularization,
    v0: f64,
}

impl SignForce {
    /// Of `f_nominal` in N.
    pub fn f_nominal(f_nominal: f64) -> Self {
        SignForce { f_nominal, reg: Regularization::Exp, v0: 0.1 }
    }
}

setters! {
    impl SignForce {
        /// How the sign passes through zero.
        reg: Regularization,
        /// Speed in m/s below which the sign is regularised.
        v0: f64,
    }
}

impl OldComponent for SignForce {
    type Ports = ForceSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::sign(c, &TRANSLATIONAL, self.f_nominal, self.reg, self.v0)
    }
}
