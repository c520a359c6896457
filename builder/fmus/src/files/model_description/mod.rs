//! The modelDescription.xml of any FMU.

mod parse;
mod types;

pub use types::{
    Attributes, BASE_UNITS, Base, BaseUnit, DisplayUnit, Experiment, Interface, ModelDescription,
    ScalarVariable, SimpleType, Unit, Unknown,
};
