//! Normal impulses of unilateral contacts: a linear complementarity problem with a semidefinite
//! matrix.
//!
//! It is solved by the proximal point method: each iterate minimises `½ p·A p + b·p` plus a
//! weighted squared distance from the previous iterate. This problem has a unique solution, which
//! an active set method with monotone descent finds. All quantities are relative to the diagonal,
//! so that neither the order nor the units of contacts have an influence.

use super::products::{ROUNDING, dot, dot_abs};
use crate::linear::{lu_factor, lu_solve};

/// An active contact: its first row, its number, and its marks in the active set method.
#[derive(Clone, Copy, Debug, Default)]
pub struct ActiveContact {
    pub(super) row: usize,
    pub(super) contact: usize,
    /// Whether its impulse is free; otherwise it is held at zero.
    free: bool,
    /// Whether its impulse must not become free again.
    barred: bool,
    index: usize,
}

impl ActiveContact {
    pub(super) fn new(row: usize, contact: usize) -> ActiveContact {
        ActiveContact { row, contact, ..ActiveContact::default() }
    }
}

/// Weights of the distance with their numbers of iterations. Where `A` is nearly singular, a
/// smaller weight converges faster, but impulses that are not determined have larger rounding
/// errors.
const WEIGHTS: [(f64, usize); 5] =
    [(1e-3, 16), (1e-5, 8), (FEASIBILITY_WEIGHT, 8), (1e-10, 8), (FINAL_WEIGHT, 40)];

/// The final weight, with which the results are accurate to rounding.
const FINAL_WEIGHT: f64 = 1e-12;

/// After the iterations with this weight, infeasibility is detected.
const FEASIBILITY_WEIGHT: f64 = 1e-8;

/// If a violation above this fraction of the velocities remains, the problem is infeasible.
const INFEASIBLE: f64 = 1e-3;

/// If the problem is infeasible, rows with a violation above this fraction are relaxed.
const RELAXED: f64 = 0.1 * INFEASIBLE;

/// Solves `p >= 0`, `a p + b >= 0`, complementary; the diagonal is positive.
///
/// If that is infeasible, `b` is relaxed to `plain` (no restitution), then to zero.
pub(super) fn solve(
    a: &[f64],
    plain: &[f64],
    b: &mut [f64],
    p: &mut [f64],
    factor: &mut [f64],
    vectors: &mut [&mut [f64]; 5],
    active: &mut [ActiveContact],
) {
    let k = b.len();
    let [h, step, pivots, ..] = vectors;
    let mut work = Work { h, step, pivots, factor, active };
    for _ in 0..2 * k + 1 {
        p.fill(0.0);
        let size = (0..k).map(|c| b[c].abs() / a[c * k + c].sqrt()).fold(0.0, f64::max);
        if proximal_points(a, b, p, size, &mut work) {
            return;
        }
        let violated = |c: usize, b: &[f64]| violation(a, b, p, c) > RELAXED * size;
        let elastic = (0..k).any(|c| b[c] < plain[c] && violated(c, b));
        for c in 0..k {
            if violated(c, b) && (!elastic || b[c] < plain[c]) {
                b[c] = if elastic { plain[c] } else { 0.0 };
            }
        }
    }
    p.fill(0.0);
}

/// The matrix of the free impulses with the final weight, embedded in a matrix of the size of all
/// impulses.
pub(super) fn conditions(a: &[f64], p: &[f64], matrix: &mut [f64]) {
    let k = p.len();
    for i in 0..k {
        for j in 0..k {
            matrix[i * k + j] = if i == j {
                if p[i] > 0.0 { a[i * k + i] * (1.0 + FINAL_WEIGHT) } else { 1.0 }
            } else if p[i] > 0.0 && p[j] > 0.0 {
                a[i * k + j]
            } else {
                0.0
            };
        }
    }
}

struct Work<'a> {
    h: &'a mut [f64],
    step: &'a mut [f64],
    pivots: &'a mut [f64],
    factor: &'a mut [f64],
    active: &'a mut [ActiveContact],
}

/// Negative velocity of a row divided by the square root of its diagonal element.
fn violation(a: &[f64], b: &[f64], p: &[f64], c: usize) -> f64 {
    let k = b.len();
    -(b[c] + dot(&a[c * k..][..k], p)) / a[c * k + c].sqrt()
}

/// Iterates until only rounding errors remain; false if the problem is infeasible.
fn proximal_points(a: &[f64], b: &[f64], p: &mut [f64], size: f64, work: &mut Work<'_>) -> bool {
    let k = b.len();
    for (weight, steps) in WEIGHTS {
        for _ in 0..steps {
            for c in 0..k {
                work.h[c] = b[c] - weight * a[c * k + c] * p[c];
            }
            minimize(a, weight, p, work);
            let exact = (0..k).all(|c| {
                let row = &a[c * k..][..k];
                let rounding = ROUNDING * (b[c].abs() + dot_abs(row, p));
                (b[c] + dot(row, p)).min(p[c] * row[c]).abs() <= rounding
            });
            if exact {
                return true;
            }
        }
        if weight == FEASIBILITY_WEIGHT && (0..k).any(|c| violation(a, b, p, c) > INFEASIBLE * size)
        {
            return false;
        }
    }
    true
}

/// Maximum number of changes of the active set of `k` contacts: each may change several times.
fn max_changes(k: usize) -> usize {
    8 * k + 16
}

/// Minimises `½ p·K p + h·p` over `p >= 0`, where `K` is `a` with a weighted diagonal.
fn minimize(a: &[f64], weight: f64, p: &mut [f64], work: &mut Work<'_>) {
    let k = p.len();
    let Work { h, step, pivots, factor, active } = work;
    let weighted = |i: usize, j: usize| {
        let entry = a[i * k + j];
        if i == j { entry + weight * entry } else { entry }
    };
    for (contact, p) in active.iter_mut().zip(p.iter()) {
        (contact.free, contact.barred) = (*p > 0.0, false);
    }
    let mut entered = k;
    for _ in 0..max_changes(k) {
        let mut size = 0;
        for c in 0..k {
            if active[c].free {
                active[size].index = c;
                size += 1;
            }
        }
        for (i, row) in active[..size].iter().enumerate() {
            for (j, column) in active[..size].iter().enumerate() {
                factor[i * size + j] = weighted(row.index, column.index);
            }
            step[i] = -h[row.index];
        }
        lu_factor(size, factor, pivots);
        lu_solve(size, factor, pivots, step);

        let (mut part, mut blocking) = (1.0, None);
        for (contact, &to) in active[..size].iter().zip(step.iter()) {
            let from = p[contact.index];
            if to <= 0.0 && from / (from - to) < part {
                part = from / (from - to);
                blocking = Some(contact.index);
            }
        }
        for (contact, &to) in active[..size].iter().zip(step.iter()) {
            let p = &mut p[contact.index];
            *p = if part == 1.0 { to.max(0.0) } else { (*p + part * (to - *p)).max(0.0) };
        }
        if let Some(c) = blocking {
            p[c] = 0.0;
            active[c].free = false;
            // If it has just become free, that was due to a rounding error.
            active[c].barred = c == entered;
            continue;
        }

        let (mut steepest, mut next) = (0.0, None);
        for c in (0..k).filter(|&c| !active[c].free && !active[c].barred) {
            let row = &a[c * k..][..k];
            let slope = h[c] + dot(row, p);
            let rounding = ROUNDING * (h[c].abs() + dot_abs(row, p));
            if slope < -rounding && slope / row[c].sqrt() < steepest {
                steepest = slope / row[c].sqrt();
                next = Some(c);
            }
        }
        let Some(c) = next else { return };
        active[c].free = true;
        entered = c;
    }
}
