//! Tests of everything together, one folder for each theme.

mod c_interface;
mod checks;
mod documents;
mod importers;
mod physics;
