//! Compares results with a reference.

mod against;
mod experiment;
mod measure;
mod summary;

pub use against::{Compared, fmu, tables};
pub use experiment::experiment;
pub use measure::{Deviation, Held, ModeComparison, TRANSIENT, bounds, events, instants, largest};
pub(crate) use summary::picture;
pub use summary::text;
