//! A model of components as a file in JSON: [`File`] is its content.
//!
//! [`File::of`] writes what a model text has filled, [`File::read`] reads a file, and
//! [`File::fill`] adds its components and connections to an assembly, as a model text would.
//! [`schema()`] describes the format for other programs.

mod content;
pub mod cut;
mod data;
mod equations;
#[doc(hidden)]
pub mod expression;
mod fill;
mod layout;
mod schema;
#[doc(hidden)]
pub mod trees;
mod value;
mod write;

pub use content::{
    Component, Experiment, File, FrameOutput, Mistake, NamedOutput, Output, Parameter, Place,
    TestValue, Unit, VERSION,
};
pub use data::Data;
pub use equations::{
    Assertion, Equations, EquationsAsComponents, Event, Initial, Ports, Reinit, ReinitOfOther,
    Variable, VariableType,
};
pub use schema::schema;

/// Compiles and runs the code in the guides.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
