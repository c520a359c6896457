//! Parts: what has mass, and what is rigid.

mod body;
mod shapes;

pub use body::{Body, BodyPorts};
pub use shapes::{BodyBox, BodyCylinder, BodyShape, FixedTranslation, RodPorts};
