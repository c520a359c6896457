//! Friction impulses: the minimum of the kinetic energy over the friction discs.
//!
//! One contact is solved exactly. For several contacts an interior point method gives the initial
//! impulses. Projected Gauss-Seidel sweeps over the contacts follow, none of which adds energy.
//! After each sweep a Newton step on the optimality conditions of all contacts is tried; it is kept
//! if it reduces the error.

use libm::hypot;

use super::friction_problem::{FrictionProblem, project};
use super::interior_point;
use super::products::dot;
use crate::linear::{lu_factor, lu_solve};

/// Maximum number of sweeps over all contacts.
const MAX_SWEEPS: usize = 500;

/// A sweep makes progress only if it reduces the error below this fraction of the previous one.
const SWEEP_REDUCTION: f64 = 0.9;

/// After this number of sweeps without progress, an error of `STALLED_ERROR` times the rounding
/// error is accepted.
const MAX_STALLED_SWEEPS: usize = 20;
const STALLED_ERROR: f64 = 1e3;

/// A Newton step is kept if it reduces the error below this fraction of the previous one.
const NEWTON_REDUCTION: f64 = 0.5;

/// Relative rounding error of energies.
const SAME_ENERGY: f64 = 1e-15;

/// A principal axis is immobile if its mobility is below the first fraction of the larger mobility.
/// The load along an immobile axis counts as rounding error below the second fraction of the whole
/// load.
const SEMIDEFINITE: f64 = 1e-13;
const SEMIDEFINITE_LOAD: f64 = 1e-12;

/// Maximum number of corrections of a multiplier, which converge quadratically.
const MAX_CORRECTIONS: usize = 100;

/// Regularization of a Newton step, for directions that no velocity depends on.
const REGULARIZATION: f64 = 1e-9;

/// Finds `p` and, for each pair, its multiplier: zero inside the disc, and on its border the
/// sliding velocity divided by the radius.
pub(super) fn solve(
    problem: &FrictionProblem<'_>,
    p: &mut [f64],
    multiplier: &mut [f64],
    factor: &mut [f64],
    vectors: &mut [&mut [f64]; 3],
) {
    let [step, pivots, trial] = vectors;
    let (pairs, size) = (problem.radius.len(), problem.g.len());
    let trial = &mut trial[..size];
    p.fill(0.0);
    if pairs > 1 {
        interior_point::solve(problem, p, multiplier, factor, step, pivots);
        let energy = problem.energy(p);
        if energy.is_nan() || energy > 0.0 {
            p.fill(0.0);
        }
    }
    let mut best = f64::INFINITY;
    let mut stalled = 0;
    for _ in 0..MAX_SWEEPS {
        for (c, multiplier) in multiplier.iter_mut().enumerate() {
            let (i, j) = (2 * c, 2 * c + 1);
            let block = [problem.row(i)[i], problem.row(i)[j], problem.row(j)[j]];
            let velocity = problem.velocity(p, c);
            let g = [
                velocity[0] - block[0] * p[i] - block[1] * p[j],
                velocity[1] - block[1] * p[i] - block[2] * p[j],
            ];
            let (pair, lambda) = in_disc(block, g, problem.radius[c]);
            p[i..=j].copy_from_slice(&pair);
            *multiplier = lambda;
        }
        if pairs == 1 {
            return;
        }
        let mut error = problem.errors(p);
        if error > 1.0 {
            newton_step(problem, p, multiplier, factor, step, pivots);
            for i in 0..size {
                trial[i] = p[i] + step[i];
            }
            for c in 0..pairs {
                project(&mut trial[2 * c..2 * c + 2], problem.radius[c]);
            }
            let (before, after) = (problem.energy(p), problem.energy(trial));
            let newton_error = problem.errors(trial);
            if newton_error < NEWTON_REDUCTION * error
                && after <= before + SAME_ENERGY * before.abs()
            {
                p.copy_from_slice(trial);
                error = newton_error;
                let sliding = multiplier.iter_mut().filter(|lambda| **lambda > 0.0);
                sliding.zip(&step[size..]).for_each(|(lambda, change)| *lambda += change);
            }
        }
        if error <= 1.0 {
            return;
        }
        stalled = if error < SWEEP_REDUCTION * best { 0 } else { stalled + 1 };
        best = best.min(error);
        if stalled > MAX_STALLED_SWEEPS && best < STALLED_ERROR {
            return;
        }
    }
}

/// Newton's correction of all pairs, for the present sets of sticking and sliding contacts.
fn newton_step(
    problem: &FrictionProblem<'_>,
    p: &[f64],
    multiplier: &[f64],
    factor: &mut [f64],
    step: &mut [f64],
    pivots: &mut [f64],
) {
    let size = p.len();
    let all = conditions(problem, p, multiplier, factor);
    for i in 0..size {
        step[i] = -(problem.g[i] + dot(problem.row(i), p) + multiplier[i / 2] * p[i]);
    }
    let sliding = (0..multiplier.len()).filter(|&c| multiplier[c] > 0.0);
    for (border, c) in sliding.enumerate() {
        let (x, y, radius) = (p[2 * c], p[2 * c + 1], problem.radius[c]);
        step[size + border] = 0.5 * (radius * radius - x * x - y * y);
    }
    lu_factor(all, factor, pivots);
    lu_solve(all, factor, pivots, step);
}

/// Writes the matrix of the optimality conditions of all pairs, first those of the velocities with
/// their multipliers, then those of sliding pairs. Returns its size.
pub(super) fn conditions(
    problem: &FrictionProblem<'_>,
    p: &[f64],
    multiplier: &[f64],
    matrix: &mut [f64],
) -> usize {
    let size = p.len();
    let all = size + multiplier.iter().filter(|&&lambda| lambda > 0.0).count();
    matrix[..all * all].fill(0.0);
    for i in 0..size {
        matrix[i * all..][..size].copy_from_slice(problem.row(i));
        matrix[i * all + i] += multiplier[i / 2] + REGULARIZATION * problem.mobility(i / 2);
    }
    let sliding = (0..multiplier.len()).filter(|&c| multiplier[c] > 0.0);
    for (border, c) in (size..).zip(sliding) {
        for i in [2 * c, 2 * c + 1] {
            matrix[i * all + border] = p[i];
            matrix[border * all + i] = p[i];
        }
    }
    all
}

/// The minimum of `½ p·B p + g·p` in a disc, and its multiplier; `B` is given by its entries xx, xy
/// and yy.
///
/// On the border, the length of `p = -(B + λ)⁻¹ g` equals the radius. In principal axes this is a
/// scalar equation for `λ`. Its reciprocal form is concave, so Newton's method approaches the
/// solution from below and does not overshoot.
fn in_disc([xx, xy, yy]: [f64; 3], g: [f64; 2], radius: f64) -> ([f64; 2], f64) {
    let (half, off) = (0.5 * (xx - yy), xy);
    let spread = hypot(half, off);
    let large = 0.5 * (xx + yy) + spread;
    let mut small = (xx * yy - xy * xy) / large;
    let (cosine, sine) = if spread == 0.0 {
        (1.0, 0.0)
    } else if half >= 0.0 {
        let cosine = (0.5 * (1.0 + half / spread)).sqrt();
        (cosine, 0.5 * off / spread / cosine)
    } else {
        let sine = (0.5 * (1.0 - half / spread)).sqrt();
        (0.5 * off / spread / sine, sine)
    };
    let (a, mut b) = (cosine * g[0] + sine * g[1], cosine * g[1] - sine * g[0]);
    if small <= SEMIDEFINITE * large {
        small = 0.0;
        if b.abs() <= SEMIDEFINITE_LOAD * (a.abs() + large * radius) {
            b = 0.0;
        }
    }
    let at = |lambda: f64| {
        let second = if b == 0.0 { 0.0 } else { -b / (small + lambda) };
        (-a / (large + lambda), second)
    };
    let back = |(q, r): (f64, f64)| [cosine * q - sine * r, sine * q + cosine * r];
    let (mut q, mut r) = at(0.0);
    if hypot(q, r) <= radius {
        return (back((q, r)), 0.0);
    }
    let bounds = [hypot(a, b) / radius - large, a.abs() / radius - large, b.abs() / radius - small];
    let mut lambda = bounds.into_iter().fold(0.0, f64::max);
    for _ in 0..MAX_CORRECTIONS {
        (q, r) = at(lambda);
        let length = hypot(q, r);
        let slope =
            q * q / (large + lambda) + if b == 0.0 { 0.0 } else { r * r / (small + lambda) };
        let next = lambda + (length - radius) / radius * length * length / slope;
        if next <= lambda {
            break;
        }
        lambda = next;
    }
    let mut pair = back(at(lambda));
    let length = hypot(pair[0], pair[1]);
    pair.iter_mut().for_each(|p| *p *= radius / length);
    (pair, lambda)
}
