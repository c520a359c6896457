//! Components of drive trains that move along a line.

mod adaptors;
mod brake;
mod damper;
mod elasto_gap;
mod fixed;
mod initialize_flange;
mod mass;
mod mass_with_stop_and_friction;
mod relative_states;
mod road;
mod rod;
mod sensors;
mod sources;
mod spring;
mod spring_damper;
mod support_friction;
mod vehicle;

pub use crate::interfaces::characteristic::Characteristic;
pub use crate::interfaces::regularization::Regularization;
pub use adaptors::*;
pub use brake::{Brake, BrakePorts};
pub use damper::{Damper, DamperPorts};
pub use elasto_gap::{ElastoGap, ElastoGapPorts};
pub use fixed::{Fixed, FixedPorts};
pub use initialize_flange::{InitializeFlange, InitializeFlangePorts};
pub use mass::{Mass, MassPorts};
pub use mass_with_stop_and_friction::{MassWithStopAndFriction, MassWithStopAndFrictionPorts};
pub use relative_states::{RelativeStates, RelativeStatesPorts};
pub use rod::{Rod, RodPorts};
pub use sensors::*;
pub use sources::*;
pub use spring::{Spring, SpringPorts};
pub use spring_damper::{SpringDamper, SpringDamperPorts};
pub use support_friction::{SupportFriction, SupportFrictionPorts};
pub use vehicle::{Vehicle, VehicleBody, VehiclePorts};
