//! The code that runs inside an FMU: C interface, call order, instance, events, integrators.
//!
//! It uses a model only as a [`system::System`] or as the tape of a program. A library exports a
//! system with [`export!`]. The system is usually emitted code; this one is written by hand,
//! `der(x) = -k x` with `x(0) = 1`:
//!
//! ```
//! use fmu_runtime::system::*;
//!
//! struct Decay;
//!
//! impl System for Decay {
//!     const INFO: Info = Info::new("Decay")
//!         .guid("{8c4e810f-3df3-4a00-8276-176fa3c9f000}")
//!         .parameters(&[0.5])
//!         .states(&[State::new("x")])
//!         .reals(&[
//!             Variable::new("k", Source::Parameter(0)).min(0.0),
//!             Variable::new("x", Source::State(0)).output(),
//!         ]);
//!
//!     fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
//!         e.x[0] = S::from(1.0);
//!         Ok(())
//!     }
//!
//!     fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
//!         if stage == Stage::Dynamics {
//!             e.dx[0] = -(e.p[0] * e.x[0]);
//!         }
//!         Ok(())
//!     }
//! }
//!
//! fmu_runtime::export!(Decay);
//! ```
// The constants of FMI have their names in the standard.
#![allow(non_upper_case_globals, reason = "the names are those of the C interface")]

mod data;
mod evaluation;
mod fmi;
mod functions;
mod instance;
pub mod integrate;
mod interface;
mod model;
mod plain_data;

pub use fmi::capabilities::{CAPABILITIES, Capabilities, MAX_INPUT_ORDER};
pub use fmi::log::{Category, LOG_CATEGORIES};
pub use fmi::{calls, fmi2};
#[doc(hidden)]
pub use interface::abi;
pub use interface::simulation::{self, Simulation};
pub use kernels;
pub use model::{equations, resources, system};
pub use program::{controller, controller_code, plain_data};

/// The folder with the sources of this crate, for the program that compiles them into an FMU.
#[doc(hidden)]
pub const FOLDER: &str = kernels::folder!();
