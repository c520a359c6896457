//! Torques that depend on the speed.

use super::TorqueSourcePorts;
use crate::component::{Contribution, OldComponent};
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
pub struct LinearSpeedDependentTorque(SpeedDependence);

impl LinearSpeedDependentTorque {
    /// Of `tau_nominal` in N.m at `w_nominal` in rad/s.
    pub fn tau_nominal_w_nominal(tau_nominal: f64, w_nominal: f64) -> Self {
        LinearSpeedDependentTorque(SpeedDependence::new(tau_nominal, w_nominal))
    }

    /// Whether the torque has the same direction in both directions of rotation.
    #[must_use]
    pub fn torque_direction(self, same: bool) -> Self {
        LinearSpeedDependentTorque(self.0.one_direction(same))
    }
}

impl OldComponent for LinearSpeedDependentTorque {
    type Ports = TorqueSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::linear(c, &ROTATIONAL, self.0)
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
pub struct QuadraticSpeedDependentTorque(SpeedDependence);

impl QuadraticSpeedDependentTorque {
    /// Of `tau_nominal` in N.m at `w_nominal` in rad/s.
    pub fn tau_nominal_w_nominal(tau_nominal: f64, w_nominal: f64) -> Self {
        QuadraticSpeedDependentTorque(SpeedDependence::new(tau_nominal, w_nominal))
    }

    /// Whether the torque has the same direction in both directions of rotation.
    #[must_use]
    pub fn torque_direction(self, same: bool) -> Self {
        QuadraticSpeedDependentTorque(self.0.one_direction(same))
    }
}

impl OldComponent for QuadraticSpeedDependentTorque {
    type Ports = TorqueSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::quadratic(c, &ROTATIONAL, self.0)
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
    dependence: SpeedDependence,
    w0: f64,
}

impl InverseSpeedDependentTorque {
    /// Of `tau_nominal` in N.m at `w_nominal` in rad/s.
    pub fn tau_nominal_w_nominal(tau_nominal: f64, w_nominal: f64) -> Self {
        let dependence = SpeedDependence::new(tau_nominal, w_nominal);
        InverseSpeedDependentTorque { dependence, w0: 0.1 }
    }

    /// Whether the torque has the same direction in both directions of rotation.
    #[must_use]
    pub fn torque_direction(self, same: bool) -> Self {
        InverseSpeedDependentTorque { dependence: self.dependence.one_direction(same), ..self }
    }
}

setters! {
    impl InverseSpeedDependentTorque {
        /// Speed in rad/s below which the torque does not grow.
        w0: f64,
    }
}

impl OldComponent for InverseSpeedDependentTorque {
    type Ports = TorqueSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::inverse(c, &ROTATIONAL, self.dependence, self.w0)
    }
}
