//! Forces that depend on the speed.

use super::ForceSourcePorts;
use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::source::{self, SpeedDependence};
use crate::setters;

/// Force proportional to the speed.
///
/// # Equations
/// `f = flange.f = -f_nominal |v / v_nominal|`, or `-f_nominal v / v_nominal` without
/// `ForceDirection`; `support.f = -f`.
///
/// # Variables
/// `f_nominal` in N (negative: a load), `v_nominal` in m/s, not zero; `v` relative to the
/// support.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.LinearSpeedDependentForce.
#[derive(Clone, Debug)]
pub struct LinearSpeedDependentForce(SpeedDependence);

impl LinearSpeedDependentForce {
    /// Of `f_nominal` in N at `v_nominal` in m/s.
    pub fn f_nominal_v_nominal(f_nominal: f64, v_nominal: f64) -> Self {
        LinearSpeedDependentForce(SpeedDependence::new(f_nominal, v_nominal))
    }

    /// Whether the force has the same direction in both directions of motion.
    #[must_use]
    pub fn force_direction(self, same: bool) -> Self {
        LinearSpeedDependentForce(self.0.one_direction(same))
    }
}

impl OldComponent for LinearSpeedDependentForce {
    type Ports = ForceSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::linear(c, &TRANSLATIONAL, self.0)
    }
}

/// Force proportional to the square of the speed.
///
/// # Equations
/// `f = flange.f = -f_nominal (v / v_nominal)^2`, times the sign of `v` without `ForceDirection`;
/// `support.f = -f`.
///
/// # Variables
/// `f_nominal` in N (negative: a load), `v_nominal` in m/s, not zero; `v` relative to the
/// support.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.QuadraticSpeedDependentForce.
#[derive(Clone, Debug)]
pub struct QuadraticSpeedDependentForce(SpeedDependence);

impl QuadraticSpeedDependentForce {
    /// Of `f_nominal` in N at `v_nominal` in m/s.
    pub fn f_nominal_v_nominal(f_nominal: f64, v_nominal: f64) -> Self {
        QuadraticSpeedDependentForce(SpeedDependence::new(f_nominal, v_nominal))
    }

    /// Whether the force has the same direction in both directions of motion.
    #[must_use]
    pub fn force_direction(self, same: bool) -> Self {
        QuadraticSpeedDependentForce(self.0.one_direction(same))
    }
}

impl OldComponent for QuadraticSpeedDependentForce {
    type Ports = ForceSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::quadratic(c, &TRANSLATIONAL, self.0)
    }
}

/// Force inversely proportional to the speed.
///
/// # Equations
/// `f = flange.f`, `support.f = -f`. With `ForceDirection`: `f = -f_nominal v_nominal / max(|v|,
/// v0)`. Without: `f = -f_nominal v_nominal / v`, but `-f_nominal v / v0` while `|v| < v0`; as
/// published, the two differ at `|v| = v0` (by the factor `v_nominal / v0`) unless `v0` is
/// `v_nominal`.
///
/// # Variables
/// `f_nominal` in N (negative: a load), `v_nominal` in m/s, not zero, `v0` in m/s, positive;
/// `v` relative to the support.
///
/// # Events
/// `|v| = v0` without `ForceDirection`.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.InverseSpeedDependentForce.
#[derive(Clone, Debug)]
pub struct InverseSpeedDependentForce {
    dependence: SpeedDependence,
    v0: f64,
}

impl InverseSpeedDependentForce {
    /// Of `f_nominal` in N at `v_nominal` in m/s.
    pub fn f_nominal_v_nominal(f_nominal: f64, v_nominal: f64) -> Self {
        let dependence = SpeedDependence::new(f_nominal, v_nominal);
        InverseSpeedDependentForce { dependence, v0: 0.1 }
    }

    /// Whether the force has the same direction in both directions of motion.
    #[must_use]
    pub fn force_direction(self, same: bool) -> Self {
        InverseSpeedDependentForce { dependence: self.dependence.one_direction(same), ..self }
    }
}

setters! {
    impl InverseSpeedDependentForce {
        /// Speed in m/s below which the force does not grow.
        v0: f64,
    }
}

impl OldComponent for InverseSpeedDependentForce {
    type Ports = ForceSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::inverse(c, &TRANSLATIONAL, self.dependence, self.v0)
    }
}
