//! Torques that do not depend on the motion.

use super::TorqueSourcePorts;
use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::source::{self, Step};
use crate::setters;

/// Constant torque, not dependent on speed.
///
/// # Equations
/// `tau = tau_constant = -flange.tau`, `support.tau = tau`.
///
/// # Variables
/// `tau_constant` in N.m: positive accelerates the flange.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.ConstantTorque.
#[derive(Clone, Debug)]
pub struct ConstantTorque {
    tau_constant: f64,
}

impl ConstantTorque {
    /// Of `tau_constant` in N.m.
    pub fn tau_constant(tau_constant: f64) -> Self {
        ConstantTorque { tau_constant }
    }
}

impl OldComponent for ConstantTorque {
    type Ports = TorqueSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::constant(c, &ROTATIONAL, self.tau_constant)
    }
}

/// Constant torque that jumps at an instant.
///
/// # Equations
/// `tau = offsetTorque + (0 before startTime, else stepTorque) = -flange.tau`, `support.tau = tau`.
///
/// # Variables
/// `stepTorque`, `offsetTorque` in N.m, `startTime` in s.
///
/// # Events
/// A time event at `startTime`.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.TorqueStep.
#[derive(Clone, Debug)]
pub struct TorqueStep {
    step_torque: f64,
    offset_torque: f64,
    start_time: f64,
}

impl TorqueStep {
    /// Of the height `stepTorque` in N.m, at time zero.
    pub fn step_torque(step_torque: f64) -> Self {
        TorqueStep { step_torque, offset_torque: 0.0, start_time: 0.0 }
    }
}

setters! {
    impl TorqueStep {
        /// Torque before the step in N.m.
        offset_torque: f64,
        /// Time of the step in s.
        start_time: f64,
    }
}

impl OldComponent for TorqueStep {
    type Ports = TorqueSourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (height, offset) = (self.step_torque, self.offset_torque);
        source::step(c, &ROTATIONAL, Step { height, offset, start_time: self.start_time })
    }
}
