//! Which ideal switches constrain what the circuit stores, in the present modes.
//!
//! A row for each switch says what its voltage (or current) is: a sum of free quantities, stored
//! quantities and quantities of sources, with factors 0, 1 and -1. The rows of the switches that
//! make this voltage (or current) zero are reduced by Gauss and Jordan's method: whatever remains
//! without free quantities is a constraint.

use equations::{Bool, Ex, select};

/// Rows of factors, each of the same length: of free quantities, of stored ones, of sources, and of
/// the switches themselves.
pub struct Rows {
    /// By switch.
    pub factors: Vec<Vec<Ex>>,
    /// How many quantities are free, stored and given.
    pub counts: [usize; 3],
}

/// What the row of a switch says after the reduction. At most one of the truth values is true.
pub struct Constraint {
    /// It constrains stored quantities.
    pub stored: Bool,
    /// It constrains nothing but sources, which it may contradict.
    pub given: Bool,
    /// It contains nothing but switches, which share a current (or a voltage).
    pub shared: Bool,
    /// Factors of stored quantities.
    pub of_stored: Vec<Ex>,
    /// Factors of sources.
    pub of_given: Vec<Ex>,
    /// Factors of switches.
    pub of_switches: Vec<Ex>,
}

impl Rows {
    /// The constraints while the rows of these switches count.
    pub fn reduced(self, active: &[Bool]) -> Vec<Constraint> {
        let Rows { mut factors, counts: [free, stored, given] } = self;
        for (row, active) in factors.iter_mut().zip(active) {
            row.iter_mut().for_each(|factor| *factor = select(*active, *factor, 0.0));
        }
        let never = Bool::constant(false);
        let mut used = vec![never; factors.len()];
        for column in 0..free {
            eliminate(&mut factors, &mut used, column);
        }
        let is_free = used.clone();
        let mut has_stored = vec![never; factors.len()];
        for column in free..free + stored {
            let chosen = eliminate(&mut factors, &mut used, column);
            has_stored.iter_mut().zip(chosen).for_each(|(has, chosen)| *has = *has | chosen);
        }
        let rest = factors.into_iter().zip(active).zip(is_free).zip(has_stored);
        rest.map(|(((row, active), is_free), stored_here)| {
            let [of_stored, of_given] = [free..free + stored, free + stored..free + stored + given]
                .map(|of| row[of].to_vec());
            let of_switches = row[free + stored + given..].to_vec();
            let constrains = *active & !is_free;
            let any = of_given.iter().fold(never, |any, factor| any | is_one(*factor));
            let without = constrains & !stored_here;
            Constraint {
                stored: stored_here,
                given: without & any,
                shared: without & !any,
                of_stored,
                of_given,
                of_switches,
            }
        })
        .collect()
    }
}

/// Whether a factor is 1 or -1.
fn is_one(factor: Ex) -> Bool {
    match factor.constant_value() {
        Some(value) => Bool::constant(value != 0.0),
        None => factor.abs().gt(0.5),
    }
}

/// Eliminates a column from all rows but one: the first unused row that contains the column.
/// Returns the truth values that mark this row.
fn eliminate(rows: &mut [Vec<Ex>], used: &mut [Bool], column: usize) -> Vec<Bool> {
    let mut none = Bool::constant(true);
    let mut chosen = Vec::new();
    for (row, used) in rows.iter().zip(used.iter_mut()) {
        let candidate = !*used & is_one(row[column]);
        let first = candidate & none;
        chosen.push(first);
        none = none & !candidate;
        *used = *used | first;
    }
    let width = rows.first().map_or(0, Vec::len);
    let pivot: Vec<Ex> = (0..width)
        .map(|k| {
            let part =
                |(row, chosen): (&Vec<Ex>, &Bool)| select(*chosen, row[column] * row[k], 0.0);
            rows.iter().zip(&chosen).map(part).fold(Ex::zero(), |sum, part| sum + part)
        })
        .collect();
    for (row, chosen) in rows.iter_mut().zip(&chosen) {
        let factor = row[column];
        for (entry, pivot) in row.iter_mut().zip(&pivot) {
            *entry = select(*chosen, *entry, *entry - factor * *pivot);
        }
    }
    chosen
}
