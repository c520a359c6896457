//! Numerics shared by emitted code, the interpreter of tapes, and the run time.
//!
//! Every function that may have to be differentiated is generic over [`Scalar`]: the same code
//! computes values (`f64`) and exact derivatives ([`Dual`]). Emitted code and the interpreter call
//! the same functions, and therefore agree bit for bit.

mod combinations;
pub mod impact;
pub mod initial_modes;
pub mod limits;
pub mod linear;
pub mod newton;
pub mod relations;
pub mod rows;
mod scalar;
pub mod table;

pub use scalar::{Dual, Scalar};

/// The folder with the sources of this crate, for those who compile them again.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
