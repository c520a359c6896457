//! Components of drive trains that move along a line.

mod adaptors;
mod elasto_gap;
mod fixed;
mod gas_force2;
mod initialize_flange;
mod mass;
mod mass_with_stop_and_friction;
mod road;
mod rod;
mod sensors;
mod sources;
mod vehicle;

pub use crate::interfaces::characteristic::Characteristic;
pub use crate::interfaces::regularization::Regularization;
pub use crate::one_dimensional::bearing_friction::translational::*;
pub use crate::one_dimensional::brake::translational::*;
pub use crate::one_dimensional::relative_states::translational::*;
pub use crate::one_dimensional::spring_damper::translational::*;
pub use adaptors::*;
pub use elasto_gap::*;
pub use fixed::{Fixed, FixedPorts};
pub use gas_force2::*;
pub use initialize_flange::{InitializeFlange, InitializeFlangePorts};
pub use mass::{Mass, MassPorts};
pub use mass_with_stop_and_friction::*;
pub use rod::{Rod, RodPorts};
pub use sensors::*;
pub use sources::*;
pub use vehicle::{Vehicle, VehicleBody, VehiclePorts};
