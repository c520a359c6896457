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

/// What moves less than this part of what moves most cannot move.
const IMMOBILE: f64 = 1e-24;

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
    scratch: Scratch<'_>,
    p: &mut [S],
) {
    let n = v.len();
    let Scratch { matrices: [matrix, factor], vectors, marks } = scratch;
    p.fill(S::from(0.0));
    let at = |i: usize, j: usize| w[i.min(j) * n + i.max(j)];
    if !is_finite(&at, v, contacts) {
        for (row, contact) in struck(contacts) {
            p[row..row + contacts[contact].rows()].fill(S::from(f64::NAN));
        }
        return;
    }
    let rows = || struck(contacts).flat_map(|(row, c)| row..row + contacts[c].rows());
    let largest = rows().map(|row| at(row, row).value()).fold(0.0, f64::max);

    let mut count = 0;
    for (row, contact) in struck(contacts) {
        if at(row, row).value() > IMMOBILE * largest {
            marks[count] = Mark { row, contact, ..Mark::default() };
            count += 1;
        }
    }
    let target = |mark: &Mark| {
        let before = v[mark.row];
        before + contacts[mark.contact].restitution * before.min(S::from(0.0))
    };
    if count == 1 {
        let mark = marks[0];
        if target(&mark).value() < 0.0 {
            p[mark.row] = -target(&mark) / at(mark.row, mark.row);
        }
    } else if count > 1 {
        let [plain, wanted, pushes, rest @ ..] = parts::<VECTORS>(vectors, count);
        for i in 0..count {
            for j in 0..count {
                matrix[i * count + j] = at(marks[i].row, marks[j].row).value();
            }
            plain[i] = v[marks[i].row].value();
            wanted[i] = target(&marks[i]).value();
        }
        unilateral::solve(matrix, plain, wanted, pushes, factor, rest, &mut marks[..count]);
        for (mark, push) in marks.iter().zip(pushes.iter()) {
            p[mark.row] = S::from(*push);
        }
    }

    let mut sliding = 0;
    for (row, contact) in struck(contacts) {
        let Some(friction) = contacts[contact].friction else { continue };
        let mobility = at(row + 1, row + 1).value() + at(row + 2, row + 2).value();
        let limit = friction.value() * p[row].value();
        if limit > 0.0 && mobility > IMMOBILE * largest {
            marks[sliding] = Mark { row, contact, ..Mark::default() };
            sliding += 1;
        }
    }
    if sliding == 0 {
        return;
    }
    let size = 2 * sliding;
    let tangent = |i: usize| marks[i / 2].row + 1 + i % 2;
    let [g, terms, radius, rubs, multiplier, rest @ ..] = parts::<VECTORS>(vectors, 3 * sliding);
    for i in 0..size {
        let row = tangent(i);
        for j in 0..size {
            matrix[i * size + j] = at(row, tangent(j)).value();
        }
        g[i] = v[row].value();
        terms[i] = g[i].abs();
        for (normal, _) in struck(contacts) {
            let term = at(row, normal).value() * p[normal].value();
            g[i] += term;
            terms[i] += term.abs();
        }
    }
    // What has come to rest but for rounding rests.
    for (g, terms) in g.chunks_exact_mut(2).zip(terms.chunks_exact(2)).take(sliding) {
        let rounding = 32.0 * f64::EPSILON * terms[0].max(terms[1]);
        if g.iter().all(|g| g.abs() <= rounding) {
            g.fill(0.0);
        }
    }
    for (radius, mark) in radius.iter_mut().zip(&marks[..sliding]) {
        let friction = contacts[mark.contact].friction.map_or(0.0, S::value);
        *radius = friction * p[mark.row].value();
    }
    let problem = discs::Problem {
        matrix: &matrix[..size * size],
        g: &g[..size],
        terms: &terms[..size],
        radius: &radius[..sliding],
    };
    discs::solve(&problem, &mut rubs[..size], &mut multiplier[..sliding], factor, rest);
    for i in 0..size {
        p[tangent(i)] = S::from(rubs[i]);
    }
}

/// First row and number of the contacts that are struck.
fn struck<S>(contacts: &[Contact<S>]) -> impl Iterator<Item = (usize, usize)> {
    let mut next = 0;
    let all = contacts.iter().enumerate().map(move |(number, contact)| {
        let row = next;
        next += contact.rows();
        (row, number, contact.struck)
    });
    all.filter(|(.., struck)| *struck).map(|(row, number, _)| (row, number))
}

fn is_finite<S: Scalar>(at: &impl Fn(usize, usize) -> S, v: &[S], contacts: &[Contact<S>]) -> bool {
    let rows = || struck(contacts).flat_map(|(row, c)| row..row + contacts[c].rows());
    rows().all(|i| v[i].value().is_finite() && rows().all(|j| at(i, j).value().is_finite()))
        && struck(contacts).all(|(_, c)| {
            let Contact { restitution, friction, .. } = contacts[c];
            restitution.value().is_finite() && friction.is_none_or(|mu| mu.value().is_finite())
        })
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
