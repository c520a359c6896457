//! Blocks with states: integrators, controllers, linear systems, filters, delays.

mod analog_filter;
mod controllers;
mod limited_integrator;
mod linear_systems;
mod pade_delay;
mod prototypes;
mod state_space;

pub use analog_filter::*;
pub use controllers::*;
pub use limited_integrator::*;
pub use linear_systems::*;
pub use pade_delay::*;
pub use prototypes::AnalogFilter;
pub use state_space::*;
