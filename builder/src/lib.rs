//! The program `fmu`, which builds, runs, compares, checks and inspects FMUs, for the models of any
//! package.

pub mod archive;
mod atomic_file;
pub mod build;
pub mod carried;
pub mod check;
mod child_process;
pub mod cli;
pub mod compare;
pub mod csv;
mod csv_of_any_tool;
mod diagram;
mod documentation;
pub mod error;
pub mod finding;
pub mod fmi;
pub mod fmu;
mod folders;
mod hand_written;
pub mod host;
mod inspect;
pub mod libraries;
pub mod licenses;
pub mod model_description;
pub mod models;
pub mod new;
pub mod platform;
mod plot;
pub mod report;
pub mod run;
mod runs_on;
#[cfg(test)]
mod sample;
pub mod shared_library;
mod view;
mod wording;
mod xml;

pub use error::Error;
#[doc(hidden)]
pub use kernels;

/// The folder with the sources of this crate.
const FOLDER: &str = kernels::folder!();

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
