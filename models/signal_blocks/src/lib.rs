//! Blocks of signals, with the names and equations of `Modelica.Blocks`.
//!
//! [`signals`] contains what most model texts need: sources, tables, simple blocks, and the inputs
//! of the FMU. [`sampled`] contains blocks that act at the ticks of clocks, with names of
//! `Modelica.Blocks.Discrete` and `Modelica.Clocked`, and [`blocks`] the rest. [`curves`]
//! interpolates tables.

pub mod blocks;
pub mod curves;
pub mod sampled;
pub mod signals;
mod state_space;

/// Compiles and runs the code in the guides.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
