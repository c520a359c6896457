//! The modelDescription.xml of an FMU: read of any FMU, written of models.

mod parse;
mod types;
mod write;

pub use types::{
    Attributes, Base, BaseUnit, Experiment, Interface, ModelDescription, ScalarVariable,
    SimpleType, Unit, Unknown,
};
pub use write::{Metadata, write};
