//! Blocks that act at the ticks of clocks: samplers, holds, and sampled systems.

mod clocked;
mod controller;
mod converters;
mod discrete;
mod opaque;
mod periodic;
mod pid;
mod pulse_width;
mod real_number;
mod triggered;

pub use clocked::*;
pub use controller::*;
pub use converters::*;
pub use discrete::*;
pub use opaque::*;
pub use pid::*;
pub use pulse_width::*;
pub use real_number::{RealNumber, Truth};
pub use triggered::*;
