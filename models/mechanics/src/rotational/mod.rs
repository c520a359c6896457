//! Components of rotational drive trains.

mod clutch;
mod fixed;
mod ideal_gear;
mod inertia;
mod spring_damper;
mod torque;

pub use crate::interfaces::friction::Characteristic;
pub use clutch::{Clutch, ClutchPorts};
pub use fixed::{Fixed, FixedPorts};
pub use ideal_gear::{IdealGear, IdealGearPorts};
pub use inertia::{Inertia, InertiaPorts};
pub use spring_damper::{SpringDamper, SpringDamperPorts};
pub use torque::{Torque, TorquePorts};
