//! Compares results with a reference.

mod against;
mod measure;
mod summary;

pub use against::{Compared, fmu, tables};
pub use measure::{Deviation, Held, ModeComparison, PASSING, bounds, events, instants, largest};
pub use summary::{picture, text};
