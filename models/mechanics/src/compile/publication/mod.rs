//! From the solution to the variables of the FMU.

pub mod cut_torques;
pub mod deferred;
pub mod drive_loads;
pub mod generalized;
pub mod scene_file;
pub mod temperatures;
pub mod variables;
