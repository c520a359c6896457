//! Parameters that initial equations determine: variables that keep their values.

use super::Symbols;
use crate::evaluate::Unknowns;
use equations::{Ex, Leaf, leaves_of};

impl Symbols {
    /// Makes a parameter a variable, which initial equations determine.
    pub fn determine(&self, name: &str) {
        self.determined.borrow_mut().insert(name.into());
    }

    /// Whether there are parameters that initial equations determine.
    pub fn has_determined(&self) -> bool {
        !self.determined.borrow().is_empty()
    }

    /// Whether a symbol is a parameter that initial equations determine.
    pub fn is_held(&self, symbol: Ex) -> bool {
        let variable = self.number_of(symbol).and_then(|of| self.get(of).variable.clone());
        variable.is_some_and(|variable| self.is_determined(&variable.name))
    }

    /// Whether values follow from parameters, also from those that initial equations determine.
    pub(super) fn are_held(&self, values: &[Ex]) -> bool {
        let is_held = |number: usize| self.is_held(self.ex(number));
        let varies = |leaf: &Leaf| match leaf {
            Leaf::Time | Leaf::Initial => true,
            leaf => self.number_of_leaf(*leaf).is_some_and(|number| !is_held(number)),
        };
        !leaves_of(values).iter().any(varies)
    }
}
