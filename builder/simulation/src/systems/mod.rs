//! Systems of several FMUs: files in the format SSP, wiring, and masters, which simulate systems.

pub mod master;
mod order;
pub mod package;
pub mod structure;
pub mod wiring;
