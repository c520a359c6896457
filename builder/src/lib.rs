//! The program `fmu`, which builds, runs, compares, checks and inspects FMUs, for the models of any
//! package.

pub mod archive;
pub mod build;
pub mod by_hand;
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
mod libraries;
pub mod licenses;
pub mod models;
pub mod new;
pub mod place;
mod players;
pub mod plot;
pub mod program;
pub mod read;
pub mod run;
mod run_time;
#[cfg(test)]
mod sample;
mod similar;
pub mod tree;
mod unit;
pub mod xml;

pub use error::Error;

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
