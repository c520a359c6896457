//! Variables with start values.

use crate::domain::Word;
use crate::start::Start;
use equations::{Ex, Model};

/// A variable that has a start value and may become a state.
#[derive(Clone, Debug)]
pub struct StartVariable {
    /// Its name within the component.
    pub local: &'static str,
    /// Its full name.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its start value.
    pub start: Start,
    /// The start value as an expression.
    pub slot: Ex,
    /// Its nominal value.
    pub nominal: f64,
    /// Whether it is published even if it is no state.
    pub published: bool,
    /// The name and the unit of its derivative, if this is published too.
    pub rate: Option<Word>,
}

impl StartVariable {
    /// The place of its start value in the model: `slot`, unless that is computed.
    pub fn start_slot(&self, model: &mut Model) -> Ex {
        match self.slot.as_leaf() {
            Some(_) => self.slot,
            None => model.start_slot(self.start.value),
        }
    }
}
