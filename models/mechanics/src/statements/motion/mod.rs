//! Coordinates and frames as functions of the states, as laws read them.

pub mod coordinates;
pub mod ends;
pub(crate) mod frames;
pub(crate) mod level;
pub mod rates_along;
pub(crate) mod variables;
