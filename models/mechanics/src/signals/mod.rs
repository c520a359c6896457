//! Signals: sources, blocks, tables, and the inputs of the FMU.

mod blocks;
mod dynamic;
mod filter;
mod interfaces;
mod motion;
mod periodic;
mod sources;
mod tables;

pub use blocks::*;
pub use dynamic::*;
pub use filter::*;
pub use motion::*;
pub use periodic::*;
pub use sources::*;
pub use tables::*;

use crate::declaration::prelude::*;

component! {
    /// An input of the FMU; the instance's name is the input's name.
    ///
    /// # Equations
    /// `y` is what the importer sets.
    pub struct ExternalInput {
        /// Unit of the input
        unit: String,
        /// Value that it has until it is set
        start: Structural,
        /// One line about the input
        describe: String = "",
    }
    variables {
        /// What the importer sets
        y: Real,
    }
}

impl Component for ExternalInput {
    fn contribute(p: ExternalInputParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let name = c.name().to_owned();
        let input = c.model.input(&name, p.start).unit(&p.unit).describe(&p.describe).done();
        c.unit_of("y", &p.unit);
        c.signal("y", move |_| Ok(input));
        Ok(())
    }
}
