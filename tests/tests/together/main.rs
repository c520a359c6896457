//! The integration tests, with one folder for each theme.
//!
//! Tests begin in the order of their names. The longest ones, which compile for other platforms,
//! come first, so that none of them runs alone at the end.

mod across_platforms;
mod c_interface;
mod checkers;
mod documents;
mod importers;
mod physics;
mod systems;
