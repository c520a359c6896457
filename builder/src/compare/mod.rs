//! Compares results with a reference.

mod against;
mod measure;
mod report;

pub use against::{Compared, fmu, tables};
pub use measure::{Held, Modes, PASSING, Signal, bounds, events, instants, largest};
pub use report::{picture, text};
