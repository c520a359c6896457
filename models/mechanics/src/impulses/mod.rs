//! Mechanics in space with impulses: joints, bodies and other elements under the names and with the
//! parameters of MultiBondLib.
//!
//! They are coordinates, links and forces like those of [`multibody`](crate::multibody), and both
//! libraries may be mixed in one model. Angles and their rates are given in degrees here. An
//! impulse reaches every joint, gear and loop of the mechanism.

mod body;
mod connections;
mod contacts;
mod damping;
mod free_movement;
mod free_orientation;
mod free_translational_movement;
mod gravity_pool;
mod init;
mod planar_revolute;
mod prismatic;
mod revolute;
mod spherical;
mod spring;

pub use crate::multibody::{
    Fixed, FixedPorts, FixedRotation, FixedTranslation, GravityType, World, WorldPorts,
};
pub use body::{Body, BodyPorts, SimpleBody, SimpleBodyPorts};
pub use connections::{
    CloseLoop, ConnectContinuousFrame, ConnectionPorts, InsertImpulse, InsertImpulsePorts,
};
pub use contacts::*;
pub use damping::{Damping, DampingPorts};
pub use free_movement::{FreeBodyMovement, FreeMovementPorts, PotentialFBM};
pub use free_translational_movement::{FreeTranslationalMovement, FreeTranslationalMovementPorts};
pub use gravity_pool::{GravityPool, GravityPoolPorts};
pub use init::InitType;
pub use planar_revolute::PlanarRevolute;
pub use prismatic::{Prismatic, PrismaticPorts};
pub use revolute::{Revolute, RevolutePorts};
pub use spherical::{Spherical, SphericalPorts};
pub use spring::{Spring, SpringPorts};
