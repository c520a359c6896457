//! Components of 3-D mechanics.

mod assemblies;
mod constraints;
mod forces;
mod joints;
mod parts;
mod resolve;
mod sensors;
mod visualizers;

pub use assemblies::*;
pub use constraints::*;
pub use forces::*;
pub(crate) use forces::{LineForce, Tension};
pub use joints::*;
pub(crate) use joints::{
    FreeOrientation, OrientationNames, RelativePose, Shown, planar_pin, slide, turn,
};
pub use mechanics::world::*;
pub use parts::*;
pub(crate) use parts::{InertiaTensor, inertia_setters, inertia_tensor};
pub use resolve::*;
pub use sensors::*;
pub use visualizers::*;
