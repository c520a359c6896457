//! Tests of the program `fmu` as a person meets it.

mod fixture;
mod new_models;
mod refusals;
mod simulations;
