//! Terms that the program and the checker share.

pub mod error;
pub mod finding;
pub mod fmi;
pub mod platform;
pub mod wording;
pub mod xml;
