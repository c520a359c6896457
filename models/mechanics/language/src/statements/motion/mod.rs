//! Coordinates and frames as functions of the states, as laws read them.

pub mod coordinates;
pub mod ends;
#[doc(hidden)]
pub mod frames;
#[doc(hidden)]
pub mod level;
pub mod rates_along;
#[doc(hidden)]
pub mod variables;
