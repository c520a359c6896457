//! Parts: what has mass, and what is rigid.

mod body;
mod body_box;
mod body_cylinder;
mod body_shape;
mod fixed;
mod fixed_rotation;
mod fixed_translation;
mod free;
mod point_mass;
mod shape;

pub use body::{Body, BodyPorts};
pub use body_box::BodyBox;
pub use body_cylinder::BodyCylinder;
pub use body_shape::BodyShape;
pub use fixed::{Fixed, FixedPorts};
pub use fixed_rotation::FixedRotation;
pub use fixed_translation::{FixedTranslation, RodPorts};
pub use point_mass::{PointMass, PointMassPorts};
