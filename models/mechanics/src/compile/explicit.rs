//! Loops that one constraint closes by one coordinate with a solution in closed form.

use super::Plan;
use super::closure::{Row, Solved};
use super::loops::{Block, Unknown};
use super::numeric::Numeric;
use super::structure::Roots;
use equations::{BlockKind, Ex, differentiate, leaves_of, newton_at, select, substitute};

/// A block that needs no search: two values of its only unknown, in terms of the other symbols.
pub struct Explicit {
    values: [Ex; 2],
    solved: Solved,
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
        Some(Explicit { values, solved })
    }

    /// The value nearer to `guess`; on a tie the first one.
    fn nearer(&self, guess: Ex) -> Ex {
        let [first, second] = self.values;
        if first == second {
            return first;
        }
        select((first - guess).abs().le((second - guess).abs()), first, second)
    }

    /// The value on the branch chosen at the start.
    fn chosen(&self) -> Ex {
        let [first, second] = self.values;
        if first == second { first } else { select(self.solved.branch.gt(0.0), first, second) }
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
        (first != second).then(|| (self.branch, select(gap(first).le(gap(second)), 1.0, -1.0)))
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
            let [first, second] = explicit.values.map(|value| numeric.one(value));
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

    /// The solution of a block in closed form, where the symbols have the values `by`: near
    /// `guess`, or on the branch of the start.
    ///
    /// The block is checked by one correction, and fails where there is no solution.
    pub fn closed_form(
        &self,
        block: &Block,
        explicit: &Explicit,
        by: &[(Ex, Ex)],
        guess: Option<Ex>,
    ) -> Ex {
        let value = guess.map_or_else(|| explicit.chosen(), |guess| explicit.nearer(guess));
        let value = substitute(&[value], by)[0];
        let discriminant = substitute(&[explicit.solved.roots.discriminant], by)[0];
        if discriminant.constant_value().is_some() {
            return value;
        }
        let residuals = substitute(&self.residuals(block), by);
        let unknowns = [self.unknowns[block.unknowns[0]].symbol];
        let regular = discriminant.gt(Roots::SINGULAR);
        let kind = if guess.is_some() { BlockKind::Assembly } else { BlockKind::Loop };
        let name = self.block_name(block);
        newton_at((kind, &name), &unknowns, &residuals, &[value], regular)[0]
    }
}
