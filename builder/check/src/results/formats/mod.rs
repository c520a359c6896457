//! The results of a check in the formats that other programs read.

mod json;
mod junit;
mod sarif;
#[cfg(test)]
mod tests;

pub use json::json;
pub use junit::junit;
pub use sarif::sarif;

/// The name of this program in its results.
const TOOL: &str = "fmu check";

/// Its version.
const VERSION: &str = env!("CARGO_PKG_VERSION");
