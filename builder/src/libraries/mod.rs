//! The libraries of FMUs: cargo compiles them from copies of the run time's sources.

pub mod compiler;
pub mod players;
pub mod run_time;
pub mod toolchain;
