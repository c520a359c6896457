//! Nonlinear blocks whose solution is known elsewhere: it is followed along a path to where it is
//! wanted.
//!
//! The last unknown of such a block is the *position* on the path. The known solution belongs to
//! position 0 and the wanted one to position 1; the equation of the position is that it is 1. The
//! Newton step of the other unknowns is that at a fixed position.
//!
//! The solution at the end is on the branch of the known one: it changes continuously along the
//! path, and the determinant of the Jacobian does not vanish on it. A path that passes such a point
//! has no end. Wishes choose another branch.

use super::{Failure, FailureKind, LAST_STEP, Point, add_fraction};
use super::{iterate, relative_size, with_tangents, write_with_tangents};
use crate::Scalar;

/// Maximum number of evaluations of a block along its path, and in the search for another branch.
pub const MAX_EVALUATIONS: u64 = 1000;

/// The vectors that [`follow_slice`] needs as work space, each with one element for each unknown.
pub const VECTORS: usize = 6;

/// The longest step on the path, the first one, which no prediction guides, and the shortest one.
const LONGEST: f64 = 1.0 / 16.0;
const FIRST: f64 = 1.0 / 1024.0;
const SHORTEST: f64 = 1.0 / 65536.0;

/// The largest correction of a predicted point, and the largest distance between two points, as
/// relative sizes. Farther away the iteration may converge to another solution.
const LARGEST_CORRECTION: f64 = 0.3;
const LARGEST_MOVE: f64 = 0.6;

/// How small the determinant may become from one point to the next, also at the predicted point.
/// Where two branches cross between the points, that at the prediction has the other sign, and the
/// step is halved. Only a branch that ends and begins again within one step is not noticed.
const SMALLEST_PART: f64 = 0.25;

/// Maximum number of corrections of a point.
const MAX_CORRECTIONS: usize = 8;

/// How often the search for the solution that is nearest to the wishes begins, and how far from the
/// known solution: up to half a turn.
const SEARCHES: usize = 24;
const RANGE: f64 = core::f64::consts::PI;

/// Two solutions that differ by less from the wishes meet them equally well.
const EQUALLY_NEAR: f64 = 1e-6;

/// Solves a block of `N` unknowns, of which the last one is the position on the path.
///
/// * `guesses`: `G = 2 N - 1` values: the known solution, whether the path comes first (1) or the
///   wishes (0), and the wishes. The wish for an unknown is its known value if there is none. If
///   wishes come first, or the path does not lead to its end, the result is the solution at the end
///   that is nearest to the wishes, whatever its branch.
/// * the other arguments, and the result: those of [`solve`](super::solve). The step at a position
///   is that at this position, and `1 - position` for the position.
///
/// # Errors
/// A [`Failure`] with the number `block`: [`FailureKind::BranchLeft`] if there is a solution at the
/// end, but the path does not lead to it, and [`FailureKind::NotConverged`] if none was found.
#[inline]
pub fn follow<S: Scalar, const N: usize, const G: usize>(
    block: u32,
    guesses: [f64; G],
    iterations: &mut u64,
    mut value: impl FnMut([f64; N]) -> ([f64; N], f64, f64),
    tangent: impl FnOnce([S; N]) -> ([S; N], S, S),
) -> Result<([S; N], f64), Failure> {
    let mut points = [[0.0; N]; VECTORS];
    let sign = find(block, &guesses, iterations, &mut points, |z, step| {
        let (s, determinant, residual) = value(*z);
        *step = s;
        (determinant, residual)
    })?;
    Ok((with_tangents(block, points[0], tangent)?, sign))
}

/// [`follow`] for a size known only at run time; the arithmetic is the same, bit for bit.
///
/// `solution` has the length of the block, and `scratch` [`VECTORS`] times that; the other
/// arguments are those of [`solve_slice`](super::solve_slice).
///
/// # Errors
/// As [`follow`].
pub fn follow_slice<S: Scalar>(
    block: u32,
    guesses: &[f64],
    iterations: &mut u64,
    scratch: &mut [f64],
    solution: &mut [S],
    mut value: impl FnMut(&[f64], &mut [f64]) -> (f64, f64),
    tangent: impl FnOnce(&mut [S]),
) -> Result<f64, Failure> {
    let mut parts = scratch.chunks_exact_mut(solution.len());
    let mut points: [&mut [f64]; VECTORS] =
        core::array::from_fn(|_| parts.next().expect("scratch has this many vectors"));
    let sign = find(block, guesses, iterations, &mut points, |z, step| value(z, step))?;
    write_with_tangents(block, points[0], solution, tangent)?;
    Ok(sign)
}

/// The solution at the end of the path, in the first of the points, and the sign of its
/// determinant.
#[inline(always)]
fn find<V: AsRef<[f64]> + AsMut<[f64]>>(
    block: u32,
    guesses: &[f64],
    iterations: &mut u64,
    points: &mut [V; VECTORS],
    mut value: impl FnMut(&V, &mut V) -> (f64, f64),
) -> Result<f64, Failure> {
    let (known, wishes) = guesses.split_at(points[0].as_ref().len());
    let path = walk(known, iterations, points, &mut value);
    let mut search = Search { block, known, wishes, nearest: None };
    let wished = search.wished().next().is_some();
    if let Some(sign) = path {
        let path_first = known.last().is_some_and(|first| *first != 0.0);
        if path_first || !wished {
            return Ok(sign);
        }
        let [solution, .., found, _] = points;
        found.as_mut().copy_from_slice(solution.as_ref());
        search.propose(sign, points);
    }
    let nearest = search.nearest(iterations, points, &mut value);
    if wished {
        return nearest;
    }
    // Without wishes, another solution makes the message only.
    Err(nearest.map_or_else(
        |failure| failure,
        |_| Failure { block, kind: FailureKind::BranchLeft, residual: 0.0 },
    ))
}

/// Follows the path; in the end, the first of the points is the solution, whose determinant has
/// this sign. `None` if the branch ends before.
#[inline(always)]
fn walk<V: AsRef<[f64]> + AsMut<[f64]>>(
    known: &[f64],
    iterations: &mut u64,
    points: &mut [V; VECTORS],
    value: &mut impl FnMut(&V, &mut V) -> (f64, f64),
) -> Option<f64> {
    let [here, before, trial, step, ..] = points;
    let last = known.len() - 1;
    let most = *iterations + MAX_EVALUATIONS;
    let mut evaluate = |z: &V, step: &mut V| {
        *iterations += 1;
        let (determinant, _) = value(z, step);
        // The position is given.
        step.as_mut()[last] = 0.0;
        let size = relative_size(step.as_ref(), z.as_ref());
        (Point { size, determinant, exact: false }, *iterations >= most)
    };
    here.as_mut().copy_from_slice(known);
    here.as_mut()[last] = 0.0;
    let (mut at, _) = evaluate(here, step);
    if !at.usable() {
        return None;
    }
    // If nothing has changed, or only by whole turns, the known solution is the wanted one.
    trial.as_mut().copy_from_slice(known);
    trial.as_mut()[last] = 1.0;
    let (at_end, _) = evaluate(trial, step);
    if at_end.size < LAST_STEP && at_end.usable() && at_end.sign() == at.sign() {
        add_fraction(trial.as_mut(), 1.0, step.as_ref());
        core::mem::swap(here, trial);
        return Some(at_end.sign());
    }
    let (mut done, mut length, mut last_length) = (0.0, FIRST, 0.0);
    while done < 1.0 {
        let position = if done + length < 1.0 { done + length } else { 1.0 };
        let ratio = if last_length > 0.0 { (position - done) / last_length } else { 0.0 };
        let both = here.as_ref().iter().zip(before.as_ref());
        for (trial, (here, before)) in trial.as_mut().iter_mut().zip(both) {
            *trial = if ratio > 0.0 { here + ratio * (here - before) } else { *here };
        }
        trial.as_mut()[last] = position;
        match correct(here, trial, step, at, &mut evaluate) {
            Ok(next) => {
                at = next;
                core::mem::swap(before, here);
                core::mem::swap(here, trial);
                last_length = position - done;
                (done, length) = (position, (2.0 * last_length).min(LONGEST));
            }
            Err(Refused { exhausted }) => {
                length = 0.5 * (position - done);
                if length < SHORTEST || exhausted {
                    return None;
                }
            }
        }
    }
    Some(at.sign())
}

/// A step on the path that was not taken.
struct Refused {
    /// Whether there were too many evaluations.
    exhausted: bool,
}

/// Corrects a predicted point at its position. It must stay near `here`, where the values are `at`.
#[inline(always)]
fn correct<V: AsRef<[f64]> + AsMut<[f64]>>(
    here: &V,
    trial: &mut V,
    step: &mut V,
    at: Point,
    evaluate: &mut impl FnMut(&V, &mut V) -> (Point, bool),
) -> Result<Point, Refused> {
    let mut largest = LARGEST_CORRECTION;
    for _ in 0..MAX_CORRECTIONS {
        let (next, exhausted) = evaluate(trial, step);
        let keeps_sign =
            next.determinant * at.determinant >= SMALLEST_PART * at.determinant * at.determinant;
        // Each correction is at most half as large as the one before.
        if !next.usable() || !keeps_sign || next.size > largest || exhausted {
            return Err(Refused { exhausted });
        }
        add_fraction(trial.as_mut(), 1.0, step.as_ref());
        if next.size < LAST_STEP {
            let last = here.as_ref().len() - 1;
            let pairs = trial.as_ref()[..last].iter().zip(here.as_ref());
            let mut moved = pairs.map(|(now, then)| (now - then).abs() / (1.0 + then.abs()));
            let near = moved.all(|part| part <= LARGEST_MOVE);
            return if near { Ok(next) } else { Err(Refused { exhausted }) };
        }
        largest = 0.5 * next.size;
    }
    Err(Refused { exhausted: false })
}

/// The search for a solution at the end of the path, on any branch. The last but one of the points
/// is where an attempt begins and then its solution, the last one the best solution so far.
struct Search<'a> {
    block: u32,
    known: &'a [f64],
    wishes: &'a [f64],
    /// The distance of the best solution from the wishes, and the sign of its determinant.
    nearest: Option<(f64, f64)>,
}

impl Search<'_> {
    /// The wishes, each with the number of its unknown.
    fn wished(&self) -> impl Iterator<Item = (usize, f64)> {
        let both = self.known.iter().zip(self.wishes).enumerate();
        both.filter(|(_, (known, wish))| known != wish).map(|(k, (_, &wish))| (k, wish))
    }

    /// The solution that is nearest to the wishes, in the first of the points.
    #[inline(always)]
    fn nearest<V: AsRef<[f64]> + AsMut<[f64]>>(
        &mut self,
        iterations: &mut u64,
        points: &mut [V; VECTORS],
        value: &mut impl FnMut(&V, &mut V) -> (f64, f64),
    ) -> Result<f64, Failure> {
        let end = *iterations + MAX_EVALUATIONS;
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut failed: Option<Failure> = None;
        for attempt in 0..SEARCHES {
            let [.., begin, _] = points;
            for (begin, known) in begin.as_mut().iter_mut().zip(self.known) {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let away = 2.0 * ((random >> 11) as f64 / (1_u64 << 53) as f64) - 1.0;
                *begin = if attempt == 0 { *known } else { known + RANGE * away };
            }
            self.wished().for_each(|(k, wish)| begin.as_mut()[k] = wish);
            match self.attempt(iterations, points, value) {
                Ok(sign) => self.propose(sign, points),
                Err(failure) => {
                    let less = |other: &Failure| failure.residual < other.residual;
                    if failed.as_ref().is_none_or(less) {
                        failed = Some(failure);
                    }
                }
            }
            let found = self.nearest.is_some() && self.wished().next().is_none();
            if found || *iterations >= end {
                break;
            }
        }
        let [solution, .., best] = points;
        match (self.nearest, failed) {
            (Some((_, sign)), _) => {
                solution.as_mut().copy_from_slice(best.as_ref());
                Ok(sign)
            }
            (None, Some(failure)) => Err(Failure { kind: FailureKind::NotConverged, ..failure }),
            (None, None) => unreachable!("an attempt without a solution has failed"),
        }
    }

    /// Newton's method at the end of the path; returns the sign of the determinant.
    #[inline(always)]
    fn attempt<V: AsRef<[f64]> + AsMut<[f64]>>(
        &self,
        iterations: &mut u64,
        points: &mut [V; VECTORS],
        value: &mut impl FnMut(&V, &mut V) -> (f64, f64),
    ) -> Result<f64, Failure> {
        let [z, a, b, c, .., begin, _] = points;
        *begin.as_mut().last_mut().expect("the position is an unknown") = 1.0;
        z.as_mut().copy_from_slice(begin.as_ref());
        let mut four = [z, a, b, c];
        let value = |z: &&mut V, step: &mut &mut V| value(z, step);
        let sign = iterate(self.block, [0.0; 2], iterations, &mut four, value)?;
        begin.as_mut().copy_from_slice(four[0].as_ref());
        Ok(sign)
    }

    /// Keeps a solution that is nearer to the wishes than those before.
    #[inline(always)]
    fn propose<V: AsRef<[f64]> + AsMut<[f64]>>(&mut self, sign: f64, points: &mut [V; VECTORS]) {
        let [.., found, best] = points;
        let z = found.as_ref();
        let parts = self.wished().map(|(k, wish)| (z[k] - wish).abs() / (1.0 + wish.abs()));
        let distance: f64 = parts.sum();
        if self.nearest.is_none_or(|(least, _)| distance < least - EQUALLY_NEAR) {
            self.nearest = Some((distance, sign));
            best.as_mut().copy_from_slice(z);
        }
    }
}
