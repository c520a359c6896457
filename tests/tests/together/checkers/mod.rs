//! Checkers, our own and those of others: they find what is wrong, and nothing in our FMUs.

mod contents;
mod faulty;
mod independent;
mod mutants;
mod third_party;
mod validators;
