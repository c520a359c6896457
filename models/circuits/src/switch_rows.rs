//! Which ideal switches constrain what the circuit stores, in the present modes.
//!
//! A row for each switch says what its voltage (or current) is: a sum of free quantities, stored
//! quantities and quantities of sources. Without couplings, as those of ideal transformers, the
//! factors are 0, 1 and -1. The rows of the switches that make this voltage (or current) zero are
//! reduced by Gauss and Jordan's method: whatever remains without free quantities is a constraint.

use equations::{Bool, Ex, select};

/// Rows of factors, each of the same length: of free quantities, of stored ones, of sources, of
/// active couplings, and of the switches themselves.
pub struct Rows {
    /// By switch.
    pub factors: Vec<Vec<Ex>>,
    /// How many quantities are free, stored, given and active couplings.
    pub counts: [usize; 4],
}

/// What the row of a switch says after the reduction. At most one of the truth values is true.
pub struct Constraint {
    /// It constrains stored quantities.
    pub stored: Bool,
    /// It constrains nothing but sources, which it may contradict.
    pub given: Bool,
    /// It contains nothing but switches, which share a current (or a voltage).
    pub shared: Bool,
    /// The row of the switch does not count, and those that do make the voltage (or current) zero.
    pub is_pinned: Bool,
    /// Factors of stored quantities.
    pub of_stored: Vec<Ex>,
    /// Factors of sources.
    pub of_given: Vec<Ex>,
    /// Factors of active couplings.
    pub of_active: Vec<Ex>,
    /// Factors of switches.
    pub of_switches: Vec<Ex>,
}

impl Rows {
    /// The constraints while the rows of these switches count.
    pub fn reduced(self, active: &[Bool]) -> Vec<Constraint> {
        let Rows { mut factors, counts: [free, stored, given, active_couplings] } = self;
        let steps = Steps::of(&factors);
        let never = Bool::constant(false);
        let mut used: Vec<Bool> = active.iter().map(|active| !*active).collect();
        for column in 0..free {
            steps.eliminate(&mut factors, &mut used, column);
        }
        let is_free = used.clone();
        let mut has_stored = vec![never; factors.len()];
        for column in free..free + stored {
            let chosen = steps.eliminate(&mut factors, &mut used, column);
            has_stored.iter_mut().zip(chosen).for_each(|(has, chosen)| *has = *has | chosen);
        }
        let rest = factors.into_iter().zip(active).zip(is_free).zip(has_stored);
        rest.map(|(((row, active), is_free), stored_here)| {
            let is_pinned = !*active
                & !row[..free + stored + given]
                    .iter()
                    .fold(never, |any, of| any | steps.counts(*of));
            let mut row = row.into_iter().skip(free);
            let mut next = |count: usize| row.by_ref().take(count).collect::<Vec<Ex>>();
            let [of_stored, of_given, of_active] = [stored, given, active_couplings].map(&mut next);
            let of_switches = row.collect();
            let constrains = *active & !is_free;
            let any = of_given.iter().fold(never, |any, factor| any | steps.counts(*factor));
            let without = constrains & !stored_here;
            Constraint {
                stored: stored_here,
                given: without & any,
                shared: without & !any,
                is_pinned,
                of_stored,
                of_given,
                of_active,
                of_switches,
            }
        })
        .collect()
    }
}

/// How rows are reduced.
#[derive(Clone, Copy)]
enum Steps {
    /// All factors are 0, 1 and -1, and remain so.
    Whole,
    /// Factors are any numbers.
    Any,
}

impl Steps {
    fn of(rows: &[Vec<Ex>]) -> Steps {
        let is_whole =
            |factor: &Ex| factor.constant_value().is_some_and(|x| x.abs() == 1.0 || x == 0.0);
        if rows.iter().flatten().all(is_whole) { Steps::Whole } else { Steps::Any }
    }

    /// Whether a factor is not zero.
    fn counts(self, factor: Ex) -> Bool {
        match (factor.constant_value(), self) {
            (Some(value), _) => Bool::constant(value != 0.0),
            (None, Steps::Whole) => factor.abs().gt(0.5),
            (None, Steps::Any) => !factor.equals(0.0),
        }
    }

    /// An entry without a multiple of another one; rounding errors become zero.
    fn without(self, entry: Ex, other: Ex) -> Ex {
        let rest = entry - other;
        match self {
            _ if other.is_constant_zero() || entry.is_constant_zero() => rest,
            Steps::Whole => rest,
            Steps::Any => {
                let size = entry.abs() + other.abs();
                select(rest.abs().gt(1e-12 * size), rest, 0.0)
            }
        }
    }

    /// Eliminates a column from all rows but one: the first unused row that contains the column.
    /// Returns the truth values that mark this row.
    fn eliminate(self, rows: &mut [Vec<Ex>], used: &mut [Bool], column: usize) -> Vec<Bool> {
        let mut none = Bool::constant(true);
        let mut chosen = Vec::new();
        for (row, used) in rows.iter().zip(used.iter_mut()) {
            let candidate = !*used & self.counts(row[column]);
            let first = candidate & none;
            chosen.push(first);
            none = none & !candidate;
            *used = *used | first;
        }
        let width = rows.first().map_or(0, Vec::len);
        // The inverse of a factor that is 1 or -1 is the factor.
        let inverse = |of: Ex, chosen: Bool| match self {
            Steps::Whole => of,
            Steps::Any => 1.0 / select(chosen, of, 1.0),
        };
        let pivot: Vec<Ex> = (0..width)
            .map(|k| {
                let part = |(row, &chosen): (&Vec<Ex>, &Bool)| match row[k].is_constant_zero() {
                    true => Ex::zero(),
                    false => select(chosen, inverse(row[column], chosen) * row[k], 0.0),
                };
                rows.iter().zip(&chosen).map(part).fold(Ex::zero(), |sum, part| sum + part)
            })
            .collect();
        for (row, chosen) in rows.iter_mut().zip(&chosen) {
            let factor = row[column];
            for (entry, pivot) in row.iter_mut().zip(&pivot) {
                let rest = self.without(*entry, factor * *pivot);
                *entry = select(*chosen, *entry, rest);
            }
        }
        chosen
    }
}
