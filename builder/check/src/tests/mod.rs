//! Tests that every rule finds violations, and finds nothing in legal FMUs.

mod descriptions;
mod files;
mod legal;
mod libraries;
mod related_files;

use super::*;

/// A description with every kind of element, as the program `fmu` writes it.
fn sound() -> String {
    include_str!("pendulum.xml").to_owned()
}
