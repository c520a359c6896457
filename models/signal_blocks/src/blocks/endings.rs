//! Blocks that end a simulation.

use super::interfaces::edges;
use mechanics::declaration::{choice, prelude::*};

choice! {
    /// What happens if a condition is not met.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum AssertionLevel {
        /// The simulation ends with an error.
        #[default]
        Error,
        /// The log contains a warning.
        Warning,
    }
}

component! {
    /// Requirement that a signal is true.
    ///
    /// # Equations
    /// If `u` is false after an event, the simulation ends with the error `message`, or, with
    /// `AssertionLevel::Warning`, the message is logged.
    pub struct AssertCondition = "Modelica.Blocks.Logical.AssertCondition" {
        /// Message that says what is wrong if the signal is false
        message: String = "Assert block failed",
        /// Whether the message is an error or a warning
        assertion_level "assertionLevel": AssertionLevel = AssertionLevel::Error,
    }
    ports {
        /// Signal that must be true
        u: BooleanInput,
    }
}

impl Component for AssertCondition {
    fn contribute(p: AssertConditionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.boolean_input("u")?;
        let sentence = format!("{}: {}", c.name(), p.message);
        let is_warning = p.assertion_level == AssertionLevel::Warning;
        c.law(move |e| {
            let u = e.read_truth(u)?;
            e.model().assert(None, u, &sentence, is_warning);
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// End of the simulation.
    ///
    /// # Equations
    /// When `condition` becomes true, `terminationText` is logged, and the simulation ends. A
    /// condition that is true from the start does not become true.
    pub struct TerminateSimulation {
        /// Message that is logged
        termination_text "terminationText": String = "... End condition reached",
    }
    ports {
        /// Whether the simulation is to end
        condition: BooleanInput,
    }
}

impl Component for TerminateSimulation {
    fn contribute(p: TerminateSimulationParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let condition = c.boolean_input("condition")?;
        let sentence = format!("{}: {}", c.name(), p.termination_text);
        c.law(move |e| {
            let condition = e.read_truth(condition)?;
            let [ends, _] = edges(e, condition);
            e.model().assert(Some(ends), !ends, &sentence, true);
            e.model().terminate_when(ends);
            Ok(())
        });
        Ok(())
    }
}
