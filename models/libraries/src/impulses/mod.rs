//! Mechanics in space with impulses: joints, bodies and other components with the names and
//! parameters of MultiBondLib.
//!
//! They add coordinates, links and forces like those of [`multibody`](crate::multibody), and one
//! model may use both libraries. Here angles and their rates are given in degrees. An impulse acts
//! on all joints, gears and loops of the mechanism.

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

pub use crate::multibody::{Fixed, FixedRotation, FixedTranslation, GravityType, World};
pub use body::*;
pub use connections::*;
pub use contacts::*;
pub use damping::*;
pub use free_movement::*;
pub use free_translational_movement::*;
pub use gravity_pool::*;
pub use init::InitType;
pub use planar_revolute::*;
pub use prismatic::*;
pub use revolute::*;
pub use spherical::*;
pub use spring::*;
