//! Models written in Modelica.

pub mod source;
pub mod syntax;
