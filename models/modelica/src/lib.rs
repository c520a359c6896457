//! Models written in Modelica.

pub mod equations;
pub mod evaluate;
mod former;
pub mod instance;
pub mod leaf;
pub mod library;
pub mod model;
pub mod modifier;
mod names;
pub mod source;
mod standard;
pub mod syntax;
mod tables;
pub mod value;
