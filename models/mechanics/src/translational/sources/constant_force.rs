//! Forces that do not depend on the motion.

use super::ForceSourcePorts;
use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::source::{self, Step};
use crate::setters;

/// Constant force, not dependent on speed.
///
/// # Equations
/// `f = flange.f = -f_constant`, `support.f = -f`.
///
/// # Variables
/// `f_constant` in N: positive accelerates the flange.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.ConstantForce.
#[derive(Clone, Debug)]
pub struct ConstantForce {
    f_constant: f64,
}

impl ConstantForce {
    /// Of `f_constant` in N.
    pub fn f_constant(f_constant: f64) -> Self {
        ConstantForce { f_constant }
    }
}

impl OldComponent for ConstantForce {
    type Ports = ForceSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::constant(c, &TRANSLATIONAL, self.f_constant)
    }
}

/// Constant force that jumps at an instant.
///
/// # Equations
/// `f = flange.f = -offsetForce - (0 before startTime, else stepForce)`, `support.f = -f`.
///
/// # Variables
/// `stepForce`, `offsetForce` in N, `startTime` in s.
///
/// # Events
/// A time event at `startTime`.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.ForceStep.
#[derive(Clone, Debug)]
pub struct ForceStep {
    step_force: f64,
    offset_force: f64,
    start_time: f64,
}

impl ForceStep {
    /// Of the height `stepForce` in N, at time zero.
    pub fn step_force(step_force: f64) -> Self {
        ForceStep { step_force, offset_force: 0.0, start_time: 0.0 }
    }
}

setters! {
    impl ForceStep {
        /// Force before the step in N.
        offset_force: f64,
        /// Time of the step in s.
        start_time: f64,
    }
}

impl OldComponent for ForceStep {
    type Ports = ForceSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (height, offset) = (self.step_force, self.offset_force);
        source::step(c, &TRANSLATIONAL, Step { height, offset, start_time: self.start_time })
    }
}
