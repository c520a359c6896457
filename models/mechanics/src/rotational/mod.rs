//! Components of rotational drive trains.

mod clutch;
mod fixed;
pub mod friction;
mod ideal_gear;
mod inertia;
mod spring_damper;
mod torque;

pub use clutch::{Clutch, ClutchPorts};
pub use fixed::{Fixed, FixedPorts};
pub use friction::Characteristic;
pub use ideal_gear::{IdealGear, IdealGearPorts};
pub use inertia::{Inertia, InertiaPorts};
pub use spring_damper::{SpringDamper, SpringDamperPorts};
pub use torque::{Torque, TorquePorts};

use crate::assembly::{At, Flange};

/// The ports of a component with two flanges.
pub(crate) fn two_flanges(at: At) -> (Flange, Flange) {
    (at.flange("flange_a"), at.flange("flange_b"))
}
