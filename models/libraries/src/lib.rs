//! Libraries of components: drive trains, mechanisms in space, impacts, heat, circuits, signals.
//!
//! This package uses `mechanics` as every other package with components does: whatever is written
//! here can be written elsewhere. [`interfaces`] contains what components of both one-dimensional
//! domains share, for components of other packages too.

pub mod impulses;
pub mod interfaces;
pub mod multibody;
mod one_dimensional;
pub mod rotational;
mod tables;
pub mod thermal;
pub mod translational;

pub use electrical_components::{batteries, electrical, machines, power_converters};
pub use mechanics::assembly::ComponentLibrary;
pub use signal_blocks::{blocks, curves, sampled, signals};
pub use tables::{CHOICES, FACTS, KINDS, LIBRARIES, ParameterKind, class, classes_of, registry};

/// The names that every model text needs, in addition to the components of its libraries.
pub mod prelude {
    pub use crate::signals::*;
    pub use mechanics::prelude::*;
}

/// Compiles and runs the code in the guides.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
