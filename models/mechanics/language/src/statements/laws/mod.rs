//! What the laws of components read and give, in the order in which it becomes known.

pub mod acceleration_view;
#[doc(hidden)]
pub mod circuits;
pub mod friction_element;
pub mod impulse_rows;
#[doc(hidden)]
pub mod multipliers;
pub mod signal_view;
#[doc(hidden)]
pub mod solution;
pub mod velocity_view;
mod whole_numbers;
