//! Impulses that push: a linear complementarity problem with a semidefinite matrix.
//!
//! Proximal points: each minimises `½ p·A p + b·p` plus a small distance from the one before, which
//! has one solution. That is found by an active set of which each step goes downhill. Everything is
//! relative to the diagonal, so that neither order nor units of contacts matter.

use super::{Mark, ROUNDING, dot, dot_abs};
use crate::linear::{lu_factor, lu_solve};

/// Weights of the distance, and for how many steps: the smaller, the faster where directions hardly
/// differ, and the more rounding there is in what is not determined.
const WEIGHTS: [(f64, usize); 5] = [(1e-3, 16), (1e-5, 8), (PATIENT, 8), (1e-10, 8), (LAST, 40)];

/// With the last weight everything is accurate to rounding.
const LAST: f64 = 1e-12;

/// After this weight it shows what cannot be.
const PATIENT: f64 = 1e-8;

/// Part of the velocities by which something stays violated that cannot be.
const JAMMED: f64 = 1e-3;

/// If something cannot be, all that is violated by this part of the velocities has a share in it.
const INVOLVED: f64 = 0.1 * JAMMED;

/// `p >= 0`, `a p + b >= 0`, complementary; the diagonal is positive.
///
/// Where there is none, `b` rises to `plain` or at last to zero.
pub(super) fn solve(
    a: &[f64],
    plain: &[f64],
    b: &mut [f64],
    p: &mut [f64],
    factor: &mut [f64],
    vectors: &mut [&mut [f64]; 5],
    marks: &mut [Mark],
) {
    let k = b.len();
    let [h, step, pivots, ..] = vectors;
    let mut work = Work { h, step, pivots, factor, marks };
    for _ in 0..2 * k + 1 {
        p.fill(0.0);
        let size = (0..k).map(|c| b[c].abs() / a[c * k + c].sqrt()).fold(0.0, f64::max);
        if settle(a, b, p, size, &mut work) {
            return;
        }
        let violated = |c: usize, b: &[f64]| violation(a, b, p, c) > INVOLVED * size;
        let elastic = (0..k).any(|c| b[c] < plain[c] && violated(c, b));
        for c in 0..k {
            if violated(c, b) && (!elastic || b[c] < plain[c]) {
                b[c] = if elastic { plain[c] } else { 0.0 };
            }
        }
    }
    p.fill(0.0);
}

/// The matrix of those that push, in its place in a matrix of all. What is not determined is
/// shared as the last weight says.
pub(super) fn conditions(a: &[f64], p: &[f64], matrix: &mut [f64]) {
    let k = p.len();
    for i in 0..k {
        for j in 0..k {
            matrix[i * k + j] = if i == j {
                if p[i] > 0.0 { a[i * k + i] * (1.0 + LAST) } else { 1.0 }
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
    marks: &'a mut [Mark],
}

/// How far below zero the velocity of a row is, relative to its diagonal.
fn violation(a: &[f64], b: &[f64], p: &[f64], c: usize) -> f64 {
    let k = b.len();
    -(b[c] + dot(&a[c * k..][..k], p)) / a[c * k + c].sqrt()
}

/// Proximal points until rounding; false if something stays violated.
fn settle(a: &[f64], b: &[f64], p: &mut [f64], size: f64, work: &mut Work<'_>) -> bool {
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
        if weight == PATIENT && (0..k).any(|c| violation(a, b, p, c) > JAMMED * size) {
            return false;
        }
    }
    true
}

/// Most changes of the set of `k` contacts that push: each may enter and leave it some times.
fn most_changes(k: usize) -> usize {
    8 * k + 16
}

/// Minimises `½ p·K p + h·p` over `p >= 0`, where `K` is `a` with a heavier diagonal.
fn minimize(a: &[f64], weight: f64, p: &mut [f64], work: &mut Work<'_>) {
    let k = p.len();
    let Work { h, step, pivots, factor, marks } = work;
    let heavier = |i: usize, j: usize| {
        let entry = a[i * k + j];
        if i == j { entry + weight * entry } else { entry }
    };
    for (mark, p) in marks.iter_mut().zip(p.iter()) {
        (mark.free, mark.barred) = (*p > 0.0, false);
    }
    let mut entered = k;
    for _ in 0..most_changes(k) {
        let mut size = 0;
        for c in 0..k {
            if marks[c].free {
                marks[size].index = c;
                size += 1;
            }
        }
        for (i, row) in marks[..size].iter().enumerate() {
            for (j, column) in marks[..size].iter().enumerate() {
                factor[i * size + j] = heavier(row.index, column.index);
            }
            step[i] = -h[row.index];
        }
        lu_factor(size, factor, pivots);
        lu_solve(size, factor, pivots, step);

        let (mut part, mut blocking) = (1.0, None);
        for (mark, &to) in marks[..size].iter().zip(step.iter()) {
            let from = p[mark.index];
            if to <= 0.0 && from / (from - to) < part {
                part = from / (from - to);
                blocking = Some(mark.index);
            }
        }
        for (mark, &to) in marks[..size].iter().zip(step.iter()) {
            let p = &mut p[mark.index];
            *p = if part == 1.0 { to.max(0.0) } else { (*p + part * (to - *p)).max(0.0) };
        }
        if let Some(c) = blocking {
            p[c] = 0.0;
            marks[c].free = false;
            // Only rounding said that it should enter.
            marks[c].barred = c == entered;
            continue;
        }

        let (mut steepest, mut next) = (0.0, None);
        for c in (0..k).filter(|&c| !marks[c].free && !marks[c].barred) {
            let row = &a[c * k..][..k];
            let slope = h[c] + dot(row, p);
            let rounding = ROUNDING * (h[c].abs() + dot_abs(row, p));
            if slope < -rounding && slope / row[c].sqrt() < steepest {
                steepest = slope / row[c].sqrt();
                next = Some(c);
            }
        }
        let Some(c) = next else { return };
        marks[c].free = true;
        entered = c;
    }
}
