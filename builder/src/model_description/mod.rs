//! The modelDescription.xml: reading that of any FMU, and writing that of a model.

mod parse;
mod types;
mod write;

pub use types::{
    Attributes, Base, BaseUnit, DisplayUnit, Experiment, Interface, ModelDescription,
    ScalarVariable, SimpleType, Unit, Unknown,
};
pub use write::{Metadata, write};
