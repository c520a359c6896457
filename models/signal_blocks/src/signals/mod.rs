//! Signals: sources, blocks, tables, and the inputs of the FMU.

mod akima;
pub(crate) mod blocks;
mod dynamic;
mod filter;
pub(crate) mod init;
mod inputs;
pub(crate) mod interfaces;
pub(crate) mod motion;
pub(crate) mod periodic;
mod sources;
pub(crate) mod tables;

pub use blocks::*;
pub use dynamic::*;
pub use filter::*;
pub use init::Init;
pub use inputs::*;
pub use motion::*;
pub use periodic::*;
pub use sources::*;
pub use tables::*;
