//! Electrical machines.

mod dc_machine;
mod dc_machines;
mod losses;
mod shaft;
mod space_phasor;
mod synchronous;
mod transformations;
mod winding;

pub use dc_machines::*;
pub use synchronous::*;
pub use transformations::*;
