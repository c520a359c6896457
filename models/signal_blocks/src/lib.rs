//! Blocks of signals, with the names and equations of `Modelica.Blocks`.
//!
//! [`signals`] contains what most model texts need: sources, tables, simple blocks, and the inputs
//! of the FMU. [`blocks`] contains the rest. [`curves`] interpolates tables.

pub mod blocks;
pub mod curves;
pub mod signals;

/// Compiles and runs the code in the guides.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
