//! Components of drive trains that move along a line.

mod brake;
mod elasto_gap;
mod gas_force2;
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
pub use crate::one_dimensional::adaptors::translational::*;
pub use crate::one_dimensional::drives::translational::*;
pub use crate::one_dimensional::eddy_current::translational::*;
pub use crate::one_dimensional::fixed::translational::*;
pub use crate::one_dimensional::initialize_flange::translational::*;
pub use crate::one_dimensional::sensors::translational::*;
pub use crate::one_dimensional::sources::translational::*;
pub use crate::one_dimensional::spring_damper::translational::*;
pub use brake::{Brake, BrakePorts};
pub use elasto_gap::{ElastoGap, ElastoGapPorts};
pub use gas_force2::{GasForce2, GasForce2Ports};
pub use mass::*;
pub use mass_with_stop_and_friction::{MassWithStopAndFriction, MassWithStopAndFrictionPorts};
pub use relative_states::{RelativeStates, RelativeStatesPorts};
pub use rod::*;
pub use rolling_resistance::*;
pub use spring::{Spring, SpringPorts};
pub use support_friction::{SupportFriction, SupportFrictionPorts};
pub use vehicle::*;
