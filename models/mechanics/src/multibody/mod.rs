//! Components of 3-D mechanics.

mod assemblies;
mod constraints;
mod forces;
mod joints;
mod parts;
mod resolve;
mod sensors;
mod world;

pub use assemblies::*;
pub use constraints::*;
pub use forces::*;
pub use joints::*;
pub use parts::*;
pub use resolve::{ResolveInFrameA, ResolveInFrameAB, ResolveInFrameB};
pub use sensors::*;
pub use world::{GravityType, World, WorldPorts};
