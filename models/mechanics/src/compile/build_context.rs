//! The values that all phases extend: the model, and the numbers at the start.

use crate::statements::algebra::numeric::Numeric;
use equations::Model;

/// The model that is built, and numbers behind its expressions.
pub struct BuildContext<'a> {
    /// Values of parameters, states and placeholders at the start.
    pub numeric: Numeric,
    /// The equations so far.
    pub model: &'a mut Model,
}

impl<'a> BuildContext<'a> {
    /// The context of a model with its parameters.
    pub fn new(model: &'a mut Model) -> Self {
        BuildContext { numeric: Numeric::new(model), model }
    }
}
