//! Stage matrices with dense factors and pivoting, reduced where the Jacobian is trivial.
//!
//! In a mechanical model half of the states are positions, and the derivative of a position is a
//! speed: row `i` of `J` has a one in some column `j` and zeros elsewhere. This equation gives
//! `k_i = hg (r_i + k_j)`. Substituting it leaves a system for the other states only, whose
//! factorization takes an eighth of the work. Such rows are found in the numbers of `J`, so no
//! knowledge of the model is needed.

use crate::integrate::jacobian_pattern::JacobianPattern;
use kernels::linear::{lu_factor, lu_solve};

/// The systems of one Jacobian, for any step size; memory for `n` states.
pub struct DenseFactors<'a> {
    pattern: &'a JacobianPattern,
    /// States in the order of the reduced system: first kept states, then eliminated states (n).
    order: &'a mut [f64],
    /// For each eliminated state, in this order, the index of its speed in the reduced system (n).
    speed: &'a mut [f64],
    /// Rows of the Jacobian that are kept, with columns in this order (n * n).
    rows: &'a mut [f64],
    /// Factors of the reduced matrix (n * n).
    lu: &'a mut [f64],
    pivots: &'a mut [f64],
    /// A right-hand side in this order (n).
    side: &'a mut [f64],
    /// Number of states that are kept.
    kept: usize,
    hg: f64,
}

/// The number of a state, stored as the bits of an `f64`, so that no conversion is needed.
fn to_f64(index: usize) -> f64 {
    f64::from_bits(index as u64)
}

fn index(value: &f64) -> usize {
    value.to_bits() as usize
}

impl<'a> DenseFactors<'a> {
    /// Number of values that `n` states need.
    pub const fn length(n: usize) -> usize {
        4 * n + 2 * n * n
    }

    pub fn new(pattern: &'a JacobianPattern, memory: &'a mut [f64]) -> Self {
        let n = pattern.states();
        let (order, memory) = memory.split_at_mut(n);
        let (speed, memory) = memory.split_at_mut(n);
        let (pivots, memory) = memory.split_at_mut(n);
        let (side, memory) = memory.split_at_mut(n);
        let (rows, memory) = memory.split_at_mut(n * n);
        let (lu, _) = memory.split_at_mut(n * n);
        DenseFactors { pattern, order, speed, rows, lu, pivots, side, kept: n, hg: 0.0 }
    }

    /// Prepares for the new Jacobian.
    pub fn set_jacobian(&mut self, jacobian: &[f64]) {
        let n = self.order.len();
        let none = to_f64(n);
        self.lu.fill(0.0);
        for (i, j, value) in self.pattern.triplets(jacobian) {
            self.lu[i * n + j] = value;
        }
        let jacobian = &*self.lu;
        let row = |i: usize| &jacobian[i * n..][..n];
        // First, `speed` has for each state the number of its speed, if it has one.
        for (i, speed) in self.speed.iter_mut().enumerate() {
            let mut entries = row(i).iter().enumerate().filter(|(_, x)| **x != 0.0);
            *speed = match (entries.next(), entries.next()) {
                (Some((j, 1.0)), None) if j != i => to_f64(j),
                _ => none,
            };
        }
        // A speed must itself be kept, so that one substitution is enough.
        let is_kept = |speed: &[f64], i: usize| match index(&speed[i]) {
            j if j < n => index(&speed[j]) < n,
            _ => true,
        };
        self.kept = 0;
        for i in (0..n).filter(|&i| is_kept(self.speed, i)) {
            self.order[self.kept] = to_f64(i);
            // `side` has the index of state i in the reduced system.
            self.side[i] = to_f64(self.kept);
            self.kept += 1;
        }
        let eliminated = (0..n).filter(|&i| !is_kept(self.speed, i));
        for (order, i) in self.order[self.kept..].iter_mut().zip(eliminated) {
            *order = to_f64(i);
        }
        for (place, i) in self.pivots.iter_mut().zip(&self.order[self.kept..]) {
            *place = self.side[index(&self.speed[index(i)])];
        }
        let count = n - self.kept;
        self.speed[..count].copy_from_slice(&self.pivots[..count]);
        let rows = self.rows.chunks_exact_mut(n.max(1)).zip(&self.order[..self.kept]);
        for (target, i) in rows {
            let row = row(index(i));
            for (target, j) in target.iter_mut().zip(self.order.iter()) {
                *target = row[index(j)];
            }
        }
    }

    /// Factorizes for a step size; `hg` is the step size times the method's gamma.
    pub fn factor(&mut self, hg: f64) {
        self.hg = hg;
        let (n, kept) = (self.order.len(), self.kept);
        let rows = self.rows.chunks_exact(n.max(1)).zip(self.lu.chunks_exact_mut(kept.max(1)));
        for (i, (row, target)) in rows.take(kept).enumerate() {
            let (own, others) = row.split_at(kept);
            for (target, entry) in target.iter_mut().zip(own) {
                *target = -entry;
            }
            for (entry, speed) in others.iter().zip(self.speed.iter()) {
                target[index(speed)] -= hg * entry;
            }
            target[i] += 1.0 / hg;
        }
        lu_factor(kept, self.lu, self.pivots);
    }

    /// Solves with the last factors, in place.
    pub fn solve(&mut self, r: &mut [f64]) {
        let (n, kept, hg) = (self.order.len(), self.kept, self.hg);
        if kept == n {
            lu_solve(n, self.lu, self.pivots, r);
            return;
        }
        for (side, i) in self.side.iter_mut().zip(self.order.iter()) {
            *side = r[index(i)];
        }
        let (own, others) = self.side.split_at_mut(kept);
        for (e, other) in others.iter().enumerate() {
            let moved = hg * other;
            for (own, row) in own.iter_mut().zip(self.rows.chunks_exact(n)) {
                *own += row[kept + e] * moved;
            }
        }
        lu_solve(kept, self.lu, self.pivots, own);
        for (other, speed) in others.iter_mut().zip(self.speed.iter()) {
            *other = hg * (*other + own[index(speed)]);
        }
        for (k, i) in self.side.iter().zip(self.order.iter()) {
            r[index(i)] = *k;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the solutions with and without elimination.
    fn check(n: usize, jacobian: &[f64], expected_size: usize) {
        let hg = 0.03;
        let r: Vec<f64> = (0..n).map(|i| 1.0 + (i as f64).sin()).collect();
        let all: Vec<u32> = (0..n as u32).collect();
        let pattern = JacobianPattern::new(&vec![&all[..]; n]);
        let mut memory = vec![0.0; DenseFactors::length(n)];
        let mut system = DenseFactors::new(&pattern, &mut memory);
        let mut k = r.clone();
        let by_columns: Vec<f64> =
            (0..n * n).map(|entry| jacobian[entry % n * n + entry / n]).collect();
        system.set_jacobian(&by_columns);
        assert_eq!(system.kept, expected_size);
        system.factor(hg);
        system.solve(&mut k);
        for i in 0..n {
            let product: f64 = (0..n).map(|j| jacobian[i * n + j] * k[j]).sum();
            assert!((k[i] / hg - product - r[i]).abs() < 1e-10, "row {i}");
        }
    }

    #[test]
    fn positions_are_eliminated_and_the_solution_is_that_of_the_whole_system() {
        // q1' = v1, q2' = v2 in mixed order, a filter y, and a speed that is the state of a filter.
        #[rustfmt::skip]
        let jacobian = [
            -3.0, 0.5, 2.0, 0.1, 0.0,
            1.0, 0.0, 0.0, 0.0, 0.0,
            0.3, -7.0, -0.2, 4.0, 1.5,
            0.0, 0.0, 1.0, 0.0, 0.0,
            0.0, 0.9, 0.0, 0.0, -50.0,
        ];
        check(5, &jacobian, 3);
    }

    #[test]
    fn chains_and_cycles_of_unit_rows_are_solved() {
        check(3, &[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -1.0, -2.0, -3.0], 2);
        check(2, &[0.0, 1.0, 1.0, 0.0], 2);
        check(1, &[1.0], 1);
        check(2, &[0.0, 1.0, 0.0, 0.0], 1);
        check(0, &[], 0);
    }

    #[test]
    fn a_full_matrix_is_solved_as_it_is() {
        let jacobian: Vec<f64> = (0..16).map(|i| (f64::from(i) * 1.7).sin() * 5.0).collect();
        check(4, &jacobian, 4);
    }
}
