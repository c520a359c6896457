//! Bodies and rigid connections.

mod bevel_gear1d;
mod body;
mod body_box;
mod body_cylinder;
mod body_shape;
mod fixed;
mod fixed_rotation;
mod fixed_translation;
mod free;
mod inertia_tensor;
mod mounting1d;
mod point_mass;
mod rolling_wheel;
mod rolling_wheel_set;
mod rotor1d;
mod shape;

pub use bevel_gear1d::*;
pub use body::*;
pub use body_box::*;
pub use body_cylinder::*;
pub use body_shape::*;
pub use fixed::*;
pub use fixed_rotation::*;
pub use fixed_translation::*;
pub(crate) use inertia_tensor::{InertiaTensor, inertia_setters, inertia_tensor};
pub use mounting1d::*;
pub use point_mass::*;
pub use rolling_wheel::*;
pub use rolling_wheel_set::*;
pub use rotor1d::*;
