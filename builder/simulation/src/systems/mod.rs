//! Systems of several FMUs: their files in the format SSP, their wiring, and masters that simulate
//! them.

pub mod master;
mod order;
pub mod package;
pub mod structure;
pub mod wiring;
