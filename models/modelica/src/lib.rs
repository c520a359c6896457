//! Models written in Modelica.

pub mod evaluate;
pub mod instance;
pub mod library;
pub mod modifier;
pub mod source;
pub mod syntax;
pub mod value;
