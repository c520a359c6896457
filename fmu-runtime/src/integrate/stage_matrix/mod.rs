//! The linear systems of a Rosenbrock step: `(E / hg - J) k = r`.
//!
//! The pattern of the Jacobian decides once how they are solved: with sparse factors or, if sparse
//! factors would cost more, with dense factors and pivoting.

mod dense;
mod sparse;

use super::jacobian_pattern::JacobianPattern;
use dense::DenseFactors;
use sparse::SparseFactors;

/// The systems of one Jacobian, for any step size.
pub(super) enum StageMatrix<'a> {
    Dense(DenseFactors<'a>),
    Sparse(SparseFactors<'a>),
}

impl<'a> StageMatrix<'a> {
    /// Number of values of its memory.
    pub fn length(pattern: &JacobianPattern) -> usize {
        match pattern.elimination() {
            Some(elimination) => SparseFactors::length(elimination),
            None => DenseFactors::length(pattern.states()),
        }
    }

    pub fn new(pattern: &'a JacobianPattern, memory: &'a mut [f64]) -> Self {
        match pattern.elimination() {
            Some(elimination) => {
                StageMatrix::Sparse(SparseFactors::new(pattern, elimination, memory))
            }
            None => StageMatrix::Dense(DenseFactors::new(pattern, memory)),
        }
    }

    /// Prepares for a new Jacobian.
    pub fn set_jacobian(&mut self, jacobian: &[f64]) {
        if let StageMatrix::Dense(dense) = self {
            dense.set_jacobian(jacobian);
        }
    }

    /// Factorizes for a step size; `hg` is the step size times the method's gamma. If the systems
    /// cannot be solved, solutions are not finite.
    pub fn factor(&mut self, jacobian: &[f64], hg: f64, nominal: &[f64]) {
        match self {
            StageMatrix::Dense(dense) => dense.factor(hg),
            StageMatrix::Sparse(sparse) => sparse.factor(jacobian, hg, nominal),
        }
    }

    /// Solves with the last factors, in place.
    #[inline]
    pub fn solve(&mut self, r: &mut [f64]) {
        match self {
            StageMatrix::Dense(dense) => dense.solve(r),
            StageMatrix::Sparse(sparse) => sparse.solve(r),
        }
    }
}
