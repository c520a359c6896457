//! Sampled systems: ticks of clocks, samplers and holds, controllers.

mod clocked;
mod discrete;
mod opaque_controllers;
mod pulse_width;
mod rollback;
mod sampled_controllers;
mod ticks;
