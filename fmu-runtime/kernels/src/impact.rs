//! One pass of impacts: the impulses of all contacts that are struck at the same instant.
//!
//! The rows of a contact are the relative velocities of its material points: along the normal
//! (positive where they separate), then, if it has friction, along two orthogonal tangents. With
//! the matrix `W` (symmetric, positive semidefinite: `J M⁻¹ Jᵀ`) impulses `p` change the velocities
//! of all rows to `v⁺ = v + W p`.
//!
//! 1. Normal impulses push, and Newton's restitution holds: `p ≥ 0`, `v⁺ + e min(v, 0) ≥ 0`,
//!    complementary.
//! 2. Given these, tangential impulses in the discs `|p_t| ≤ μ p_n` take as much energy as they
//!    can: a contact sticks if it can, and else slides against its impulse.
//!
//! Velocities do not depend on the order of contacts; where `W` is singular (a body on four feet)
//! normal impulses are nearly those of least norm. Neither stage adds energy if all that are struck
//! approach. Restitution that cannot be had (a ball wedged between walls) is given up, and so is
//! what cannot move.
//!
//! Reference: Moreau, "Unilateral contact and dry friction in finite freedom dynamics", 1988;
//! Glocker, "Set-Valued Force Laws", Springer 2001.

mod discs;
mod interior;
mod unilateral;

use crate::Scalar;
use crate::linear::{lu_factor, lu_solve};

/// What moves less than this part of what moves most cannot move.
const IMMOBILE: f64 = 1e-24;

/// A velocity counts as zero if it is a smaller part of the terms of which it is the sum: some
/// roundings of each.
const AT_REST: f64 = 32.0 * f64::EPSILON;

/// What a residual that is only rounding is at most, as a part of its terms.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A point where two bodies may meet.
#[derive(Clone, Copy, Debug)]
pub struct Contact<S> {
    /// Whether it takes part.
    pub struck: bool,
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

/// A contact that takes part: its first row and its number; marks of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    row: usize,
    contact: usize,
    free: bool,
    barred: bool,
    index: usize,
}

/// Work space for `n` rows.
#[derive(Debug)]
pub struct Scratch<'a> {
    /// Two matrices, each of length `n * n`.
    pub matrices: [&'a mut [f64]; 2],
    /// Vectors, one after the other: [`VECTORS`]` * n`.
    pub vectors: &'a mut [f64],
    /// Length `n`.
    pub marks: &'a mut [Mark],
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
    let mut marks = [Mark::default(); N];
    let mut p = [S::from(0.0); N];
    let scratch = Scratch {
        matrices: [&mut reduced, &mut factor],
        vectors: vectors.as_flattened_mut(),
        marks: &mut marks,
    };
    impulses_slice(w, v, contacts, scratch, &mut p);
    p
}

/// Impulses `p` of all rows; zero where a contact is not struck.
///
/// `w` is the matrix of all rows, row-major, of which only the upper triangle is read, and nothing
/// of contacts that are not struck; `v` are the velocities before. What is not finite gives
/// impulses that are no numbers. Values decide what is active; tangents follow.
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
        pass.push(largest * IMMOBILE, &mut scratch, p);
        pass.rub(largest * IMMOBILE, &mut scratch, p);
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

    /// First row and number of the contacts that are struck.
    fn struck(self) -> impl Iterator<Item = (usize, usize)> + use<'a, S> {
        let mut next = 0;
        let all = self.contacts.iter().enumerate().map(move |(number, contact)| {
            let row = next;
            next += contact.rows();
            (row, number, contact.struck)
        });
        all.filter(|(.., struck)| *struck).map(|(row, number, _)| (row, number))
    }

    /// All rows of the contacts that are struck.
    fn rows(self) -> impl Iterator<Item = usize> + use<'a, S> {
        self.struck().flat_map(move |(row, c)| row..row + self.contacts[c].rows())
    }

    fn is_finite(self) -> bool {
        let row_is_finite = |i: usize| {
            self.v[i].value().is_finite() && self.rows().all(|j| self.at(i, j).value().is_finite())
        };
        let law_is_finite = |(_, c): (usize, usize)| {
            let Contact { restitution, friction, .. } = self.contacts[c];
            restitution.value().is_finite() && friction.is_none_or(|mu| mu.value().is_finite())
        };
        self.rows().all(row_is_finite) && self.struck().all(law_is_finite)
    }

    /// What the velocity after must not be below, with the other sign.
    fn target(self, mark: &Mark) -> S {
        let before = self.v[mark.row];
        before + self.contacts[mark.contact].restitution * before.min(S::from(0.0))
    }

    /// Normal impulses of what moves more than `immobile`.
    fn push(self, immobile: f64, scratch: &mut Scratch<'_>, p: &mut [S]) {
        let Scratch { matrices: [matrix, factor], vectors, marks } = scratch;
        let moves = |(row, _): &(usize, usize)| self.at(*row, *row).value() > immobile;
        let marks = take(self.struck().filter(moves), marks);
        let count = marks.len();
        if let [mark] = marks {
            let target = self.target(mark);
            if target.value() < 0.0 {
                p[mark.row] = -target / self.at(mark.row, mark.row);
            }
        }
        if count < 2 {
            return;
        }
        let [plain, wanted, pushes, mut rest @ ..] = parts::<VECTORS>(vectors, count);
        for i in 0..count {
            for j in 0..count {
                matrix[i * count + j] = self.at(marks[i].row, marks[j].row).value();
            }
            plain[i] = self.v[marks[i].row].value();
            wanted[i] = self.target(&marks[i]).value();
        }
        unilateral::solve(matrix, plain, wanted, pushes, factor, &mut rest, marks);
        for (mark, push) in marks.iter().zip(pushes.iter()) {
            p[mark.row] = S::from(*push);
        }
        if S::HAS_TANGENT {
            let [row, pivots, ..] = rest;
            unilateral::conditions(matrix, pushes, factor);
            lu_factor(count, factor, pivots);
            let off = |mark: &Mark| {
                let terms = marks.iter().zip(pushes.iter());
                let terms = terms.map(|(other, push)| self.at(mark.row, other.row) * *push);
                terms.fold(self.target(mark), |sum, term| sum + term)
            };
            for i in (0..count).filter(|&i| pushes[i] > 0.0) {
                row_of_inverse(i, count, factor, pivots, row);
                let active = (0..count).filter(|&j| pushes[j] > 0.0);
                let moved = active.fold(S::from(0.0), |sum, j| sum - off(&marks[j]) * row[j]);
                p[marks[i].row] = moved.with_value(pushes[i]);
            }
        }
    }

    /// Tangential impulses of what moves more than `immobile`, given the normal ones.
    fn rub(self, immobile: f64, scratch: &mut Scratch<'_>, p: &mut [S]) {
        let Scratch { matrices: [matrix, factor], vectors, marks } = scratch;
        let limit = |row: usize, c: usize| self.contacts[c].friction.map(|mu| mu * p[row]);
        let rubs = |&(row, c): &(usize, usize)| {
            limit(row, c).is_some_and(|limit| limit.value() > 0.0)
                && self.at(row + 1, row + 1).value() + self.at(row + 2, row + 2).value() > immobile
        };
        let marks = take(self.struck().filter(rubs), marks);
        let (pairs, size) = (marks.len(), 2 * marks.len());
        if pairs == 0 {
            return;
        }
        let tangent = |i: usize| marks[i / 2].row + 1 + i % 2;
        let [g, terms, radius, rubs, multiplier, mut rest @ ..] =
            parts::<VECTORS>(vectors, 3 * pairs);
        let normals = |row: usize, p: &[S]| -> S {
            let terms = self.struck().map(|(normal, _)| self.at(row, normal) * p[normal]);
            terms.fold(self.v[row], |sum, term| sum + term)
        };
        for i in 0..size {
            let row = tangent(i);
            for j in 0..size {
                matrix[i * size + j] = self.at(row, tangent(j)).value();
            }
            g[i] = normals(row, p).value();
            let pushes = self.struck().map(|(n, _)| self.at(row, n).value() * p[n].value());
            terms[i] = pushes.fold(self.v[row].value().abs(), |sum, term| sum + term.abs());
        }
        // What has come to rest but for rounding rests.
        for (g, terms) in g.chunks_exact_mut(2).zip(terms.chunks_exact(2)).take(pairs) {
            let rounding = AT_REST * terms[0].max(terms[1]);
            if g.iter().all(|g| g.abs() <= rounding) {
                g.fill(0.0);
            }
        }
        for (radius, mark) in radius.iter_mut().zip(marks.iter()) {
            *radius = limit(mark.row, mark.contact).map_or(0.0, S::value);
        }
        let (rubs, multiplier) = (&mut rubs[..size], &mut multiplier[..pairs]);
        let problem = discs::Problem {
            matrix: &matrix[..size * size],
            g: &g[..size],
            terms: &terms[..size],
            radius: &radius[..pairs],
        };
        discs::solve(&problem, rubs, multiplier, factor, &mut rest);
        for i in 0..size {
            p[tangent(i)] = S::from(rubs[i]);
        }
        if S::HAS_TANGENT {
            let [inverse, pivots, _] = rest;
            let all = discs::conditions(&problem, rubs, multiplier, factor);
            lu_factor(all, factor, pivots);
            for i in 0..size {
                row_of_inverse(i, all, factor, pivots, inverse);
                let mut moved = S::from(0.0);
                for (j, &entry) in inverse[..size].iter().enumerate() {
                    let row = tangent(j);
                    let terms = (0..size).map(|k| self.at(row, tangent(k)) * rubs[k]);
                    let off = terms.fold(normals(row, p), |sum, term| sum + term);
                    moved = moved - off * entry;
                }
                let rims = (0..pairs).filter(|&c| multiplier[c] > 0.0);
                for (&entry, c) in inverse[size..].iter().zip(rims) {
                    let Mark { row, contact, .. } = marks[c];
                    let limit = self.contacts[contact].friction.map(|mu| mu * p[row]);
                    let radius = limit.unwrap_or(S::from(0.0));
                    moved = moved + radius * radius * (0.5 * entry);
                }
                p[tangent(i)] = moved.with_value(rubs[i]);
            }
        }
    }
}

/// Notes contacts; gives the marks in use.
fn take(contacts: impl Iterator<Item = (usize, usize)>, marks: &mut [Mark]) -> &mut [Mark] {
    let mut count = 0;
    for (mark, (row, contact)) in marks.iter_mut().zip(contacts) {
        *mark = Mark { row, contact, ..Mark::default() };
        count += 1;
    }
    &mut marks[..count]
}

/// A row of the inverse of a factorised symmetric matrix.
fn row_of_inverse(i: usize, n: usize, factor: &[f64], pivots: &[f64], row: &mut [f64]) {
    row[..n].fill(0.0);
    row[i] = 1.0;
    lu_solve(n, factor, pivots, row);
}

/// The first `K` parts of a length.
fn parts<const K: usize>(vectors: &mut [f64], length: usize) -> [&mut [f64]; K] {
    let mut all = vectors.chunks_mut(length);
    std::array::from_fn(|_| all.next().unwrap_or_default())
}

/// `sum a_j x_j`.
fn dot(a: &[f64], x: &[f64]) -> f64 {
    a.iter().zip(x).map(|(a, x)| a * x).sum()
}

/// `sum |a_j x_j|`: what rounding of [`dot`] is relative to.
fn dot_abs(a: &[f64], x: &[f64]) -> f64 {
    a.iter().zip(x).map(|(a, x)| (a * x).abs()).sum()
}
