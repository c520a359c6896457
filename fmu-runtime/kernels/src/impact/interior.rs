//! The way through the inside of the discs to the neighbourhood of the solution.
//!
//! With slacks `s = ½ (R² - |p|²)` and multipliers `λ` the conditions are `A p + g + λ p = 0` and
//! `λ s = 0`. Newton's method on them with `λ s = τ` and falling `τ` needs no guess of who sticks,
//! and ends in the middle of all solutions.

use super::discs::Problem;
use super::dot;
use crate::linear::{lu_factor, lu_solve};

/// Most steps.
const MOST_STEPS: usize = 80;

/// Where the neighbourhood begins, relative to the largest energy that a contact could take.
const NEAR: f64 = 1e-12;

/// What part of the products remains the target of the next step: at first, after a step that went
/// nearly all the way (more than `FREELY` of it), and after another one.
const FIRST_FALL: f64 = 0.1;
const FREE_FALL: f64 = 0.05;
const SLOW_FALL: f64 = 0.5;
const FREELY: f64 = 0.9;

/// Weight of the distance in a step, for directions that no velocity depends on.
const WEIGHT: f64 = 1e-14;

/// Part of the way to the border that a step goes at most.
const INSIDE: f64 = 0.99;

/// Finds `p` and its multipliers nearly.
pub(super) fn approach(
    problem: &Problem<'_>,
    p: &mut [f64],
    multiplier: &mut [f64],
    factor: &mut [f64],
    step: &mut [f64],
    pivots: &mut [f64],
) {
    let (pairs, size) = (problem.radius.len(), problem.g.len());
    p.fill(0.0);
    let pair = |x: &[f64], y: &[f64], c: usize| x[2 * c] * y[2 * c] + x[2 * c + 1] * y[2 * c + 1];
    let slack = |p: &[f64], c: usize| 0.5 * (problem.radius[c] * problem.radius[c] - pair(p, p, c));
    let energy = |c: usize| problem.radius[c] * pair(problem.g, problem.g, c).sqrt();
    let scale = (0..pairs).map(energy).fold(0.0, f64::max);
    if scale == 0.0 {
        return;
    }
    for (c, multiplier) in multiplier.iter_mut().enumerate() {
        *multiplier = scale / slack(p, c);
    }
    let mut fall = FIRST_FALL;
    for _ in 0..MOST_STEPS {
        let products = || (0..pairs).map(|c| multiplier[c] * slack(p, c));
        let off = |i: usize| problem.g[i] + dot(problem.row(i), p) + multiplier[i / 2] * p[i];
        let unbalanced = (0..size).map(|i| problem.radius[i / 2] * off(i).abs());
        if products().fold(0.0, f64::max) <= NEAR * scale
            && unbalanced.fold(0.0, f64::max) <= NEAR * scale
        {
            break;
        }
        let target = fall * products().sum::<f64>() / pairs as f64;
        for i in 0..size {
            let c = i / 2;
            let s = slack(p, c);
            let row = &mut factor[i * size..][..size];
            row.copy_from_slice(problem.row(i));
            row[i] += multiplier[c] + WEIGHT * problem.mobility(c);
            row[2 * c] += multiplier[c] / s * p[i] * p[2 * c];
            row[2 * c + 1] += multiplier[c] / s * p[i] * p[2 * c + 1];
            step[i] = -(problem.g[i] + dot(problem.row(i), p)) - p[i] * target / s;
        }
        lu_factor(size, factor, pivots);
        lu_solve(size, factor, pivots, step);

        let growth = |s: f64, along: f64, multiplier: f64| (target - multiplier * (s - along)) / s;
        let mut part = 1.0_f64;
        for (c, &multiplier) in multiplier.iter().enumerate() {
            let (s, along, square) = (slack(p, c), pair(p, step, c), pair(step, step, c));
            let border = 2.0 * s / (along + (along * along + 2.0 * square * s).sqrt());
            if border * INSIDE < part {
                part = border * INSIDE;
            }
            let growth = growth(s, along, multiplier);
            if growth < 0.0 {
                part = part.min(-INSIDE * multiplier / growth);
            }
        }
        for (c, multiplier) in multiplier.iter_mut().enumerate() {
            let (s, along) = (slack(p, c), pair(p, step, c));
            *multiplier += part * growth(s, along, *multiplier);
        }
        for (p, step) in p.iter_mut().zip(step.iter()) {
            *p += part * step;
        }
        fall = if part > FREELY { FREE_FALL } else { SLOW_FALL };
    }
}
