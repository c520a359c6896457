//! Coordinates and frames as functions of the states, as laws read them.

pub mod coordinates;
pub mod ends;
pub mod frames;
pub mod level;
pub mod rates_along;
pub mod variables;
