//! Scalar products and their rounding errors.

/// Bound of the rounding error of a residual, relative to the magnitudes of its terms.
pub(super) const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// `sum a_j x_j`.
pub(super) fn dot(a: &[f64], x: &[f64]) -> f64 {
    a.iter().zip(x).map(|(a, x)| a * x).sum()
}

/// `sum |a_j x_j|`: the magnitude to which the rounding error of [`dot`] is relative.
pub(super) fn dot_abs(a: &[f64], x: &[f64]) -> f64 {
    a.iter().zip(x).map(|(a, x)| (a * x).abs()).sum()
}
