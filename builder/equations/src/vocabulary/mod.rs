//! Terms that all phases share: names, units, the description for importers, mistakes.

pub mod controller;
pub mod delay;
pub mod description;
pub mod error;
pub mod name;
pub mod schematic;
pub mod unit;
