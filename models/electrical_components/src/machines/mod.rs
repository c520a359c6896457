//! Electrical machines.

mod dc_machine;
mod dc_machines;
mod losses;

pub use dc_machines::*;
