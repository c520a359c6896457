//! A torque of constant magnitude in the direction of rotation.

use super::TorqueSourcePorts;
use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::regularization::Regularization;
use crate::interfaces::source;
use crate::setters;

/// Torque that changes its sign with the direction of rotation.
///
/// # Equations
/// `tau = tau_nominal sign(w)`, the sign made continuous around zero as `reg` says;
/// `flange.tau = -tau`, `support.tau = tau`.
///
/// # Variables
/// `tau_nominal` in N.m (negative: a load), `w0` in rad/s, positive; `w` relative to the support.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.SignTorque.
#[derive(Clone, Debug)]
pub struct SignTorque {
    tau_nominal: f64,
    reg: Regularization,
    w0: f64,
}

impl SignTorque {
    /// Of `tau_nominal` in N.m.
    pub fn tau_nominal(tau_nominal: f64) -> Self {
        SignTorque { tau_nominal, reg: Regularization::Exp, w0: 0.1 }
    }
}

setters! {
    impl SignTorque {
        /// How the sign passes through zero.
        reg: Regularization,
        /// Speed in rad/s below which the sign is regularised.
        w0: f64,
    }
}

impl OldComponent for SignTorque {
    type Ports = TorqueSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::sign(c, &ROTATIONAL, self.tau_nominal, self.reg, self.w0)
    }
}
