//! Components of drive trains that move along a line.

mod elasto_gap;
mod gas_force2;
mod mass;
mod mass_with_stop_and_friction;
mod road;
mod rod;
mod rolling_resistance;
mod vehicle;

pub use crate::interfaces::regularization::Regularization;
pub use crate::one_dimensional::adaptors::translational::*;
pub use crate::one_dimensional::bearing_friction::translational::*;
pub use crate::one_dimensional::brake::translational::*;
pub use crate::one_dimensional::eddy_current::translational::*;
pub use crate::one_dimensional::fixed::translational::*;
pub use crate::one_dimensional::initialize_flange::translational::*;
pub use crate::one_dimensional::motion_sources::translational::*;
pub use crate::one_dimensional::relative_states::translational::*;
pub use crate::one_dimensional::sensors::translational::*;
pub use crate::one_dimensional::sources::translational::*;
pub use crate::one_dimensional::spring_damper::translational::*;
pub use crate::rotational::{
    IdealGearR2T, IdealGearR2TParameters, IdealGearR2TPorts, IdealRollingWheel,
    IdealRollingWheelParameters, IdealRollingWheelPorts,
};
pub use elasto_gap::*;
pub use gas_force2::*;
pub use mass::*;
pub use mass_with_stop_and_friction::*;
pub use rod::*;
pub use rolling_resistance::*;
pub use vehicle::*;
