//! Stage matrices of large, sparse Jacobians: factors with entries known in advance.
//!
//! Without pivoting a factor may be inaccurate, although `E / hg` on the diagonal makes that rare
//! (X. S. Li, J. W. Demmel, "SuperLU_DIST: a scalable distributed-memory sparse direct solver for
//! unsymmetric linear systems", ACM TOMS 29, 2003, on static pivoting). Therefore each factor has
//! to solve a system with a known solution; if it does not, the step is refused, and the shorter
//! one that follows has a larger diagonal.

use crate::integrate::elimination::Elimination;
use crate::integrate::jacobian_pattern::JacobianPattern;

/// Largest residual of the known solution in a row, relative to the sum of the magnitudes of the
/// row's terms at the nominal values of the states.
const MAX_RESIDUAL: f64 = 1e-10;

/// The factors for one step size.
pub struct SparseFactors<'a> {
    pattern: &'a JacobianPattern,
    elimination: &'a Elimination,
    /// Values of the lower factor off the diagonal, reciprocals of those on it, and values of the
    /// upper factor, whose diagonal is one.
    lu: &'a mut [f64],
    /// A row while it is eliminated, or a right-hand side in the order of elimination (n).
    row: &'a mut [f64],
    /// The right-hand side of the known solution, then the solution found and its error (n).
    known: &'a mut [f64],
    /// The sum of the magnitudes of the terms of each row of the known product (n).
    sizes: &'a mut [f64],
}

impl<'a> SparseFactors<'a> {
    /// Number of values.
    pub fn length(elimination: &Elimination) -> usize {
        elimination.values() + 3 * elimination.order.len()
    }

    pub fn new(
        pattern: &'a JacobianPattern,
        elimination: &'a Elimination,
        memory: &'a mut [f64],
    ) -> Self {
        let (lu, memory) = memory.split_at_mut(elimination.values());
        let n = elimination.order.len();
        let (row, memory) = memory.split_at_mut(n);
        let (known, sizes) = memory.split_at_mut(n);
        SparseFactors { pattern, elimination, lu, row, known, sizes }
    }

    /// Factorizes; if the factors are inaccurate, their values are not finite.
    pub fn factor(&mut self, jacobian: &[f64], hg: f64, nominal: &[f64]) {
        self.eliminate(jacobian, hg);
        if !self.are_accurate(jacobian, hg, nominal) {
            self.lu.fill(f64::NAN);
        }
    }

    /// Whether the factors find the nominal values of the states from their product with the
    /// matrix.
    fn are_accurate(&mut self, jacobian: &[f64], hg: f64, nominal: &[f64]) -> bool {
        self.pattern.multiply_with_sizes(jacobian, nominal, self.known, self.sizes);
        for ((side, size), nominal) in self.known.iter_mut().zip(&mut *self.sizes).zip(nominal) {
            let diagonal = nominal / hg;
            *side = diagonal - *side;
            *size += diagonal;
        }
        solve(self.elimination, self.lu, self.row, self.known);
        // The residual of what was found is the product with its error.
        for (found, nominal) in self.known.iter_mut().zip(nominal) {
            *found = nominal - *found;
        }
        self.pattern.multiply(jacobian, self.known, self.row);
        let rows = self.row.iter().zip(&*self.known).zip(&*self.sizes);
        let mut accurate = true;
        for ((product, error), size) in rows {
            accurate &= (error / hg - product).abs() <= MAX_RESIDUAL * size;
        }
        accurate
    }

    fn eliminate(&mut self, jacobian: &[f64], hg: f64) {
        let Elimination { order, lower, upper, targets, .. } = self.elimination;
        let (lu, row) = (&mut *self.lu, &mut *self.row);
        lu.fill(0.0);
        for (&target, value) in targets.iter().zip(jacobian) {
            lu[target as usize] = -value;
        }
        let (l, rest) = lu.split_at_mut(lower.columns.len());
        let (pivots, u) = rest.split_at_mut(order.len());
        for (i, (of_lower, of_upper)) in lower.rows().zip(upper.rows()).enumerate() {
            let (before, behind) =
                (&lower.columns[of_lower.clone()], &upper.columns[of_upper.clone()]);
            let l = &mut l[of_lower];
            for (&column, value) in before.iter().zip(&*l) {
                row[column as usize] = *value;
            }
            row[i] = pivots[i] + 1.0 / hg;
            for (&column, value) in behind.iter().zip(&u[of_upper.clone()]) {
                row[column as usize] = *value;
            }
            for (&column, l) in before.iter().zip(l) {
                let factor = row[column as usize];
                *l = factor;
                let pivot_row = upper.row(column as usize);
                for (&column, u) in upper.columns[pivot_row.clone()].iter().zip(&u[pivot_row]) {
                    row[column as usize] -= factor * u;
                }
            }
            let pivot = 1.0 / row[i];
            pivots[i] = pivot;
            for (&column, u) in behind.iter().zip(&mut u[of_upper]) {
                *u = pivot * row[column as usize];
            }
        }
    }

    /// Solves with the last factors, in place.
    pub fn solve(&mut self, r: &mut [f64]) {
        solve(self.elimination, self.lu, self.row, r);
    }
}

/// Solves `L U r = r`; `y` is a right-hand side in the order of elimination.
///
/// Each value needs earlier values, so the longest sequence of operations determines the time.
/// Terms are subtracted one by one, and the terms that are known last come at the end.
fn solve(elimination: &Elimination, lu: &[f64], y: &mut [f64], r: &mut [f64]) {
    let Elimination { order, lower, upper, .. } = elimination;
    let (l, rest) = lu.split_at(lower.columns.len());
    let (pivots, u) = rest.split_at(order.len());
    for (i, ((&state, pivot), entries)) in order.iter().zip(pivots).zip(lower.rows()).enumerate() {
        let mut value = r[state as usize];
        for (&column, factor) in lower.columns[entries.clone()].iter().zip(&l[entries]) {
            value -= factor * y[column as usize];
        }
        y[i] = value * pivot;
    }
    for (i, (&state, entries)) in order.iter().zip(upper.rows()).enumerate().rev() {
        let mut value = y[i];
        for (&column, factor) in upper.columns[entries.clone()].iter().zip(&u[entries]).rev() {
            value -= factor * y[column as usize];
        }
        y[i] = value;
        r[state as usize] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::stage_matrix::dense::DenseFactors;
    use random::Random;

    const N: usize = 60;
    const HG: f64 = 0.02;

    /// The columns of a chain, with some further entries.
    fn columns(random: &mut Random, further: usize) -> Vec<Vec<u32>> {
        let mut columns: Vec<Vec<u32>> =
            (0..N as u32).map(|j| (j.saturating_sub(1)..(j + 2).min(N as u32)).collect()).collect();
        for _ in 0..further {
            let (i, j) = (random.below(N) as u32, random.below(N));
            columns[j].push(i);
            columns[j].sort_unstable();
            columns[j].dedup();
        }
        columns
    }

    /// Solutions with sparse and with dense factors.
    fn solutions(columns: &[Vec<u32>], values: &[f64], side: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        let pattern = JacobianPattern::new(&columns);
        let elimination = pattern.elimination().expect("sparse");
        let mut memory = vec![0.0; SparseFactors::length(elimination)];
        let mut sparse = SparseFactors::new(&pattern, elimination, &mut memory);
        sparse.factor(values, HG, &[1.0; N]);
        let mut found = side.to_vec();
        sparse.solve(&mut found);
        let mut memory = vec![0.0; DenseFactors::length(N)];
        let mut dense = DenseFactors::new(&pattern, &mut memory);
        dense.set_jacobian(values);
        dense.factor(HG);
        let mut expected = side.to_vec();
        dense.solve(&mut expected);
        (found, expected)
    }

    #[test]
    fn sparse_and_dense_factors_give_one_solution() {
        let mut random = Random(7);
        for further in [0, 5, 20, 40] {
            for _ in 0..25 {
                let columns = columns(&mut random, further);
                let entries = columns.iter().map(Vec::len).sum();
                let values: Vec<f64> = (0..entries).map(|_| random.between(-20.0, 20.0)).collect();
                let side: Vec<f64> = (0..N).map(|_| random.between(-1.0, 1.0)).collect();
                let (found, expected) = solutions(&columns, &values, &side);
                for (found, expected) in found.iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
                }
            }
        }
    }

    #[test]
    fn factors_that_lose_a_solution_are_refused() {
        // The first pivot vanishes, although the matrix is regular.
        let columns = columns(&mut Random(1), 0);
        let mut values = Vec::new();
        for (j, rows) in columns.iter().enumerate() {
            values.extend(rows.iter().map(|&i| match (i, j) {
                (0, 0) => 1.0 / HG,
                (0, 1) | (1, 0) => 3.0,
                _ => 0.0,
            }));
        }
        let (found, expected) = solutions(&columns, &values, &[1.0; N]);
        assert!(expected.iter().all(|x| x.is_finite()));
        assert!(found.iter().any(|x| x.is_nan()));
    }

    #[test]
    fn factors_of_a_badly_scaled_system_are_accepted() {
        // Rates from 1 to 1e14 per s, coupled in one direction.
        let columns = columns(&mut Random(1), 0);
        let rate = |i: u32| 10_f64.powf(14.0 * f64::from(i) / N as f64);
        let mut values = Vec::new();
        for (j, rows) in columns.iter().enumerate() {
            values.extend(rows.iter().map(|&i| match i.cmp(&(j as u32)) {
                std::cmp::Ordering::Equal => -rate(i),
                std::cmp::Ordering::Greater => rate(i),
                std::cmp::Ordering::Less => 0.0,
            }));
        }
        let (found, expected) = solutions(&columns, &values, &[1.0; N]);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} {expected}");
        }
    }
}
