//! Blocks of signals beyond those of [`signals`](crate::signals): logic, and types of signals.

mod conversions;
mod interfaces;
mod logical;

pub use conversions::*;
pub use logical::*;
