//! Components whose equations are the same for rotation and translation.
//!
//! They are written with the names of rotation, in modules `rotational`. The macro `two_domains`
//! translates each into a module `translational`, in which `phi` is `s`, `w` is `v` and `tau` is
//! `f`.

pub mod adaptors;
pub mod bearing_friction;
pub mod brake;
pub mod eddy_current;
pub mod fixed;
pub mod initialize_flange;
pub mod motion_sources;
pub mod relative_states;
pub mod sensors;
pub mod sources;
pub mod spring_damper;
