//! Values before an event, which samplers of clocked systems read.
//!
//! In the first pass of the iteration of an event, discrete variables have the values before the
//! event. A value before the event is therefore the same expression, in which no clock ticks and
//! every relation is that of the last event.

use expressions::{Bool, Ex, Leaf, depends_on, leaves_of, substitute_ids};

use crate::model::Model;
use crate::vocabulary::error::Error;

/// A placeholder for the value of an expression before the present event.
#[derive(Debug)]
pub(crate) struct LeftLimit {
    pub symbol: Ex,
    pub of: Ex,
}

impl Model {
    /// The value of an expression before the present event, in the event iteration of a tick
    /// ([`Model::sample`], [`Model::ticks`]). The equations must not use it in any other one.
    pub fn left_limit(&mut self, of: impl Into<Ex>) -> Ex {
        let symbol = Ex::symbol();
        self.left_limits.push(LeftLimit { symbol, of: of.into() });
        symbol
    }

    /// Replaces the placeholders; all other ones have been replaced.
    pub(crate) fn complete_left_limits(&mut self) {
        let limits = std::mem::take(&mut self.left_limits);
        if limits.is_empty() {
            return;
        }
        let of: Vec<Ex> = limits.iter().map(|limit| limit.of).collect();
        let mut values = self.between_ticks(&of);
        let mut before = Vec::new();
        for leaf in leaves_of(&values) {
            let Leaf::Relation(i) = leaf else { continue };
            let name = format!("{}: before", self.relations[i as usize].name);
            let (relation, memory) = (Bool::leaf(leaf), self.memory(&name, 0.0));
            self.update(memory, relation);
            before.push((relation.id(), memory.pre_bool().id()));
        }
        let ids: Vec<_> = values.iter().map(|value| value.id()).collect();
        values = substitute_ids(&ids, &before).into_iter().map(Ex::from_id).collect();
        let symbols: Vec<Ex> = limits.iter().map(|limit| limit.symbol).collect();
        if symbols.iter().any(|&symbol| depends_on(&values, symbol)) {
            let text = "a value before an event depends on another one outside of ticks";
            self.refuse(Error::Definition(text.to_owned()));
        }
        self.substitute(&symbols.into_iter().zip(values).collect::<Vec<_>>());
    }
}
