//! From loads to accelerations, and from impulses to jumps of the speeds.

pub mod equations_of_motion;
pub mod impacts;
pub mod massless;
