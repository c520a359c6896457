//! The libraries of FMUs, which cargo compiles from copies of the run time's sources, and the
//! program itself for other machines.

mod artifacts;
pub(crate) mod compiler;
pub mod distribution;
pub mod players;
pub(crate) mod run_time;
pub(crate) mod toolchain;

pub use artifacts::Compiled;
