//! The function `model` of a file: a text to be traced, or a hand-written system.

use equations::{Language, Model};
use fmu_runtime::system::System;

use crate::models::hand_written::HandWritten;

/// The kinds of functions `model`.
pub enum Text {
    /// A model text, which is traced.
    Traced(Box<dyn FnOnce(&mut Model)>),
    /// A system written by hand.
    HandWritten(HandWritten),
}

/// A function that is a model: of a [`Language`], or one that returns a [`System`]. `Signature`
/// distinguishes these and is always inferred.
#[diagnostic::on_unimplemented(
    message = "this is not a model",
    label = "a model is a function of `&mut Assembly` or of `&mut Model`, or gives a `System`"
)]
pub trait IntoText<Signature> {
    /// The model.
    fn into_text(self) -> Text;
}

impl<L: Language, F: FnOnce(&mut L) + 'static> IntoText<fn(L)> for F {
    fn into_text(self) -> Text {
        Text::Traced(Box::new(|model| L::trace(self, model)))
    }
}

impl<T: System, F: FnOnce() -> T> IntoText<fn() -> T> for F {
    fn into_text(self) -> Text {
        Text::HandWritten(HandWritten::of::<T>())
    }
}
