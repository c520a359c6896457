//! What the laws of components read and give.

pub mod evaluation;
