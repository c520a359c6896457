//! Joints: what leaves frames some freedoms.

mod prismatic;
mod revolute;
mod spherical;
mod universal_spherical;

pub use prismatic::{Prismatic, PrismaticPorts};
pub use revolute::{Revolute, RevolutePorts};
pub use spherical::{Spherical, SphericalPorts};
pub use universal_spherical::{UniversalSpherical, UniversalSphericalPorts};
