//! The assembly of mechanical components, and the equations of motion, written as expressions.
//!
//! A model text fills an [`Assembly`], and [`assemble`] turns it into the equations of an FMU. The
//! package `language` contains the language of components, which is re-exported.

extern crate self as mechanics;

pub mod assembly;
mod compile;
pub mod declaration;
pub mod mechanism;
pub mod world;

#[doc(hidden)]
pub use mechanics_macros as expand;

pub use assembly::{Assembly, Netlist, Quantity};
pub use equations;
pub use equations::Experiment;
pub use error::Error;
use language::ids;
pub use language::{choice, plain_settings};
#[doc(inline)]
pub use language::{component, domain, error, orientation, port, scene, start, statements, vector};
pub use mechanism::Mechanism;

/// The names that every model text needs, in addition to components.
pub mod prelude {
    pub use crate::add;
    pub use crate::assembly::{
        Assembly, Flange, Frame, HeatPort, Input, Part, Quantity, TranslationalFlange,
    };
    pub use crate::start::StateSelect::{self, Always, Avoid, Prefer};
    pub use crate::start::{
        Start, fixed, fixed_vector, free, free_vector, guess, guess_vector, unknown,
    };
    pub use crate::vector::{X, Y, Z};
}

/// Adds the equations of an assembly to a model, or the [`Netlist`] if the model
/// [wants](equations::Model::want_source) it as its source.
///
/// # Errors
/// One sentence that names instances and values.
pub fn assemble(
    text: impl FnOnce(&mut Assembly),
    model: &mut equations::Model,
) -> Result<(), Error> {
    let mut assembly = Assembly::new();
    text(&mut assembly);
    let netlist = assembly.into_netlist();
    if netlist.keeps_names {
        model.keep_names();
    }
    netlist.notes.iter().for_each(|note| model.note(note));
    if model.is_source_wanted() {
        model.keep_source(Box::new(netlist));
        return Ok(());
    }
    model.schematic(assembly::picture::picture(&netlist));
    let stated = model.notes().len();
    compile::compile(&netlist, model).map_err(|error| match error {
        // An earlier note of the build, for example about an open input, may name the cause.
        Error::Initial(sentence) => Error::Initial(match model.notes().get(stated) {
            Some(note) => format!("{sentence}; besides, {note}"),
            None => sentence,
        }),
        other => other,
    })
}

impl equations::Language for Assembly {
    fn trace(text: impl FnOnce(&mut Assembly), model: &mut equations::Model) {
        if let Err(error) = assemble(text, model) {
            model.refuse(equations::Error::Definition(error.to_string()));
        }
    }
}

/// Compiles and runs the code in the guides.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
