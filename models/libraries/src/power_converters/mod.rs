//! Converters between direct and alternating current.

mod averaged;

pub use averaged::*;
