//! Scalar products and their rounding.

/// Bound of the rounding of a residual, relative to its terms.
pub(super) const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// `sum a_j x_j`.
pub(super) fn dot(a: &[f64], x: &[f64]) -> f64 {
    a.iter().zip(x).map(|(a, x)| a * x).sum()
}

/// `sum |a_j x_j|`: the size that rounding of [`dot`] is relative to.
pub(super) fn dot_abs(a: &[f64], x: &[f64]) -> f64 {
    a.iter().zip(x).map(|(a, x)| (a * x).abs()).sum()
}
