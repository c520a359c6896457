//! Inputs of the FMU.

use mechanics::declaration::prelude::*;

component! {
    /// Input of the FMU; the name of the instance is the name of the input.
    ///
    /// # Equations
    /// `y` is the value that the importer sets.
    pub struct ExternalInput {
        /// Unit of the input
        unit: String,
        /// Start value, which holds until the importer sets the input
        start: Real[structural],
        /// Description of the input in one line
        describe: String = "",
        /// Whether the importer changes the input only at events
        discrete: bool = false,
    }
    variables {
        /// Value that the importer sets
        y: Real,
    }
}

impl Component for ExternalInput {
    fn contribute(p: ExternalInputParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let name = c.name().to_owned();
        let input = c.model().input(&name, p.start).unit(&p.unit).describe(&p.describe);
        let input = if p.discrete { input.discrete() } else { input }.done();
        c.unit_of("y", &p.unit);
        c.signal("y", move |_| Ok(input));
        Ok(())
    }
}

component! {
    /// Boolean input of the FMU; the name of the instance is the name of the input.
    ///
    /// # Equations
    /// `y` is 1 if the value that the importer sets is true, otherwise 0.
    ///
    /// # Events
    /// The importer changes the input only at events.
    pub struct ExternalBoolean {
        /// Start value, which holds until the importer sets the input
        start: bool,
        /// Description of the input in one line
        describe: String = "",
    }
    variables {
        /// Value that the importer sets
        y: Boolean,
    }
}

impl Component for ExternalBoolean {
    fn contribute(p: ExternalBooleanParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let name = c.name().to_owned();
        let input =
            c.model().input(&name, f64::from(p.start)).boolean().describe(&p.describe).done();
        c.unit_of("y", "1");
        c.signal("y", move |_| Ok(input));
        Ok(())
    }
}

component! {
    /// Integer input of the FMU; the name of the instance is the name of the input.
    ///
    /// # Equations
    /// `y` is the value that the importer sets.
    ///
    /// # Events
    /// The importer changes the input only at events.
    pub struct ExternalInteger {
        /// Start value, which holds until the importer sets the input
        start: Real[structural],
        /// Description of the input in one line
        describe: String = "",
    }
    variables {
        /// Value that the importer sets
        y: Integer,
    }
}

impl Component for ExternalInteger {
    fn contribute(p: ExternalIntegerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let name = c.name().to_owned();
        let input = c.model().input(&name, p.start).integer().describe(&p.describe).done();
        c.unit_of("y", "1");
        c.signal("y", move |_| Ok(input));
        Ok(())
    }
}
