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
mod standard;
mod tables;
pub mod value;

pub use modelica_syntax as syntax;
pub use modelica_syntax::source;
