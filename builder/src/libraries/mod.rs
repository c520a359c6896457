//! The libraries of FMUs: compiled by cargo from copies of the run time's sources.

pub mod compiler;
pub mod players;
pub mod run_time;
