//! What an instance knows of its model: equations, resources, the words for what fails.

pub mod changes;
pub mod equations;
pub mod fault;
pub mod resources;
pub mod system;
pub mod tangent;
