//! Blocks of signals beyond those of [`signals`](crate::signals): logic, types of signals, and
//! further sources.

mod comparisons;
mod continuous;
mod conversions;
mod discrete_sources;
mod endings;
mod flip_flops;
mod interfaces;
mod logical;
mod modulation;
mod motion;
mod sources;
mod switches;
mod tables;
mod timing;

pub use comparisons::*;
pub use continuous::*;
pub use conversions::*;
pub use discrete_sources::*;
pub use endings::*;
pub use flip_flops::*;
pub use logical::*;
pub use modulation::*;
pub use motion::*;
pub use sources::*;
pub use switches::*;
pub use tables::*;
pub use timing::*;
