//! Converters between direct and alternating current.

mod averaged;
mod switched;

pub use averaged::*;
pub use switched::*;
