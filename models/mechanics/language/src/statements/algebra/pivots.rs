//! Pivots of a matrix: which columns its rows determine.

use nalgebra::DMatrix;
use std::collections::BTreeMap;

/// Class of a column that no row may take.
pub const GIVEN: usize = 8;

/// A derivative below this fraction of the largest one counts as zero; a pivot above the second
/// fraction is safe.
pub const NONE: f64 = 1e-8;
const SAFE: f64 = 1e-3;

/// Pivots of an elimination with free choice of rows, pairs of row and column of low class first.
pub fn pivots(
    jacobian: &DMatrix<f64>,
    rows: &[usize],
    class: impl Fn(usize, usize) -> usize,
) -> Vec<(usize, usize)> {
    let scale = jacobian.amax();
    let mut left = Elimination::new(jacobian, rows);
    let mut chosen = Vec::new();
    // At first only safe pivots are chosen; then also weak ones, rather than leaving a row without
    // one.
    for threshold in [SAFE * scale, NONE * scale] {
        for level in 0..GIVEN {
            left.largest.clear();
            while let Some(pivot) = left.best(threshold, |r, c| class(r, c) == level) {
                left.eliminate(pivot);
                chosen.push(pivot);
            }
        }
    }
    chosen
}

/// The rows and columns without pivots. Only entries are stored, so that the work grows with their
/// number.
struct Elimination {
    rows: BTreeMap<usize, BTreeMap<usize, f64>>,
    /// The largest candidates for a pivot in rows that have not changed since it was found.
    largest: BTreeMap<usize, Option<(f64, usize)>>,
}

impl Elimination {
    fn new(matrix: &DMatrix<f64>, rows: &[usize]) -> Elimination {
        let entries = |&r: &usize| {
            let all = (0..matrix.ncols()).map(|c| (c, matrix[(r, c)]));
            (r, all.filter(|(_, entry)| *entry != 0.0).collect())
        };
        Elimination { rows: rows.iter().map(entries).collect(), largest: BTreeMap::new() }
    }

    /// The largest entry above a threshold that may be a pivot, of equal ones that of the first
    /// row.
    fn best(
        &mut self,
        threshold: f64,
        may_be: impl Fn(usize, usize) -> bool,
    ) -> Option<(usize, usize)> {
        let mut best: Option<(f64, (usize, usize))> = None;
        for (&r, row) in &self.rows {
            let largest = *self.largest.entry(r).or_insert_with(|| {
                let entries = row.iter().filter(|(c, _)| may_be(r, **c));
                let candidates = entries.map(|(&c, entry)| (entry.abs(), c));
                candidates.max_by(|x, y| x.0.total_cmp(&y.0).then_with(|| y.1.cmp(&x.1)))
            });
            let larger =
                |(size, _): &(f64, usize)| *size > best.map_or(threshold, |(most, _)| most);
            if let Some((size, c)) = largest.filter(larger) {
                best = Some((size, (r, c)));
            }
        }
        best.map(|(_, pivot)| pivot)
    }

    fn eliminate(&mut self, (r, c): (usize, usize)) {
        let Some(mut row) = self.rows.remove(&r) else { return };
        let Some(pivot) = row.remove(&c) else { return };
        for (other, entries) in &mut self.rows {
            let Some(entry) = entries.remove(&c) else { continue };
            let factor = entry / pivot;
            for (&k, value) in &row {
                *entries.entry(k).or_insert(0.0) -= factor * value;
            }
            self.largest.remove(other);
        }
    }
}
