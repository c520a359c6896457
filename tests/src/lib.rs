//! Code that the integration tests share: simulations, FMUs, the C harness, importers in Python,
//! curves.
//!
//! There is no unsafe code here: the harness is a C program in a separate process. The harness
//! loads the library of an FMU, and executes the commands that a test writes to its standard input.

pub mod benchmarks;
pub mod chains;
pub mod changes;
pub mod components;
pub mod conformance;
pub mod curves;
pub mod fmu;
pub mod fmu_program;
pub mod harness;
pub mod installed;
pub mod instance;
pub mod leniencies;
pub mod machines;
pub mod mechanisms;
pub mod models;
pub mod one_of_each;
pub mod openmodelica;
pub mod own;
pub mod published;
pub mod python;
pub mod runs;
pub mod simulations;
mod skipped;
pub mod stop_impact;
pub mod validation;

pub use fmu::Fmu;
pub use harness::{FmuType, Harness, Status};
pub use instance::Instance;
pub use skipped::skipped;

use std::path::PathBuf;

/// The advice if something that the tests need is missing.
pub const ADVICE: &str = "run `cargo xtask test`, which makes it";

/// The root of the repository.
pub fn root() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    folder.parent().map_or(folder.clone(), PathBuf::from)
}

/// The target folder of cargo, which also contains the FMUs and the virtual environment.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
