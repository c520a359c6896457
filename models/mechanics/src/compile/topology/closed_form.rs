//! Loops that one constraint closes by one coordinate with a solution in closed form.

use crate::compile::algebra::numeric::Numeric;
use crate::compile::contributions::Roots;
use crate::compile::topology::closure::{Row, Solved};
use crate::compile::topology::loops::{Block, Unknown};
use crate::compile::topology::plan::Plan;
use equations::{BlockKind, Bool, Ex, differentiate, leaves_of, newton_at, select, substitute};
use std::f64::consts::PI;

/// A block that needs no search: two values of its only unknown, in terms of the other symbols.
pub struct Explicit {
    values: [Ex; 2],
    solved: Solved,
    /// What one turn adds to the unknown, if it is an angle.
    turn: Option<Ex>,
}

impl Explicit {
    /// The solution of a row for an unknown; `None` if there is none in closed form.
    pub fn new(row: &Row, symbol: Ex) -> Option<Explicit> {
        let solved = row.explicit?;
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
        Some(Explicit { values, solved, turn })
    }

    /// The value where there is no choice: the coordinate measures something.
    pub fn measured(&self) -> Option<Ex> {
        let [first, second] = self.values;
        (first.key() == second.key()).then_some(first)
    }

    /// The value on the branch chosen at the start, an angle in the turn nearest to `last`.
    pub fn chosen(&self, last: Ex) -> Ex {
        let [first, second] = self.values;
        self.in_turn(select(self.solved.branch.gt(0.0), first, second), last)
    }

    /// Whether there is a solution where the symbols have the values `by`.
    pub fn exists(&self, by: &[(Ex, Ex)]) -> Bool {
        substitute(&[self.solved.roots.discriminant], by)[0].gt(0.0)
    }

    /// Both values, angles in the turns nearest to `guess`.
    fn near(&self, guess: Ex) -> [Ex; 2] {
        self.values.map(|value| self.in_turn(value, guess))
    }

    fn in_turn(&self, value: Ex, near: Ex) -> Ex {
        self.turn.map_or(value, |turn| value + turn * ((near - value) / turn + 0.5).floor())
    }
}

impl Solved {
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

/// Puts unknowns of rows that are solved in closed form to the values nearest to their guesses;
/// `q` are the values of all unknowns. Tells whether there is such a row.
pub fn preset(
    rows: &[Row],
    active: &[usize],
    unknowns: &[Unknown],
    held: &[bool],
    numeric: &mut Numeric,
    q: &mut [f64],
) -> bool {
    let mut found = false;
    for &row in active {
        for (k, unknown) in unknowns.iter().enumerate().filter(|(k, _)| !held[*k]) {
            let Some(explicit) = Explicit::new(&rows[row], unknown.symbol) else { continue };
            for (unknown, &value) in unknowns.iter().zip(&*q) {
                numeric.set(unknown.symbol, value);
            }
            let near = explicit.near(Ex::from(unknown.start));
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

impl Plan {
    /// The closed form of a block, if it has one.
    pub fn explicit(&self, block: &Block) -> Option<Explicit> {
        match (&block.rows[..], &block.unknowns[..]) {
            (&[row], &[unknown]) => Explicit::new(&self.rows[row], self.unknowns[unknown].symbol),
            _ => None,
        }
    }

    /// The solution of a block in closed form that is nearer to `guess`, where the other symbols
    /// have the values `by`.
    ///
    /// The block is checked by one correction, and fails where there is no solution.
    pub fn assembled(&self, block: &Block, explicit: &Explicit, by: &[(Ex, Ex)], guess: Ex) -> Ex {
        if let Some(value) = explicit.measured() {
            return substitute(&[value], by)[0];
        }
        let [first, second] = explicit.near(guess);
        let nearer = select((first - guess).abs().le((second - guess).abs()), first, second);
        let at = substitute(&[nearer, explicit.solved.roots.discriminant], by);
        let residuals = substitute(&self.residuals(block), by);
        let unknowns = [self.unknowns[block.unknowns[0]].symbol];
        let regular = at[1].gt(Roots::SINGULAR);
        let name = self.block_name(block);
        newton_at((BlockKind::Assembly, &name), &unknowns, &residuals, &at[..1], regular)[0]
    }
}
