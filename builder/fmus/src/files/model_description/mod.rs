//! The modelDescription.xml of any FMU.

mod parse;
mod types;

pub use types::{
    Attributes, BASE_UNITS, Base, BaseUnit, DefaultExperiment, DisplayUnit, Interface,
    ModelDescription, ScalarVariable, SimpleType, Unit, Unknown,
};
