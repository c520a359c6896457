//! The integration tests, with one folder for each theme.

mod c_interface;
mod checkers;
mod documents;
mod importers;
mod physics;
mod platforms;
