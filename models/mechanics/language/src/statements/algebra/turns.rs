//! Angles that differ by whole turns.

use equations::Ex;

/// An angle in the turn nearest to `near`; `turn` is what one turn adds.
pub fn nearest_turn(value: Ex, turn: impl Into<Ex>, near: Ex) -> Ex {
    let turn = turn.into();
    value + turn * ((near - value) * (1.0 / turn) + 0.5).floor()
}
