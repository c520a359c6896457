//! Poses, velocities and inertias of rigid bodies in space.

pub mod articulated;
pub mod gravity_field;
pub mod pose;
pub mod spatial_inertia;
