//! Torques that depend on the speed.

use super::TorqueSourcePorts;
use crate::component::{Component, Contribution};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::source::{self, SpeedDependence};
use crate::setters;

/// Torque proportional to the speed.
///
/// # Equations
/// `tau = tau_nominal |w / w_nominal|`, or `tau_nominal w / w_nominal` without `TorqueDirection`;
/// `flange.tau = -tau`, `support.tau = tau`.
///
/// # Variables
/// `tau_nominal` in N.m (negative: a load), `w_nominal` in rad/s, not zero; `w` relative to the
/// support.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.LinearSpeedDependentTorque.
#[derive(Clone, Debug)]
pub struct LinearSpeedDependentTorque {
    tau_nominal: f64,
    w_nominal: f64,
    torque_direction: bool,
}

impl LinearSpeedDependentTorque {
    /// Of `tau_nominal` in N.m at `w_nominal` in rad/s.
    pub fn tau_nominal_w_nominal(tau_nominal: f64, w_nominal: f64) -> Self {
        LinearSpeedDependentTorque { tau_nominal, w_nominal, torque_direction: true }
    }
}

setters! {
    impl LinearSpeedDependentTorque {
        /// Whether the torque has the same direction in both directions of rotation.
        torque_direction: bool,
    }
}

impl Component for LinearSpeedDependentTorque {
    type Ports = TorqueSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (nominal, nominal_speed) = (self.tau_nominal, self.w_nominal);
        let one_direction = self.torque_direction;
        source::linear(c, &ROTATIONAL, SpeedDependence { nominal, nominal_speed, one_direction })
    }
}

/// Torque proportional to the square of the speed.
///
/// # Equations
/// `tau = tau_nominal (w / w_nominal)^2`, times the sign of `w` without `TorqueDirection`;
/// `flange.tau = -tau`, `support.tau = tau`.
///
/// # Variables
/// `tau_nominal` in N.m (negative: a load), `w_nominal` in rad/s, not zero; `w` relative to the
/// support.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.QuadraticSpeedDependentTorque.
#[derive(Clone, Debug)]
pub struct QuadraticSpeedDependentTorque {
    tau_nominal: f64,
    w_nominal: f64,
    torque_direction: bool,
}

impl QuadraticSpeedDependentTorque {
    /// Of `tau_nominal` in N.m at `w_nominal` in rad/s.
    pub fn tau_nominal_w_nominal(tau_nominal: f64, w_nominal: f64) -> Self {
        QuadraticSpeedDependentTorque { tau_nominal, w_nominal, torque_direction: true }
    }
}

setters! {
    impl QuadraticSpeedDependentTorque {
        /// Whether the torque has the same direction in both directions of rotation.
        torque_direction: bool,
    }
}

impl Component for QuadraticSpeedDependentTorque {
    type Ports = TorqueSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (nominal, nominal_speed) = (self.tau_nominal, self.w_nominal);
        let one_direction = self.torque_direction;
        source::quadratic(c, &ROTATIONAL, SpeedDependence { nominal, nominal_speed, one_direction })
    }
}

/// Torque inversely proportional to the speed.
///
/// # Equations
/// With `TorqueDirection`: `tau = tau_nominal w_nominal / max(|w|, w0)`. Without: `tau =
/// tau_nominal w_nominal / w`, but `tau_nominal w / w0` while `|w| < w0`; as published, the two
/// differ at `|w| = w0` (by the factor `w_nominal / w0`) unless `w0` is `w_nominal`. `flange.tau =
/// -tau`, `support.tau = tau`.
///
/// # Variables
/// `tau_nominal` in N.m (negative: a load), `w_nominal` in rad/s, not zero, `w0` in rad/s,
/// positive; `w` relative to the support.
///
/// # Events
/// `|w| = w0` without `TorqueDirection`.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.InverseSpeedDependentTorque.
#[derive(Clone, Debug)]
pub struct InverseSpeedDependentTorque {
    tau_nominal: f64,
    w_nominal: f64,
    torque_direction: bool,
    w0: f64,
}

impl InverseSpeedDependentTorque {
    /// Of `tau_nominal` in N.m at `w_nominal` in rad/s.
    pub fn tau_nominal_w_nominal(tau_nominal: f64, w_nominal: f64) -> Self {
        InverseSpeedDependentTorque { tau_nominal, w_nominal, torque_direction: true, w0: 0.1 }
    }
}

setters! {
    impl InverseSpeedDependentTorque {
        /// Whether the torque has the same direction in both directions of rotation.
        torque_direction: bool,
        /// Speed in rad/s below which the torque does not grow.
        w0: f64,
    }
}

impl Component for InverseSpeedDependentTorque {
    type Ports = TorqueSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (nominal, nominal_speed) = (self.tau_nominal, self.w_nominal);
        let one_direction = self.torque_direction;
        let dependence = SpeedDependence { nominal, nominal_speed, one_direction };
        source::inverse(c, &ROTATIONAL, dependence, self.w0)
    }
}
