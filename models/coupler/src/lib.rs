//! Mechanical models and equations in Rust that become FMI 2.0 FMUs.
#![doc = ""]
#![doc = include_str!("../README.md")]

pub use equations;
pub use fmu_builder::models;
pub use fmu_runtime::Simulation;
pub use mechanics::*;

use std::process::ExitCode;

use equations::Language;
use fmu_builder::error::Error as BuildError;
use fmu_builder::models::{Package, Traced};
use fmu_builder::new::Facade;

/// What every model text needs, beside the components of its libraries.
pub mod prelude {
    pub use equations::{Bool, Ex, Experiment, Model, select};
    pub use fmu_runtime::Simulation;
    pub use mechanics::prelude::*;
}

/// The program that has the models of a package: new, run, build, compare, check, inspect. Its
/// arguments are those of the process.
pub fn run(package: &Package) -> ExitCode {
    fmu_builder::program::run(package, &FACADE)
}

/// This crate, as new packages depend on it.
pub const FACADE: Facade = Facade {
    package: env!("CARGO_PKG_NAME"),
    library: env!("CARGO_CRATE_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    folder: env!("CARGO_MANIFEST_DIR"),
};

/// A simulation of a model text before its start.
///
/// # Errors
/// A mistake in the model.
pub fn simulation<L: Language>(text: fn(&mut L)) -> Result<Simulation, BuildError> {
    let program = equations::compile_named("Model", "", |model| models::trace(text, model));
    let program = program.map_err(|error| BuildError::Build(error.to_string()))?;
    Traced::of("model", program).simulation()
}

/// The code in the guides compiles and runs.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../../../docs/adding-a-model.md")]
    mod model {}
    #[doc = include_str!("../../../docs/coupling.md")]
    mod coupling {}
    #[doc = include_str!("../../../docs/scene.md")]
    mod scene {}
}
