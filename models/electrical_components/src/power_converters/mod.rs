//! Converters between direct and alternating current.

mod averaged;
mod switched;
mod terminals;

pub use averaged::*;
pub use switched::*;
pub use terminals::{ChopperTerminals, HalfBridgeTerminals};
