//! Compilation of a model text to its program.

use expressions::graph::with_fresh_arena;

use crate::compile::Program;
use crate::model::Model;
use crate::vocabulary::description::first_line;
use crate::vocabulary::error::Error;

/// The language of a model text: equations of a [`Model`], or components that become equations.
pub trait Language: Sized {
    /// Traces a text and adds its equations to a model, which reports mistakes in them.
    fn trace(text: impl FnOnce(&mut Self), model: &mut Model);
}

impl Language for Model {
    fn trace(text: impl FnOnce(&mut Model), model: &mut Model) {
        text(model);
    }
}

/// Traces and compiles a model.
///
/// `name` is the FMI model name; `documentation` is Markdown, whose first line becomes the
/// description. `model` must not use expressions made outside it.
///
/// # Errors
/// If there is a mistake in the model; the first one is reported.
pub fn compile_named(
    name: &str,
    documentation: &str,
    model: impl FnOnce(&mut Model),
) -> Result<Program, Error> {
    with_fresh_arena(|| {
        let mut traced = Model::new(name);
        traced.document(documentation);
        if let Some(line) = first_line(documentation) {
            traced.describe(line);
        }
        model(&mut traced);
        traced.compile()
    })
}
