//! Everything that changes in an instance, and copies of it.

pub mod memory;
pub mod serialization;
pub mod snapshot;
pub mod status;
pub mod stored_states;
