//! Simulates FMUs of any origin, one at a time or several that are joined to a system.

pub mod run;
pub mod systems;
