//! Coulomb friction with given normal impulses as an optimization problem: the impulses within the
//! friction discs that dissipate as much energy as possible.

use libm::hypot;

use super::products::{ROUNDING, dot, dot_abs};

/// Minimisation of `½ p·A p + g·p`, where each pair of elements of `p` lies in the disc of its
/// radius.
pub(super) struct FrictionProblem<'a> {
    /// Symmetric and semidefinite, row-major.
    pub matrix: &'a [f64],
    pub g: &'a [f64],
    /// For each element of `g`, which is a sum, the magnitudes of its terms. The rounding error of
    /// the element is relative to them.
    pub terms: &'a [f64],
    pub radius: &'a [f64],
}

impl FrictionProblem<'_> {
    /// A row of the matrix.
    pub fn row(&self, i: usize) -> &[f64] {
        let size = self.g.len();
        &self.matrix[i * size..][..size]
    }

    /// Velocities of a pair.
    pub fn velocity(&self, p: &[f64], c: usize) -> [f64; 2] {
        [2 * c, 2 * c + 1].map(|i| self.g[i] + dot(self.row(i), p))
    }

    /// Mean of the diagonal of a pair.
    pub fn mobility(&self, c: usize) -> f64 {
        0.5 * (self.row(2 * c)[2 * c] + self.row(2 * c + 1)[2 * c + 1])
    }

    /// Kinetic energy that the impulses add.
    pub fn energy(&self, p: &[f64]) -> f64 {
        (0..p.len()).map(|i| p[i] * (self.g[i] + 0.5 * dot(self.row(i), p))).sum()
    }

    /// Residual of the projection equation `p = project(p - velocity / mobility)` of a pair, as a
    /// velocity divided by the square root of its mobility, and the rounding error of this
    /// residual.
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

    /// The largest error of all pairs relative to the rounding error: at most one if only rounding
    /// errors remain.
    pub fn errors(&self, p: &[f64]) -> f64 {
        let pairs = (0..self.radius.len()).map(|c| self.error(p, c));
        let (error, rounding) = pairs
            .fold((0.0, f64::MIN_POSITIVE), |all: (f64, f64), e| (all.0.max(e.0), all.1.max(e.1)));
        error / rounding
    }
}

/// Projects a pair onto a disc.
pub(super) fn project(p: &mut [f64], radius: f64) {
    let size = hypot(p[0], p[1]);
    if size > radius {
        p.iter_mut().for_each(|p| *p *= radius / size);
    }
}
