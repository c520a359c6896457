//! Impulses inside of discs that take as much energy as they can: Coulomb friction with given
//! normal impulses.
//!
//! One contact alone is solved exactly. Several are first brought near the solution through the
//! inside of all discs; then one after the other is solved, which never adds energy, and after each
//! sweep Newton's method on the conditions of all is tried, and kept where it comes closer.

use libm::hypot;

use super::interior::approach;
use super::{ROUNDING, dot, dot_abs};
use crate::linear::{lu_factor, lu_solve};

/// Most sweeps over all contacts.
const MOST_SWEEPS: usize = 500;

/// A sweep that leaves more than this part of the error is no progress.
const PROGRESS: f64 = 0.9;

/// After so many sweeps without progress an error of so many roundings is taken for rounding.
const PATIENCE: usize = 20;
const MANY_ROUNDINGS: f64 = 1e3;

/// A Newton step is kept if it leaves less than this part of the error.
const CLOSER: f64 = 0.5;

/// Rounding of energies.
const SAME_ENERGY: f64 = 1e-15;

/// A direction with less than this part of the larger mobility does not move; what pushes along it
/// is rounding if it is less than the second part of all.
const FLAT: f64 = 1e-13;
const FLAT_PUSH: f64 = 1e-12;

/// Most corrections of a multiplier. They converge quadratically: a bound for the loop only.
const MOST_CORRECTIONS: usize = 100;

/// Weight of the distance in a Newton step, for directions that no velocity depends on.
const WEIGHT: f64 = 1e-9;

/// Minimise `½ p·A p + g·p` where each pair of `p` is in the disc of its radius.
pub(super) struct Problem<'a> {
    /// Symmetric and semidefinite, row-major.
    pub matrix: &'a [f64],
    pub g: &'a [f64],
    /// Sizes of the terms of which `g` are the sums: what its rounding is relative to.
    pub terms: &'a [f64],
    pub radius: &'a [f64],
}

impl Problem<'_> {
    pub fn row(&self, i: usize) -> &[f64] {
        let size = self.g.len();
        &self.matrix[i * size..][..size]
    }

    /// Velocities of a pair.
    fn velocity(&self, p: &[f64], c: usize) -> [f64; 2] {
        [2 * c, 2 * c + 1].map(|i| self.g[i] + dot(self.row(i), p))
    }

    /// Mean of the diagonal of a pair.
    pub fn mobility(&self, c: usize) -> f64 {
        0.5 * (self.row(2 * c)[2 * c] + self.row(2 * c + 1)[2 * c + 1])
    }

    fn energy(&self, p: &[f64]) -> f64 {
        (0..p.len()).map(|i| p[i] * (self.g[i] + 0.5 * dot(self.row(i), p))).sum()
    }

    /// How far a pair is from where its velocity would carry it, as a velocity relative to its
    /// mobility; second, the part of it that is rounding.
    fn error(&self, p: &[f64], c: usize) -> (f64, f64) {
        let (mobility, velocity) = (self.mobility(c), self.velocity(p, c));
        let here = [p[2 * c], p[2 * c + 1]];
        let mut there = [0, 1].map(|i| here[i] - velocity[i] / mobility);
        project(&mut there, self.radius[c]);
        let distance = hypot(here[0] - there[0], here[1] - there[1]);
        let size = [2 * c, 2 * c + 1].map(|i| self.terms[i] + dot_abs(self.row(i), p));
        let rounding = ROUNDING * size[0].max(size[1]);
        (distance * mobility.sqrt(), rounding / mobility.sqrt())
    }

    /// The largest error of a pair; not above one if there is only rounding.
    fn errors(&self, p: &[f64]) -> f64 {
        let pairs = (0..self.radius.len()).map(|c| self.error(p, c));
        let (error, rounding) = pairs
            .fold((0.0, f64::MIN_POSITIVE), |all: (f64, f64), e| (all.0.max(e.0), all.1.max(e.1)));
        error / rounding
    }
}

/// Scales a pair back into a disc.
fn project(p: &mut [f64], radius: f64) {
    let size = hypot(p[0], p[1]);
    if size > radius {
        p.iter_mut().for_each(|p| *p *= radius / size);
    }
}

/// Finds `p` and, for each pair, its multiplier: zero inside of the disc, slip over radius on the
/// rim.
pub(super) fn solve(
    problem: &Problem<'_>,
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
        approach(problem, p, multiplier, factor, step, pivots);
        let energy = problem.energy(p);
        if energy.is_nan() || energy > 0.0 {
            p.fill(0.0);
        }
    }
    let mut best = f64::INFINITY;
    let mut waited = 0;
    for _ in 0..MOST_SWEEPS {
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
            let closer = problem.errors(trial);
            if closer < CLOSER * error && after <= before + SAME_ENERGY * before.abs() {
                p.copy_from_slice(trial);
                error = closer;
                let rims = multiplier.iter_mut().filter(|lambda| **lambda > 0.0);
                rims.zip(&step[size..]).for_each(|(lambda, change)| *lambda += change);
            }
        }
        if error <= 1.0 {
            return;
        }
        waited = if error < PROGRESS * best { 0 } else { waited + 1 };
        best = best.min(error);
        if waited > PATIENCE && best < MANY_ROUNDINGS {
            return;
        }
    }
}

/// Newton's correction of all pairs, for the present choice of those that stick and those on the
/// rim.
fn newton_step(
    problem: &Problem<'_>,
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
    let rims = (0..multiplier.len()).filter(|&c| multiplier[c] > 0.0);
    for (rim, c) in rims.enumerate() {
        let (x, y, radius) = (p[2 * c], p[2 * c + 1], problem.radius[c]);
        step[size + rim] = 0.5 * (radius * radius - x * x - y * y);
    }
    lu_factor(all, factor, pivots);
    lu_solve(all, factor, pivots, step);
}

/// The matrix of the conditions of all pairs: velocities with multipliers, then rims; its size.
pub(super) fn conditions(
    problem: &Problem<'_>,
    p: &[f64],
    multiplier: &[f64],
    matrix: &mut [f64],
) -> usize {
    let size = p.len();
    let all = size + multiplier.iter().filter(|&&lambda| lambda > 0.0).count();
    matrix[..all * all].fill(0.0);
    for i in 0..size {
        matrix[i * all..][..size].copy_from_slice(problem.row(i));
        matrix[i * all + i] += multiplier[i / 2] + WEIGHT * problem.mobility(i / 2);
    }
    let rims = (0..multiplier.len()).filter(|&c| multiplier[c] > 0.0);
    for (border, c) in (size..).zip(rims) {
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
/// On the rim `p = -(B + λ)⁻¹ g` has the length of the radius: in principal axes an equation for
/// `λ` whose reciprocal form is concave, so that Newton's method comes from below and does not
/// pass.
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
    if small <= FLAT * large {
        small = 0.0;
        if b.abs() <= FLAT_PUSH * (a.abs() + large * radius) {
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
    for _ in 0..MOST_CORRECTIONS {
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
