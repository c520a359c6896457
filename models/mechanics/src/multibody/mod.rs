//! Components of 3-D mechanics.

mod body;
mod joints;
mod shapes;
mod universal_spherical;
mod world;

pub use body::{Body, BodyPorts};
pub use joints::{Prismatic, PrismaticPorts, Revolute, RevolutePorts, Spherical, SphericalPorts};
pub use shapes::{BodyBox, BodyCylinder, BodyShape, FixedTranslation, RodPorts};
pub use universal_spherical::{UniversalSpherical, UniversalSphericalPorts};
pub use world::{World, WorldPorts};
