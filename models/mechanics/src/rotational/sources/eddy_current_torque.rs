//! An eddy current brake.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::eddy_current::{EddyCurrent, eddy_current};
use crate::ports;

/// Eddy current brake, dependent on speed and temperature.
///
/// # Equations
/// `flange.tau = tau = 2 tau_nominal excitation^2 x / (1 + x^2)` with `x = w / (w_nominal (1 +
/// alpha (T - TRef)))` and `alpha = alpha20 / (1 + alpha20 (TRef - 293.15))`; `support.tau = -tau`;
/// `lossPower = tau w = -heatPort.Q_flow`.
///
/// # Variables
/// `tau_nominal` in N.m, reached at `w_nominal` in rad/s (not zero) and `TRef` in K; `alpha20` in
/// 1/K. `T` in K is the temperature of `heatPort`, or a parameter if that is not connected;
/// `excitation` without unit is an input, or the parameter `constantExcitation`.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.EddyCurrentTorque.
#[derive(Clone, Debug)]
pub struct EddyCurrentTorque(EddyCurrent);

ports! {
    /// Ports and variables of an [`EddyCurrentTorque`].
    pub struct EddyCurrentTorquePorts {
        /// The braked flange.
        flange: flange,
        /// Housing; held if it is not connected.
        support: flange,
        /// Takes the losses.
        heat_port: heat_port = "heatPort",
        /// Excitation, 1 for the nominal torque.
        excitation: input,
        /// Angle relative to the support in rad.
        phi: quantity,
        /// Angular velocity relative to the support in rad/s.
        w: quantity,
        /// Braking torque in N.m.
        tau: quantity,
        /// Power that becomes heat, in W.
        loss_power: quantity = "lossPower",
    }
}

impl EddyCurrentTorque {
    /// Of at most `tau_nominal` in N.m, reached at `w_nominal` in rad/s.
    pub fn tau_nominal_w_nominal(tau_nominal: f64, w_nominal: f64) -> Self {
        EddyCurrentTorque(EddyCurrent::new(tau_nominal, w_nominal))
    }
}

eddy_current!(EddyCurrentTorque);

impl OldComponent for EddyCurrentTorque {
    type Ports = EddyCurrentTorquePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        self.0.contribute(c, &ROTATIONAL)
    }
}
