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
    /// Input of the FMU; the name of the instance is the name of the input.
    ///
    /// # Equations
    /// `y` is the value that the importer sets.
    pub struct ExternalInput {
        /// Unit of the input
        unit: String,
        /// Start value, which holds until the importer sets the input
        start: Structural,
        /// Description of the input in one line
        describe: String = "",
    }
    variables {
        /// Value that the importer sets
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
