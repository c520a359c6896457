//! Circuits: resistors, capacitors, inductors, sources, sensors, converters to mechanics, switches.

mod basic;
mod coupled;
mod emf;
mod interfaces;
mod sensors;
mod sources;
mod switches;

pub use basic::*;
pub use coupled::*;
pub use emf::*;
pub use sensors::*;
pub use sources::*;
pub use switches::*;
