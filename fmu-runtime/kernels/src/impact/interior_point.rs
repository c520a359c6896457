//! Interior point method for the friction discs.
//!
//! With slacks `s = ½ (R² - |p|²)` and multipliers `λ` the optimality conditions are
//! `A p + g + λ p = 0` and `λ s = 0`. Newton's method on them with `λ s = τ` and decreasing `τ`
//! needs no guess of which contacts stick, and ends at the analytic centre of the solutions.

use super::friction_problem::FrictionProblem;
use super::products::dot;
use crate::linear::{lu_factor, lu_solve};

/// Maximum number of steps.
const MAX_STEPS: usize = 80;

/// Complementarity gap at the end, relative to the largest energy that a contact could dissipate.
const GAP_TOLERANCE: f64 = 1e-12;

/// Centering parameter: the fraction of the mean product `λ s` that the next step aims at. The
/// parameter has three values: for the first step, after a long step (more than [`LONG_STEP`] of
/// the Newton step), and after a shorter step.
const FIRST_CENTERING: f64 = 0.1;
const LONG_STEP_CENTERING: f64 = 0.05;
const SHORT_STEP_CENTERING: f64 = 0.5;
const LONG_STEP: f64 = 0.9;

/// Regularization of a step, for directions that no velocity depends on.
const REGULARIZATION: f64 = 1e-14;

/// Largest fraction of the distance to the boundary that a step takes.
const BOUNDARY_FRACTION: f64 = 0.99;

/// Approximates `p` and its multipliers.
pub(super) fn solve(
    problem: &FrictionProblem<'_>,
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
    let mut centering = FIRST_CENTERING;
    for _ in 0..MAX_STEPS {
        let products = || (0..pairs).map(|c| multiplier[c] * slack(p, c));
        let residual = |i: usize| problem.g[i] + dot(problem.row(i), p) + multiplier[i / 2] * p[i];
        let unbalanced = (0..size).map(|i| problem.radius[i / 2] * residual(i).abs());
        if products().fold(0.0, f64::max) <= GAP_TOLERANCE * scale
            && unbalanced.fold(0.0, f64::max) <= GAP_TOLERANCE * scale
        {
            break;
        }
        let target = centering * products().sum::<f64>() / pairs as f64;
        for i in 0..size {
            let c = i / 2;
            let s = slack(p, c);
            let row = &mut factor[i * size..][..size];
            row.copy_from_slice(problem.row(i));
            row[i] += multiplier[c] + REGULARIZATION * problem.mobility(c);
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
            if border * BOUNDARY_FRACTION < part {
                part = border * BOUNDARY_FRACTION;
            }
            let growth = growth(s, along, multiplier);
            if growth < 0.0 {
                part = part.min(-BOUNDARY_FRACTION * multiplier / growth);
            }
        }
        for (c, multiplier) in multiplier.iter_mut().enumerate() {
            let (s, along) = (slack(p, c), pair(p, step, c));
            *multiplier += part * growth(s, along, *multiplier);
        }
        for (p, step) in p.iter_mut().zip(step.iter()) {
            *p += part * step;
        }
        centering = if part > LONG_STEP { LONG_STEP_CENTERING } else { SHORT_STEP_CENTERING };
    }
}
