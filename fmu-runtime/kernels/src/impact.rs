//! Simultaneous impacts: the impulses of all active contacts at one instant.
//!
//! Each contact has one row, or three with friction: the relative velocity of its material points
//! along the normal (positive where they separate), then along two orthogonal tangents. With the
//! Delassus matrix `W = J M⁻¹ Jᵀ` (symmetric, positive semidefinite) impulses `p` change the
//! velocities of all rows to `v⁺ = v + W p`.
//!
//! 1. Normal impulses follow from Newton's law of restitution as a linear complementarity problem:
//!    `p ≥ 0`, `v⁺ + e min(v, 0) ≥ 0`, complementary.
//! 2. With these normal impulses, the friction impulses in the discs `|p_t| ≤ μ p_n` dissipate as
//!    much energy as possible: a contact sticks if possible, and otherwise slides against its
//!    impulse.
//!
//! Velocities do not depend on the order of contacts; where `W` is singular (a body on four feet)
//! normal impulses are nearly those of least norm. Neither stage adds energy if all active contacts
//! approach. Where restitution is infeasible (a ball wedged between walls) contacts become plastic,
//! and rows that cannot move get no impulse.
//!
//! Reference: Moreau, "Unilateral contact and dry friction in finite freedom dynamics", 1988;
//! Glocker, "Set-Valued Force Laws", Springer 2001.

mod discs;
mod friction_problem;
mod interior_point;
mod products;
mod unilateral;

use crate::Scalar;
use crate::linear::{lu_factor, lu_solve};
use friction_problem::FrictionProblem;
pub use unilateral::ActiveContact;

/// A row counts as immobile if its diagonal element of `W` is below this fraction of the largest
/// one.
const IMMOBILE: f64 = 1e-24;

/// A velocity is a sum, and counts as zero below this fraction of the magnitudes of its terms. The
/// fraction covers several rounding errors of each term.
const AT_REST: f64 = 32.0 * f64::EPSILON;

/// A point at which two bodies may touch.
#[derive(Clone, Copy, Debug)]
pub struct Contact<S> {
    /// Whether it takes part in the impact: it touches and approaches.
    pub active: bool,
    /// Coefficient of restitution `e`.
    pub restitution: S,
    /// Coefficient of friction `μ`; without it the contact has one row, with it three.
    pub friction: Option<S>,
}

impl<S> Contact<S> {
    fn rows(&self) -> usize {
        if self.friction.is_some() { 3 } else { 1 }
    }
}

/// Work space for `n` rows.
#[derive(Debug)]
pub struct Scratch<'a> {
    /// Two matrices, each of length `n * n`.
    pub matrices: [&'a mut [f64]; 2],
    /// Vectors, one after the other: [`VECTORS`]` * n`.
    pub vectors: &'a mut [f64],
    /// Length `n`.
    pub active: &'a mut [ActiveContact],
}

/// Vectors of a [`Scratch`].
pub const VECTORS: usize = 8;

/// [`impulses_slice`] in arrays: `NN = N * N`.
pub fn impulses<S: Scalar, const N: usize, const NN: usize>(
    w: &[S; NN],
    v: &[S; N],
    contacts: &[Contact<S>],
) -> [S; N] {
    let (mut reduced, mut factor) = ([0.0; NN], [0.0; NN]);
    let mut vectors = [[0.0; N]; VECTORS];
    let mut active = [ActiveContact::default(); N];
    let mut p = [S::from(0.0); N];
    let scratch = Scratch {
        matrices: [&mut reduced, &mut factor],
        vectors: vectors.as_flattened_mut(),
        active: &mut active,
    };
    impulses_slice(w, v, contacts, scratch, &mut p);
    p
}

/// Impulses `p` of all rows; zero where a contact is not active.
///
/// `w` is the Delassus matrix of all rows, row-major; only the upper triangle of the rows of active
/// contacts is read. `v` are the velocities before the impact. Numbers that are not finite give
/// impulses that are NaN. Which constraints are active depends on the values only, not on the
/// tangents.
pub fn impulses_slice<S: Scalar>(
    w: &[S],
    v: &[S],
    contacts: &[Contact<S>],
    mut scratch: Scratch<'_>,
    p: &mut [S],
) {
    p.fill(S::from(0.0));
    let pass = Pass { w, v, contacts };
    if pass.is_finite() {
        let largest = pass.rows().map(|row| pass.at(row, row).value()).fold(0.0, f64::max);
        pass.normal_impulses(largest * IMMOBILE, &mut scratch, p);
        pass.friction_impulses(largest * IMMOBILE, &mut scratch, p);
    } else {
        pass.rows().for_each(|row| p[row] = S::from(f64::NAN));
    }
}

#[derive(Clone, Copy)]
struct Pass<'a, S> {
    w: &'a [S],
    v: &'a [S],
    contacts: &'a [Contact<S>],
}

impl<'a, S: Scalar> Pass<'a, S> {
    fn at(self, i: usize, j: usize) -> S {
        self.w[i.min(j) * self.v.len() + i.max(j)]
    }

    /// First row and number of each active contact.
    fn active(self) -> impl Iterator<Item = (usize, usize)> + use<'a, S> {
        let mut next = 0;
        let all = self.contacts.iter().enumerate().map(move |(number, contact)| {
            let row = next;
            next += contact.rows();
            (row, number, contact.active)
        });
        all.filter(|(.., active)| *active).map(|(row, number, _)| (row, number))
    }

    /// All rows of the active contacts.
    fn rows(self) -> impl Iterator<Item = usize> + use<'a, S> {
        self.active().flat_map(move |(row, c)| row..row + self.contacts[c].rows())
    }

    fn is_finite(self) -> bool {
        let row_is_finite = |i: usize| {
            self.v[i].value().is_finite() && self.rows().all(|j| self.at(i, j).value().is_finite())
        };
        let law_is_finite = |(_, c): (usize, usize)| {
            let Contact { restitution, friction, .. } = self.contacts[c];
            restitution.value().is_finite() && friction.is_none_or(|mu| mu.value().is_finite())
        };
        self.rows().all(row_is_finite) && self.active().all(law_is_finite)
    }

    /// The negative of the lower bound of the normal velocity after the impact.
    fn target(self, one: &ActiveContact) -> S {
        let before = self.v[one.row];
        before + self.contacts[one.contact].restitution * before.min(S::from(0.0))
    }

    /// Normal impulses of rows whose diagonal exceeds `immobile`.
    fn normal_impulses(self, immobile: f64, scratch: &mut Scratch<'_>, p: &mut [S]) {
        let Scratch { matrices: [matrix, factor], vectors, active } = scratch;
        let moves = |(row, _): &(usize, usize)| self.at(*row, *row).value() > immobile;
        let active = collect(self.active().filter(moves), active);
        let count = active.len();
        if let [one] = active {
            let target = self.target(one);
            if target.value() < 0.0 {
                p[one.row] = -target / self.at(one.row, one.row);
            }
        }
        if count < 2 {
            return;
        }
        let [plain, target, normal, mut rest @ ..] = parts::<VECTORS>(vectors, count);
        for i in 0..count {
            for j in 0..count {
                matrix[i * count + j] = self.at(active[i].row, active[j].row).value();
            }
            plain[i] = self.v[active[i].row].value();
            target[i] = self.target(&active[i]).value();
        }
        unilateral::solve(matrix, plain, target, normal, factor, &mut rest, active);
        for (one, push) in active.iter().zip(normal.iter()) {
            p[one.row] = S::from(*push);
        }
        if S::HAS_TANGENT {
            let [row, pivots, ..] = rest;
            unilateral::conditions(matrix, normal, factor);
            lu_factor(count, factor, pivots);
            let residual = |one: &ActiveContact| {
                let terms = active.iter().zip(normal.iter());
                let terms = terms.map(|(other, push)| self.at(one.row, other.row) * *push);
                terms.fold(self.target(one), |sum, term| sum + term)
            };
            for i in (0..count).filter(|&i| normal[i] > 0.0) {
                row_of_inverse(i, count, factor, pivots, row);
                let pushing = (0..count).filter(|&j| normal[j] > 0.0);
                let moved =
                    pushing.fold(S::from(0.0), |sum, j| sum - residual(&active[j]) * row[j]);
                p[active[i].row] = moved.with_value(normal[i]);
            }
        }
    }

    /// Friction impulses of rows whose diagonal exceeds `immobile`, given the normal impulses.
    fn friction_impulses(self, immobile: f64, scratch: &mut Scratch<'_>, p: &mut [S]) {
        let Scratch { matrices: [matrix, factor], vectors, active } = scratch;
        let limit = |row: usize, c: usize| self.contacts[c].friction.map(|mu| mu * p[row]);
        let slides = |&(row, c): &(usize, usize)| {
            limit(row, c).is_some_and(|limit| limit.value() > 0.0)
                && self.at(row + 1, row + 1).value() + self.at(row + 2, row + 2).value() > immobile
        };
        let active = collect(self.active().filter(slides), active);
        let (pairs, size) = (active.len(), 2 * active.len());
        if pairs == 0 {
            return;
        }
        let tangent = |i: usize| active[i / 2].row + 1 + i % 2;
        let [g, terms, radius, tangential, multiplier, mut rest @ ..] =
            parts::<VECTORS>(vectors, 3 * pairs);
        let normals = |row: usize, p: &[S]| -> S {
            let terms = self.active().map(|(normal, _)| self.at(row, normal) * p[normal]);
            terms.fold(self.v[row], |sum, term| sum + term)
        };
        for i in 0..size {
            let row = tangent(i);
            for j in 0..size {
                matrix[i * size + j] = self.at(row, tangent(j)).value();
            }
            g[i] = normals(row, p).value();
            let normal = self.active().map(|(n, _)| self.at(row, n).value() * p[n].value());
            terms[i] = normal.fold(self.v[row].value().abs(), |sum, term| sum + term.abs());
        }
        // Velocities within the rounding error are set to zero.
        for (g, terms) in g.chunks_exact_mut(2).zip(terms.chunks_exact(2)).take(pairs) {
            let rounding = AT_REST * terms[0].max(terms[1]);
            if g.iter().all(|g| g.abs() <= rounding) {
                g.fill(0.0);
            }
        }
        for (radius, one) in radius.iter_mut().zip(active.iter()) {
            *radius = limit(one.row, one.contact).map_or(0.0, S::value);
        }
        let (tangential, multiplier) = (&mut tangential[..size], &mut multiplier[..pairs]);
        let problem = FrictionProblem {
            matrix: &matrix[..size * size],
            g: &g[..size],
            terms: &terms[..size],
            radius: &radius[..pairs],
        };
        discs::solve(&problem, tangential, multiplier, factor, &mut rest);
        for i in 0..size {
            p[tangent(i)] = S::from(tangential[i]);
        }
        if S::HAS_TANGENT {
            let [inverse, pivots, _] = rest;
            let all = discs::conditions(&problem, tangential, multiplier, factor);
            lu_factor(all, factor, pivots);
            for i in 0..size {
                row_of_inverse(i, all, factor, pivots, inverse);
                let mut moved = S::from(0.0);
                for (j, &entry) in inverse[..size].iter().enumerate() {
                    let row = tangent(j);
                    let terms = (0..size).map(|k| self.at(row, tangent(k)) * tangential[k]);
                    let residual = terms.fold(normals(row, p), |sum, term| sum + term);
                    moved = moved - residual * entry;
                }
                let sliding = (0..pairs).filter(|&c| multiplier[c] > 0.0);
                for (&entry, c) in inverse[size..].iter().zip(sliding) {
                    let ActiveContact { row, contact, .. } = active[c];
                    let limit = self.contacts[contact].friction.map(|mu| mu * p[row]);
                    let radius = limit.unwrap_or(S::from(0.0));
                    moved = moved + radius * radius * (0.5 * entry);
                }
                p[tangent(i)] = moved.with_value(tangential[i]);
            }
        }
    }
}

/// Writes the contacts to the work space and returns the part that they use.
fn collect(
    contacts: impl Iterator<Item = (usize, usize)>,
    active: &mut [ActiveContact],
) -> &mut [ActiveContact] {
    let mut count = 0;
    for (one, (row, contact)) in active.iter_mut().zip(contacts) {
        *one = ActiveContact::new(row, contact);
        count += 1;
    }
    &mut active[..count]
}

/// A row of the inverse of a factorized symmetric matrix.
fn row_of_inverse(i: usize, n: usize, factor: &[f64], pivots: &[f64], row: &mut [f64]) {
    row[..n].fill(0.0);
    row[i] = 1.0;
    lu_solve(n, factor, pivots, row);
}

/// The first `K` slices of the given length.
fn parts<const K: usize>(vectors: &mut [f64], length: usize) -> [&mut [f64]; K] {
    let mut all = vectors.chunks_mut(length);
    std::array::from_fn(|_| all.next().unwrap_or_default())
}
