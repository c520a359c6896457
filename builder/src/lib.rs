//! The program `fmu`, which makes FMUs of models and works with FMUs of any origin, for the models
//! of any package.

pub mod cli;
mod commands;
pub mod libraries;
pub mod models;
mod own_files;

pub use commands::{build, compare, cut, new, report};
pub use fmus::{archive, csv, error, finding, fmi, fmu, host, model_description, platform};
pub use fmus::{error::Error, shared_library};
#[doc(hidden)]
pub use kernels;
pub use models::licenses;
pub use own_files::carried;
pub use simulation::{run, systems};

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
