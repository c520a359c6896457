//! Bounds that exclude zeros of affine indicators in a step: exact for interpolants, estimated from
//! the stages of Dop853.

use super::dense_output::{Degree, HIGH, LOW};
use super::dop853;
use super::ode::OdeSystem;
use super::workspace::{Workspace, row};

/// A bound of an indicator counts as different from zero if it exceeds this, relative to the sum of
/// the magnitudes of the polynomial's coefficients.
const CLEAR: f64 = 1e-9;

/// Whether no indicator has a zero along the interpolant.
pub(super) fn clear_by_interpolant<F: OdeSystem + ?Sized>(ws: &Workspace<'_>, ode: &F) -> bool {
    if ws.last.degree == Degree::Four {
        clear_by_polynomials::<LOW, F>(ws, ode)
    } else {
        clear_by_polynomials::<HIGH, F>(ws, ode)
    }
}

/// The same for polynomials with `N` coefficients.
fn clear_by_polynomials<const N: usize, F: OdeSystem + ?Sized>(
    ws: &Workspace<'_>,
    ode: &F,
) -> bool {
    let clear = |(indicator, &start): (usize, &f64)| {
        let mut polynomial = [0.0; N];
        polynomial[0] = start;
        let affine = ode.affine_indicator(indicator, &mut |state, coefficient| {
            let dense = &ws.dense[N * state..][..N];
            for (sum, c) in polynomial.iter_mut().zip(dense).skip(1) {
                *sum += coefficient * c;
            }
        });
        affine && is_clear_of_zero(&polynomial, 0.0)
    };
    ws.z_start.iter().enumerate().all(clear)
}

/// Whether an indicator is so far from zero at the stages of a step of Dop853 that ends at `t_new`,
/// that no zero is expected in the step; its interpolant, which needs further stages, is not known.
///
/// An indicator differs from the cubic with the same values and slopes at both ends by the integral
/// of the difference of their slopes. At each point of the step this is at most half of the largest
/// difference. The stages are samples of it, so twice as much is allowed.
pub(super) fn clear_by_stages<F: OdeSystem + ?Sized>(
    ws: &Workspace<'_>,
    ode: &F,
    t_new: f64,
) -> bool {
    let (n, h) = (ws.x.len(), t_new - ws.t());
    let clear = |(indicator, (&start, &end)): (usize, (&f64, &f64))| {
        let mut slopes = [0.0; dop853::STAGES];
        let affine = ode.affine_indicator(indicator, &mut |state, coefficient| {
            for (stage, slope) in slopes.iter_mut().enumerate() {
                *slope += h * coefficient * ws.stages[stage * n + state];
            }
        });
        let [first, last] = [slopes[0], slopes[dop853::STAGES - 1]];
        let change = end - start;
        let (c2, c3) = (3.0 * change - 2.0 * first - last, first + last - 2.0 * change);
        let mut margin = 0.0_f64;
        for (slope, theta) in slopes.iter().zip(dop853::C) {
            let of_cubic = first + theta * (2.0 * c2 + theta * 3.0 * c3);
            margin = margin.max((slope - of_cubic).abs());
        }
        affine && is_clear_of_zero(&[start, first, c2, c3], margin)
    };
    ws.z_start.iter().zip(ws.row(row::END)).enumerate().all(clear)
}

/// Whether a polynomial, given by its coefficients, is farther from zero than a margin, between 0
/// and 1: it lies between the smallest and the largest of its coefficients in Bernstein form.
/// NaN is not clear.
fn is_clear_of_zero<const N: usize>(coefficients: &[f64; N], margin: f64) -> bool {
    // Coefficient i in Bernstein form is the sum of binomial(i, j) / binomial(N - 1, j) c[j].
    let mut bernstein = *coefficients;
    let mut binomial = 1.0;
    for (j, b) in bernstein.iter_mut().enumerate() {
        *b /= binomial;
        binomial *= (N - 1 - j) as f64 / (j + 1) as f64;
    }
    for first in 1..N {
        for i in (first..N).rev() {
            bernstein[i] += bernstein[i - 1];
        }
    }
    // Rounding errors of the sums are far below this part of the coefficients. The coefficients
    // themselves are as exact as samples of the indicator.
    let clear = margin + CLEAR * coefficients.iter().fold(0.0, |sum, c| sum + c.abs());
    bernstein.iter().all(|b| *b > clear) || bernstein.iter().all(|b| *b < -clear)
}
