//! Components of drive trains that move along a line.

mod adaptors;
mod brake;
mod elasto_gap;
mod fixed;
mod gas_force2;
mod initialize_flange;
mod mass;
mod mass_with_stop_and_friction;
mod relative_states;
mod road;
mod rod;
mod rolling_resistance;
mod spring;
mod support_friction;
mod vehicle;

pub use crate::interfaces::characteristic::Characteristic;
pub use crate::interfaces::regularization::Regularization;
pub use crate::one_dimensional::drives::translational::*;
pub use crate::one_dimensional::eddy_current::translational::*;
pub use crate::one_dimensional::sensors::translational::*;
pub use crate::one_dimensional::sources::translational::*;
pub use crate::one_dimensional::spring_damper::translational::*;
pub use adaptors::*;
pub use brake::{Brake, BrakePorts};
pub use elasto_gap::{ElastoGap, ElastoGapPorts};
pub use fixed::{Fixed, FixedPorts};
pub use gas_force2::{GasForce2, GasForce2Ports};
pub use initialize_flange::{InitializeFlange, InitializeFlangePorts};
pub use mass::{Mass, MassPorts};
pub use mass_with_stop_and_friction::{MassWithStopAndFriction, MassWithStopAndFrictionPorts};
pub use relative_states::{RelativeStates, RelativeStatesPorts};
pub use rod::{Rod, RodPorts};
pub use rolling_resistance::*;
pub use spring::{Spring, SpringPorts};
pub use support_friction::{SupportFriction, SupportFrictionPorts};
pub use vehicle::{Vehicle, VehicleBody, VehiclePorts};
