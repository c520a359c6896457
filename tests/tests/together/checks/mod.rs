//! `fmu check` and the checkers of others: they find what is wrong, and nothing in our FMUs.

mod contents;
mod faulty;
mod mutants;
mod third_party;
mod validators;
