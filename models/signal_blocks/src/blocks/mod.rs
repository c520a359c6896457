//! Blocks of signals beyond those of [`signals`](crate::signals): functions, sums, logic, sources,
//! systems with states, statistics, routing, and types of signals.

mod comparisons;
mod continuous;
mod conversions;
mod discrete_sources;
mod endings;
mod expressions;
mod flip_flops;
mod functions;
mod integers;
pub(crate) mod interfaces;
mod logical;
mod modulation;
mod motion;
mod nonlinear;
mod routing;
mod sources;
mod statistics;
mod sums;
mod switches;
mod tables;
pub(crate) mod time_rows;
mod timing;

pub use comparisons::*;
pub use continuous::*;
pub use conversions::*;
pub use discrete_sources::*;
pub use endings::*;
pub use expressions::*;
pub use flip_flops::*;
pub use functions::*;
pub use integers::*;
pub use logical::*;
pub use modulation::*;
pub use motion::*;
pub use nonlinear::*;
pub use routing::*;
pub use sources::*;
pub use statistics::*;
pub use sums::*;
pub use switches::*;
pub use tables::*;
pub use timing::*;
