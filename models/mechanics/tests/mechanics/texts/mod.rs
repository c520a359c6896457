//! Model texts: names, chains, parameters, and what their authors are told.

mod assembly;
mod notes;
mod wrong_parameters;
