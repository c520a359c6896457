//! An eddy current brake.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::eddy_current::{EddyCurrent, eddy_current};
use crate::ports;

/// Eddy current brake, dependent on speed and temperature.
///
/// # Equations
/// `flange.f = f = 2 f_nominal excitation^2 x / (1 + x^2)` with `x = v / (v_nominal (1 + alpha
/// (T - TRef)))` and `alpha = alpha20 / (1 + alpha20 (TRef - 293.15))`; `support.f = -f`;
/// `lossPower = f v = -heatPort.Q_flow`.
///
/// # Variables
/// `f_nominal` in N, reached at `v_nominal` in m/s (not zero) and `TRef` in K; `alpha20` in
/// 1/K. `T` in K is the temperature of `heatPort`, or a parameter if that is not connected;
/// `excitation` without unit is an input, or the parameter `constantExcitation`.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.EddyCurrentForce.
#[derive(Clone, Debug)]
pub struct EddyCurrentForce(EddyCurrent);

ports! {
    /// Ports and variables of an [`EddyCurrentForce`].
    pub struct EddyCurrentForcePorts {
        /// The braked flange.
        flange: translational_flange,
        /// Housing; held if it is not connected.
        support: translational_flange,
        /// Takes the losses.
        heat_port: heat_port = "heatPort",
        /// Excitation, 1 for the nominal force.
        excitation: input,
        /// Position relative to the support in m.
        s: quantity,
        /// Velocity relative to the support in m/s.
        v: quantity,
        /// Braking force in N.
        f: quantity,
        /// Power that becomes heat, in W.
        loss_power: quantity = "lossPower",
    }
}

impl EddyCurrentForce {
    /// Of at most `f_nominal` in N, reached at `v_nominal` in m/s.
    pub fn f_nominal_v_nominal(f_nominal: f64, v_nominal: f64) -> Self {
        EddyCurrentForce(EddyCurrent::new(f_nominal, v_nominal))
    }
}

eddy_current!(EddyCurrentForce);

impl OldComponent for EddyCurrentForce {
    type Ports = EddyCurrentForcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        self.0.contribute(c, &TRANSLATIONAL)
    }
}
