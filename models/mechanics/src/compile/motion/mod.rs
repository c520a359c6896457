//! Coordinates and frames as functions of the states.

pub mod coordinates;
