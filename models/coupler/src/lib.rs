//! Mechanical models and equations in Rust that become FMI 2.0 FMUs.
//!
//! A package with models lists them in its `lib.rs`; each model is a file in the same folder:
//!
//! ```text
//! coupler::models! {
//!     pump,
//! }
//! ```
//!
//! Its `main.rs` is the program that simulates the models and makes FMUs; `cargo run -- run pump`
//! simulates the model `pump`:
//!
//! ```text
//! fn main() -> std::process::ExitCode {
//!     coupler::run(&my_models::MODELS)
//! }
//! ```
//!
//! A model is a function of an [`Assembly`] of components, a function of a
//! [`Model`](equations::Model) with equations of its own, or a function that returns a hand-written
//! [`System`](system::System). A test simulates it in its own process:
//!
//! ```
//! use coupler::prelude::*;
//! use coupler::rotational::*;
//!
//! fn model(m: &mut Assembly) {
//!     let torque = m.add("torque", ConstantTorque::new().tau_constant(2));
//!     let wheel = m.add("wheel", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(0)));
//!     m.connect(torque.flange, wheel.flange_a);
//! }
//!
//! let mut wheel = coupler::simulation(model)?;
//! wheel.start(None)?;
//! wheel.run_to(3.0)?;
//! assert!((wheel.read("wheel.w")? - 12.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A model of a package is simulated by its name: `MODELS.simulation("pump")`.

pub use equations;
pub use fmu_builder::models::macros::models;
pub use fmu_runtime::{Simulation, controller, controller_code, kernels, plain_data, system};

// Components, and what components of other packages share with them.
pub use ::libraries::{
    batteries, blocks, electrical, impulses, interfaces, machines, multibody, power_converters,
    rotational, sampled, signals, thermal, translational,
};

// Assemblies of components, and their equations as numbers.
pub use mechanics::{
    Assembly, Error, Experiment, Mechanism, Quantity, add, assemble, assembly, error, mechanism,
    start,
};

// The declaration of components, and the language in which they state their equations.
pub use mechanics::{
    choice, component, declaration, domain, group, orientation, plain_settings, port, scene,
    statements, vector,
};

/// The models of a package as values.
pub mod models {
    pub use fmu_builder::models::{IntoText, ModelText, Package};
}

/// The tables of all components and of the kinds of their parameters.
pub mod libraries {
    pub use ::libraries::{
        CHOICES, ComponentLibrary, FACTS, KINDS, LIBRARIES, ParameterKind, class, classes_of,
        registry,
    };
}

mod modelica_texts;
mod netlists;

pub use ::netlist;
pub use modelica_texts::ModelicaTexts;
pub use netlists::Netlists;

use std::process::ExitCode;

use ::libraries::ComponentLibrary;
use fmu_builder::error::Error as BuildError;
use fmu_builder::new::Facade;
use mechanics::assembly::Registry;

/// The items that every model text needs, besides the components of its libraries.
pub mod prelude {
    pub use ::libraries::prelude::*;
    pub use equations::{Bool, Ex, Experiment, Model, select};
    pub use fmu_runtime::Simulation;
}

/// Systems of several FMUs: their files in the format SSP, their wiring, and masters that simulate
/// them.
pub mod systems {
    pub use fmu_builder::cut::CutSystem;
    pub use fmu_builder::systems::{master, package, structure, wiring};
}

/// Divides a model at flanges, or at flanges of components, into FMUs that signals join.
///
/// ```
/// use coupler::prelude::*;
/// use coupler::rotational::*;
/// use coupler::systems::master::{SystemOptions, simulate};
///
/// fn model(m: &mut Assembly) {
///     let motor = m.add("motor", Inertia::new().J(1).phi(fixed(0)).w(fixed(1)));
///     let shaft = m.add("shaft", SpringDamper::new().c(100).d(1));
///     let load = m.add("load", Inertia::new().J(2).phi(fixed(0)).w(fixed(0)));
///     m.chain((motor, shaft, load));
///     m.outputs([motor.w, load.w]);
/// }
///
/// let system = coupler::cut(model, &["shaft"])?;
/// assert!(system.notes[0].ends_with("elastic"));
/// let outcome = simulate(&system.wiring, &SystemOptions::default(), &mut |_| ())?;
/// assert!(outcome.failure.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the model has a mistake, or if a flange does not divide it.
pub fn cut<Signature>(
    model: impl models::IntoText<Signature> + Clone,
    at: &[&str],
) -> Result<systems::CutSystem, BuildError> {
    let netlists = Netlists { registry: Registry::new(::libraries::LIBRARIES) };
    let at: Vec<String> = at.iter().map(|name| (*name).to_owned()).collect();
    fmu_builder::cut::of_text([model.clone().into_text(), model.into_text()], &netlists, &at)
}

/// Runs the program `fmu` on the models of a package, with the arguments of the process.
pub fn run(package: &models::Package) -> ExitCode {
    run_with(package, &[])
}

/// Runs the program `fmu` as [`run`] does; files with models may also contain components of these
/// libraries of the package.
pub fn run_with(package: &models::Package, own: &'static [ComponentLibrary]) -> ExitCode {
    let libraries = ::libraries::LIBRARIES.iter().chain(own);
    let netlists = Netlists { registry: Registry::new(libraries) };
    fmu_builder::cli::run(package, &[&netlists, &ModelicaTexts], &FACADE)
}

/// This crate as a dependency of new packages; only tests of such packages name it.
#[doc(hidden)]
pub const FACADE: Facade = Facade {
    package: env!("CARGO_PKG_NAME"),
    library: env!("CARGO_CRATE_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    folder: fmu_builder::kernels::folder!(),
};

/// A simulation of a model before its start. The model is a function like that in the file of a
/// model.
///
/// # Errors
/// The model has a mistake.
pub fn simulation<Signature>(
    model: impl models::IntoText<Signature>,
) -> Result<Simulation, BuildError> {
    fmu_builder::models::simulation(model.into_text())
}

/// The code in the guides compiles and runs.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../../../docs/adding-a-model.md")]
    mod model {}
    #[doc = include_str!("../../../docs/adding-a-component.md")]
    mod component {}
    #[doc = include_str!("../../../docs/blocks-and-laws.md")]
    mod blocks_and_laws {}
    #[doc = include_str!("../../../docs/circuits.md")]
    mod circuits {}
    #[doc = include_str!("../../../docs/sampled-systems.md")]
    mod sampled_systems {}
    #[doc = include_str!("../../../docs/coupling.md")]
    mod coupling {}
    #[doc = include_str!("../../../docs/scene.md")]
    mod scene {}
    #[doc = include_str!("../../../docs/system-by-hand.md")]
    mod system_by_hand {}
}
