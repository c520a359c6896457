//! Signals: sources, blocks, tables, and the inputs of the FMU.

pub(crate) mod blocks;
mod dynamic;
mod filter;
pub(crate) mod init;
mod inputs;
pub(crate) mod interfaces;
mod lookup;
pub(crate) mod motion;
pub(crate) mod periodic;
mod sources;
pub(crate) mod tables;
pub(crate) mod waves;

pub use crate::curves::{Extrapolation, Smoothness};
pub use blocks::*;
pub use dynamic::*;
pub use filter::*;
pub use init::Init;
pub use inputs::*;
pub use lookup::*;
pub use motion::*;
pub use periodic::*;
pub use sources::*;
pub use tables::*;
