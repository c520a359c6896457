//! Parts: what has mass, and what is rigid.

mod bevel_gear1d;
mod body;
mod body_box;
mod body_cylinder;
mod body_shape;
mod fixed;
mod fixed_rotation;
mod fixed_translation;
mod free;
mod mounting1d;
mod point_mass;
mod rolling_wheel;
mod rolling_wheel_set;
mod rotor1d;
mod shape;

pub use bevel_gear1d::{BevelGear1D, BevelGear1DPorts};
pub(crate) use body::MassProperties;
pub use body::{Body, BodyPorts};
pub use body_box::BodyBox;
pub use body_cylinder::BodyCylinder;
pub use body_shape::{BodyShape, BodyShapePorts};
pub use fixed::{Fixed, FixedPorts};
pub use fixed_rotation::FixedRotation;
pub use fixed_translation::{FixedTranslation, RodPorts};
pub use mounting1d::{Mounting1D, Mounting1DPorts};
pub use point_mass::{PointMass, PointMassPorts};
pub use rolling_wheel::*;
pub use rolling_wheel_set::*;
pub use rotor1d::{Rotor1D, Rotor1DPorts};
