//! Sources: forces and prescribed motions.

mod constant_force;
mod eddy_current_force;
mod force;
mod motion;
mod rolling_resistance;
mod sign_force;
mod speed_dependent_force;

pub use constant_force::{ConstantForce, ForceStep};
pub use eddy_current_force::{EddyCurrentForce, EddyCurrentForcePorts};
pub use force::{Force, Force2, Force2Ports, ForcePorts};
pub use motion::{
    Accelerate, AcceleratePorts, ConstantSpeed, ConstantSpeedPorts, Move, MovePorts, Position,
    PositionPorts, Speed, SpeedPorts,
};
pub use rolling_resistance::{RollingResistance, RollingResistancePorts};
pub use sign_force::SignForce;
pub use speed_dependent_force::{
    InverseSpeedDependentForce, LinearSpeedDependentForce, QuadraticSpeedDependentForce,
};

use crate::ports;

ports! {
    /// Ports and variables of a force that needs no signal.
    pub struct ForceSourcePorts {
        /// The driven flange.
        flange: translational_flange,
        /// Housing; held if it is not connected.
        support: translational_flange,
        /// Position relative to the support in m.
        s: quantity,
        /// Velocity relative to the support in m/s.
        v: quantity,
        /// Cut force of the flange in N: negative accelerates it.
        f: quantity,
    }
}
