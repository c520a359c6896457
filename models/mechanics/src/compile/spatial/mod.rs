//! Poses, velocities and inertias of rigid bodies in space.

pub mod articulated;
pub mod pose;
