//! Tests of our own and of foreign checkers: they find faults, and find nothing in our FMUs.

mod contents;
mod experiments;
mod faulty;
mod formats;
mod independent;
mod mutants;
mod third_party;
mod validators;
