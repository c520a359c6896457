//! Blocks that act at the ticks of clocks: samplers, holds, and sampled systems.

mod discrete;
mod periodic;
mod pid;
mod pulse_width;
mod triggered;

pub use discrete::*;
pub use pid::*;
pub use pulse_width::*;
pub use triggered::*;
