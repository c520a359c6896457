//! Forces that depend on the speed.

use super::ForceSourcePorts;
use crate::component::{Component, Contribution};
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
pub struct LinearSpeedDependentForce {
    f_nominal: f64,
    v_nominal: f64,
    force_direction: bool,
}

impl LinearSpeedDependentForce {
    /// Of `f_nominal` in N at `v_nominal` in m/s.
    pub fn f_nominal_v_nominal(f_nominal: f64, v_nominal: f64) -> Self {
        LinearSpeedDependentForce { f_nominal, v_nominal, force_direction: true }
    }
}

setters! {
    impl LinearSpeedDependentForce {
        /// Whether the force has the same direction in both directions of motion.
        force_direction: bool,
    }
}

impl Component for LinearSpeedDependentForce {
    type Ports = ForceSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (nominal, nominal_speed) = (self.f_nominal, self.v_nominal);
        let one_direction = self.force_direction;
        source::linear(c, &TRANSLATIONAL, SpeedDependence { nominal, nominal_speed, one_direction })
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
pub struct QuadraticSpeedDependentForce {
    f_nominal: f64,
    v_nominal: f64,
    force_direction: bool,
}

impl QuadraticSpeedDependentForce {
    /// Of `f_nominal` in N at `v_nominal` in m/s.
    pub fn f_nominal_v_nominal(f_nominal: f64, v_nominal: f64) -> Self {
        QuadraticSpeedDependentForce { f_nominal, v_nominal, force_direction: true }
    }
}

setters! {
    impl QuadraticSpeedDependentForce {
        /// Whether the force has the same direction in both directions of motion.
        force_direction: bool,
    }
}

impl Component for QuadraticSpeedDependentForce {
    type Ports = ForceSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (nominal, nominal_speed) = (self.f_nominal, self.v_nominal);
        let one_direction = self.force_direction;
        source::quadratic(
            c,
            &TRANSLATIONAL,
            SpeedDependence { nominal, nominal_speed, one_direction },
        )
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
    f_nominal: f64,
    v_nominal: f64,
    force_direction: bool,
    v0: f64,
}

impl InverseSpeedDependentForce {
    /// Of `f_nominal` in N at `v_nominal` in m/s.
    pub fn f_nominal_v_nominal(f_nominal: f64, v_nominal: f64) -> Self {
        InverseSpeedDependentForce { f_nominal, v_nominal, force_direction: true, v0: 0.1 }
    }
}

setters! {
    impl InverseSpeedDependentForce {
        /// Whether the force has the same direction in both directions of motion.
        force_direction: bool,
        /// Speed in m/s below which the force does not grow.
        v0: f64,
    }
}

impl Component for InverseSpeedDependentForce {
    type Ports = ForceSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (nominal, nominal_speed) = (self.f_nominal, self.v_nominal);
        let one_direction = self.force_direction;
        let dependence = SpeedDependence { nominal, nominal_speed, one_direction };
        source::inverse(c, &TRANSLATIONAL, dependence, self.v0)
    }
}
