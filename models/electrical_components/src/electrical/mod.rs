//! Circuits: resistors, capacitors, inductors, sources, sensors, converters to mechanics, switches,
//! semiconductors, amplifiers.

mod adaptors;
mod amplifiers;
mod arcs;
mod basic;
mod controlled_switches;
mod coupled;
mod detailed_amplifier;
mod diodes;
mod emf;
mod interfaces;
mod power_supply;
mod selectors;
mod sensors;
mod sources;
mod storage;
mod switches;
mod thyristors;
mod waves;

pub use adaptors::*;
pub use amplifiers::*;
pub use arcs::*;
pub use basic::*;
pub use controlled_switches::*;
pub use coupled::*;
pub use detailed_amplifier::*;
pub use diodes::*;
pub use emf::*;
pub use power_supply::*;
pub use selectors::*;
pub use sensors::*;
pub use sources::*;
pub use storage::*;
pub use switches::*;
pub use thyristors::*;
pub use waves::*;
