//! What runs inside an FMU: C interface, call order, instance, events, integrators.
//!
//! It knows a model only as a [`system::System`]. A library exports one with [`export!`].
// The constants of FMI keep their names.
#![allow(non_upper_case_globals)]

#[doc(hidden)]
pub mod abi;
pub mod calls;
mod capabilities;
mod co_simulation;
mod derivatives;
mod equations;
mod evaluation;
mod events;
mod fault;
pub mod fmi2;
mod instance;
pub mod integrate;
mod log;
mod memory;
mod model_exchange;
mod state;
pub mod system;
mod tangent;
mod variables;

pub use capabilities::{CAPABILITIES, Capabilities, MAX_INPUT_ORDER};
pub use kernels;
pub use log::{Category, LOG_CATEGORIES};
