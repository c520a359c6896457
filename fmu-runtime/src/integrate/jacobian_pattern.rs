//! Where the Jacobian has entries, and in which order its linear systems are eliminated.

use super::elimination::{Elimination, size_without_positions};
use std::ops::Range;

/// The entries of the Jacobian `d dx / d x`, column after column. All values of a Jacobian are
/// slices in this order.
#[derive(Debug)]
pub struct JacobianPattern {
    /// Where each column begins (n + 1).
    starts: Box<[u32]>,
    /// The row of each entry.
    rows: Box<[u32]>,
    /// The order of elimination of linear systems with this pattern; `None` if they are dense.
    elimination: Option<Elimination>,
    /// The size of dense systems, from which positions are eliminated.
    dense_size: usize,
}

impl JacobianPattern {
    /// From the rows of each column, in ascending order; each state has a column.
    #[must_use]
    pub fn new(columns: &[&[u32]]) -> JacobianPattern {
        let mut starts = Vec::with_capacity(columns.len() + 1);
        starts.push(0);
        let mut entries = 0;
        starts.extend(columns.iter().map(|rows| {
            entries += rows.len() as u32;
            entries
        }));
        JacobianPattern {
            starts: starts.into_boxed_slice(),
            rows: columns.concat().into_boxed_slice(),
            elimination: Elimination::new(columns),
            dense_size: size_without_positions(columns),
        }
    }

    /// The number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.rows.len()
    }

    /// The entries of a column.
    #[inline]
    fn column(&self, j: usize) -> Range<usize> {
        self.starts[j] as usize..self.starts[j + 1] as usize
    }

    /// Row, column and value of each entry.
    pub(super) fn triplets<'a>(
        &'a self,
        values: &'a [f64],
    ) -> impl Iterator<Item = (usize, usize, f64)> + 'a {
        let columns = (0..self.states()).flat_map(|j| self.column(j).map(move |_| j));
        let places = self.rows.iter().zip(columns);
        places.zip(values).map(|((&i, j), &value)| (i as usize, j, value))
    }

    /// `out = J x`.
    pub(super) fn multiply(&self, values: &[f64], x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (j, x) in x.iter().enumerate() {
            let entries = self.column(j);
            for (&i, value) in self.rows[entries.clone()].iter().zip(&values[entries]) {
                out[i as usize] += value * x;
            }
        }
    }

    /// `out = J x`, and the sums of the magnitudes of its terms.
    pub(super) fn multiply_with_sizes(
        &self,
        values: &[f64],
        x: &[f64],
        out: &mut [f64],
        sizes: &mut [f64],
    ) {
        out.fill(0.0);
        sizes.fill(0.0);
        for (j, x) in x.iter().enumerate() {
            let entries = self.column(j);
            for (&i, value) in self.rows[entries.clone()].iter().zip(&values[entries]) {
                let term = value * x;
                out[i as usize] += term;
                sizes[i as usize] += term.abs();
            }
        }
    }

    /// Approximate operations of one factorization and eight solutions.
    #[must_use]
    pub fn operations(&self) -> usize {
        let n = self.states();
        match &self.elimination {
            Some(elimination) => elimination.work + 16 * elimination.values(),
            // A solution eliminates positions with the kept rows, and then uses the factors.
            None => {
                let kept = self.dense_size;
                kept * kept * kept / 3 + 8 * kept * n
            }
        }
    }

    /// The order of elimination of linear systems with this pattern; `None` if they are dense.
    pub(super) fn elimination(&self) -> Option<&Elimination> {
        self.elimination.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_do_not_count_in_the_work_of_dense_systems() {
        // Six positions and six speeds, all of which depend on all states.
        let columns: Vec<Vec<u32>> =
            (0..12_u32).map(|j| (0..12).filter(|&i| i >= 6 || i + 6 == j).collect()).collect();
        let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        let pattern = JacobianPattern::new(&columns);
        assert!(pattern.elimination().is_none());
        assert_eq!(pattern.operations(), 6 * 6 * 6 / 3 + 8 * 6 * 12);
    }
}
