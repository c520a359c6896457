//! Tests that every rule finds violations, and finds nothing in legal FMUs.

mod descriptions;
mod files;
mod legal;
mod libraries;

use super::*;
use crate::model_description::{self, Metadata};
use crate::sample;

fn sound() -> String {
    model_description::write(&sample::pendulum(), &Metadata::default()).unwrap()
}
