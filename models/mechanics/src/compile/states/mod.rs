//! From the topology to the states and their initial values.

pub mod first_modes;
pub mod initial_system;
pub mod initial_values;
pub mod prescribed_motion;
pub mod start_values;
