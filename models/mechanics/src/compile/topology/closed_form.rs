//! The closed form of one closure equation: the values of one coordinate with which it holds.

use crate::compile::topology::closure::{ClosureRow, SolvedRow};
use crate::compile::topology::loop_structure::LoopUnknown;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::algebra::turns::nearest_turn;
use crate::statements::contributions::constraints::Roots;
use equations::{Ex, differentiate, leaves_of, select, substitute};
use std::f64::consts::PI;

/// A block that needs no search: two values of its only unknown, in terms of the other symbols.
pub struct ClosedForm {
    values: [Ex; 2],
    pub solved: SolvedRow,
    /// What one turn adds to the unknown, if it is an angle.
    turn: Option<Ex>,
}

impl ClosedForm {
    /// The solution of a row for an unknown; `None` if there is none in closed form.
    pub fn new(row: &ClosureRow, symbol: Ex) -> Option<ClosedForm> {
        let solved = row.origin()?.closed_form?;
        let occurs = |ex: Ex| symbol.as_leaf().is_some_and(|leaf| leaves_of(&[ex]).contains(&leaf));
        let Roots { values, discriminant } = solved.roots;
        if !occurs(solved.q) || values.into_iter().chain([discriminant]).any(occurs) {
            return None;
        }
        // The coordinate is a linear form of symbols.
        let slope = differentiate(&[solved.q], &[(symbol, Ex::one())])[0];
        let rest = substitute(&[solved.q], &[(symbol, Ex::zero())])[0];
        let values = values.map(|value| (value - rest) / slope);
        let turn = solved.turns.then(|| 2.0 * PI / slope);
        Some(ClosedForm { values, solved, turn })
    }

    /// The value where there is no choice: the coordinate measures something.
    pub fn measured(&self) -> Option<Ex> {
        let [first, second] = self.values;
        (first.key() == second.key()).then_some(first)
    }

    /// The value on the branch chosen at the start.
    pub fn chosen(&self) -> Ex {
        let [first, second] = self.values;
        let is_first = self.solved.branch.gt(0.0);
        let value = select(is_first, first, second);
        match self.turn {
            Some(_) => {
                let (sines, cosines) = (first.sin_cos(), second.sin_cos());
                let [sine, cosine] = [(sines.0, cosines.0), (sines.1, cosines.1)]
                    .map(|(first, second)| select(is_first, first, second));
                value.with_sin_cos(sine, cosine)
            }
            None => value,
        }
    }

    /// What one turn adds to the unknown, if it is an angle.
    pub fn turn(&self) -> Option<Ex> {
        self.turn
    }

    /// Negative where there is no solution; one at most.
    pub fn discriminant(&self) -> Ex {
        self.solved.roots.discriminant
    }

    /// Both values, angles in the turns nearest to `guess`.
    pub fn near(&self, guess: Ex) -> [Ex; 2] {
        self.values.map(|value| self.in_turn(value, guess))
    }

    fn in_turn(&self, value: Ex, near: Ex) -> Ex {
        self.turn.map_or(value, |turn| nearest_turn(value, turn, near))
    }
}

impl SolvedRow {
    /// The parameter that holds the branch, and its value for the initial position of the
    /// coordinate; `None` if there is no choice.
    pub fn branch_at_start(&self) -> Option<(Ex, Ex)> {
        let gap = |value: Ex| {
            let gap = value - self.q;
            if self.turns { (gap * 0.5).sin().abs() } else { gap.abs() }
        };
        let [first, second] = self.roots.values;
        (first.key() != second.key())
            .then(|| (self.branch, select(gap(first).le(gap(second)), 1.0, -1.0)))
    }
}

/// Sets unknowns of rows that are solved in closed form to the values nearest to their guesses; `q`
/// are the values of all unknowns. Returns whether there is such a row.
pub fn preset(
    rows: &[ClosureRow],
    active: &[usize],
    unknowns: &[LoopUnknown],
    held: &[bool],
    numeric: &mut Numeric,
    q: &mut [f64],
) -> bool {
    let mut found = false;
    for &row in active {
        for (k, unknown) in unknowns.iter().enumerate().filter(|(k, _)| !held[*k]) {
            let Some(closed_form) = ClosedForm::new(&rows[row], unknown.symbol) else { continue };
            for (unknown, &value) in unknowns.iter().zip(&*q) {
                numeric.set(unknown.symbol, value);
            }
            let near = closed_form.near(Ex::from(unknown.start));
            let [first, second] = near.map(|value| numeric.one(value));
            let near = (first - unknown.start).abs() <= (second - unknown.start).abs();
            let value = if near { first } else { second };
            if value.is_finite() {
                q[k] = value;
                found = true;
            }
        }
    }
    found
}
