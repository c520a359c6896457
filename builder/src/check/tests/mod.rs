//! Every rule finds the fault it is for, and nothing in what is legal.

mod descriptions;
mod files;
mod legal;
mod libraries;

use super::*;
use crate::{sample, xml};

fn sound() -> String {
    xml::model_description(&sample::pendulum(), &xml::Origin::default()).unwrap()
}
