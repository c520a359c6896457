//! Force elements between frames: they have no freedoms and, but for point masses, no mass.

mod between_frames;
mod load;
mod world;

pub use between_frames::{
    Force, ForceAndTorque, ForceAndTorquePorts, ForcePorts, Torque, TorquePorts,
};
pub use world::{
    WorldForce, WorldForceAndTorque, WorldForceAndTorquePorts, WorldForcePorts, WorldTorque,
    WorldTorquePorts,
};
