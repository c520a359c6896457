//! Components of 3-D mechanics.

mod constraints;
mod assemblies;
mod forces;
mod joints;
mod parts;
mod resolve;
mod sensors;
mod world;

pub use constraints::*;
pub use assemblies::*;
pub use forces::*;
pub use joints::*;
pub use parts::*;
pub use resolve::{ResolveInFrameA, ResolveInFrameAB, ResolveInFrameB};
pub use sensors::*;
pub use world::{GravityType, World, WorldPorts};
