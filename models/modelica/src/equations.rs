//! Equations of models and blocks: read from their texts, solved for their variables, and added to
//! an assembly as components.

mod added;
mod algorithms;
mod causality;
mod circuit_part;
mod circuits;
mod component;
mod connectors;
mod file;
mod frames;
mod inputs;
mod leaf_texts;
mod physical;
mod pins;
mod placed_pins;
mod placing;
mod ports;
mod positions;
mod reader;
mod reads;
mod resolved;
mod rigid;
mod sensors;
mod statements;
mod symbols;
mod system;
mod vanishing;

pub use added::{Determined, Ports};
pub use file::EquationsOfTexts;
pub use pins::inside;
pub use ports::Connected;
pub use symbols::{Symbols, indexed};
pub use system::Equations;
