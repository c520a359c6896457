//! Builds, runs, checks and inspects FMUs: everything behind the program `fmu`.

pub mod archive;
pub mod build;
pub mod check;
pub mod compare;
pub mod csv;
pub mod docs;
mod entries;
pub mod error;
pub mod files;
pub mod fmu;
pub mod guard;
pub mod host;
pub mod inspect;
pub mod licenses;
pub mod new;
pub mod plot;
pub mod read;
pub mod run;
#[cfg(test)]
mod sample;
pub mod tree;
mod unit;
pub mod workspace;
pub mod xml;

pub use error::Error;
