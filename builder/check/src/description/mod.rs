//! Rules for modelDescription.xml.

mod aliases;
mod definitions;
mod model_structure;
mod model_variables;
mod openmodelica;
pub mod rules;
mod schema;
mod structured_names;
