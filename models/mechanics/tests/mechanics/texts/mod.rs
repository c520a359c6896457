//! Model texts: names, chains, parameters, and the notes and refusals for their authors.

mod assembly;
mod by_name;
mod declared_and_used;
mod excluded_zeros;
mod named_outputs;
mod notes;
mod wrong_parameters;
