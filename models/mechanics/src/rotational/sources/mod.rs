//! Sources: torques and prescribed motions.

mod constant_torque;
mod eddy_current_torque;
mod motion;
mod sign_torque;
mod speed_dependent_torque;
mod torque;

pub use constant_torque::{ConstantTorque, TorqueStep};
pub use eddy_current_torque::{EddyCurrentTorque, EddyCurrentTorquePorts};
pub use motion::{
    Accelerate, AcceleratePorts, ConstantSpeed, ConstantSpeedPorts, Move, MovePorts, Position,
    PositionPorts, Speed, SpeedPorts,
};
pub use sign_torque::SignTorque;
pub use speed_dependent_torque::{
    InverseSpeedDependentTorque, LinearSpeedDependentTorque, QuadraticSpeedDependentTorque,
};
pub use torque::{Torque, Torque2, Torque2Ports, TorquePorts};

use crate::ports;

ports! {
    /// Ports and variables of a torque that needs no signal.
    pub struct TorqueSourcePorts {
        /// The driven flange.
        flange: flange,
        /// Housing; held if it is not connected.
        support: flange,
        /// Angle relative to the support in rad.
        phi: quantity,
        /// Angular velocity relative to the support in rad/s.
        w: quantity,
        /// Torque that accelerates the flange in N.m.
        tau: quantity,
    }
}
