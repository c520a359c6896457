//! Masters: they simulate the FMUs of a system together, by published algorithms.

mod coupling;
mod failure;
mod initialization;
mod schemes;
mod simulation;
mod slave;
mod stability;

pub use schemes::{Method, Scheme, suitable};
pub use simulation::{SystemOptions, plan, simulate};
pub use slave::Abilities;
pub use stability::{Analysis, Linear, Loop, StableSteps, analysed};
