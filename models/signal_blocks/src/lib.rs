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

/// Outputs that are arrays, for blocks in other libraries.
pub mod arrays {
    pub use crate::signals::interfaces::give_array;
}

/// Signals as functions of time, for sources in other libraries.
pub mod waves {
    pub use crate::blocks::time_rows::lines;
    pub use crate::signals::interfaces::SignalSource;
    pub use crate::signals::periodic::Periods;
    pub use crate::signals::waves::phase;
}

/// Compiles and runs the code in the guides.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
