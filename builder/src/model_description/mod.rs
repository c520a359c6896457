//! The modelDescription.xml of an FMU: read of any FMU, written of models.

mod parse;
mod values;
mod write;

pub use values::{
    Attributes, Base, BaseUnit, Experiment, Interface, ModelDescription, ScalarVariable,
    SimpleType, Unit, Unknown,
};
pub use write::{Metadata, write};
