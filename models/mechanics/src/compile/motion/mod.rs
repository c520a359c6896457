//! Coordinates and frames as functions of the states: what laws read of a motion.

pub mod coordinates;
pub mod ends;
pub mod frames;
pub mod level;
pub mod rates_along;
pub mod variables;
