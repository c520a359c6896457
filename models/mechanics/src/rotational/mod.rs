//! Components of rotational drive trains.

mod bearing_friction;
mod brake;
mod clutch;
mod damper;
mod disc;
mod elasto_backlash;
mod fixed;
mod ideal_gear;
mod ideal_gear_r2t;
mod ideal_planetary;
mod ideal_rolling_wheel;
mod inertia;
mod initialize_flange;
mod relative_states;
mod spring;
mod spring_damper;
mod torque;

pub use crate::interfaces::characteristic::Characteristic;
pub use bearing_friction::{BearingFriction, BearingFrictionPorts};
pub use brake::{Brake, BrakePorts};
pub use clutch::{Clutch, ClutchPorts};
pub use damper::{Damper, DamperPorts};
pub use disc::{Disc, DiscPorts};
pub use elasto_backlash::{ElastoBacklash, ElastoBacklash2, ElastoBacklashPorts};
pub use fixed::{Fixed, FixedPorts};
pub use ideal_gear::{IdealGear, IdealGearPorts};
pub use ideal_gear_r2t::{IdealGearR2T, IdealGearR2TPorts};
pub use ideal_planetary::{IdealPlanetary, IdealPlanetaryPorts};
pub use ideal_rolling_wheel::{IdealRollingWheel, IdealRollingWheelPorts};
pub use inertia::{Inertia, InertiaPorts};
pub use initialize_flange::{InitializeFlange, InitializeFlangePorts};
pub use relative_states::{RelativeStates, RelativeStatesPorts};
pub use spring::{Spring, SpringPorts};
pub use spring_damper::{SpringDamper, SpringDamperPorts};
pub use torque::{Torque, TorquePorts};
