//! Force elements between frames: they have no freedoms and, but for point masses, no mass.

mod between_frames;
mod damper;
mod line_force;
mod line_force_with_mass;
mod line_force_with_two_masses;
mod load;
mod node;
mod spring;
mod spring_damper_parallel;
mod spring_damper_series;
mod world;

pub use between_frames::{
    Force, ForceAndTorque, ForceAndTorquePorts, ForcePorts, Torque, TorquePorts,
};
pub use damper::{Damper, DamperPorts};
pub(crate) use line_force::{LineForce, Tension};
pub use line_force_with_mass::{LineForceWithMass, LineForceWithMassPorts};
pub use line_force_with_two_masses::{LineForceWithTwoMasses, LineForceWithTwoMassesPorts};
pub(crate) use node::Nodes;
pub use spring::{Spring, SpringPorts};
pub use spring_damper_parallel::{SpringDamperParallel, SpringDamperParallelPorts};
pub use spring_damper_series::{SpringDamperSeries, SpringDamperSeriesPorts};
pub use world::{
    WorldForce, WorldForceAndTorque, WorldForceAndTorquePorts, WorldForcePorts, WorldTorque,
    WorldTorquePorts,
};
