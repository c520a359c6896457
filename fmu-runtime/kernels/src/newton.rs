//! Newton's method for the small nonlinear blocks of a model, with exact derivatives of the
//! solution.
//!
//! The caller supplies the Newton step `-J⁻¹ g` and `det J`; the iteration runs in `f64`. Because
//! it sees steps and never residuals, it does not depend on how the equations are scaled.
//! Derivatives of the solution follow from one step taken in the tangent scalar at the solution
//! (implicit function theorem).

use crate::Scalar;

/// Why an evaluation could not be completed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    /// Number of the nonlinear block in its model (index into its list of blocks); of a table if
    /// the argument is outside of it.
    pub block: u32,
    /// What went wrong.
    pub kind: FailureKind,
    /// Size of the last correction of the block's unknowns, relative to `1 + |unknown|`; the
    /// argument of a table.
    pub residual: f64,
}

/// Ways in which an evaluation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The iteration did not contract.
    NotConverged,
    /// The Jacobian is singular or not finite.
    Singular,
    /// The solution belongs to another assembly of the mechanism than the last accepted point.
    BranchLeft,
    /// The argument is outside of a table that must not be extrapolated.
    OutsideTable,
}

/// A correction smaller than this is applied and ends the iteration: convergence is quadratic, so
/// what remains is rounding.
const LAST_STEP: f64 = 1e-8;
/// Most corrections that are applied.
const MAX_STEPS: usize = 20;
/// Smallest fraction of a correction that is tried before the iteration is given up.
const SMALLEST_FRACTION: f64 = 1.0 / 64.0;
/// Most corrections of a first guess, and the largest relative size of one of them: big enough to
/// arrive, small enough to stay near the solution that the guess means.
const MAX_APPROACH: usize = 50;
const LARGEST_APPROACH: f64 = 0.5;

/// Solves a block of `N` equations.
///
/// * `guess`, `guess_sign`: where to start, and the sign of `det J` of the wanted branch (0: any).
/// * `value(z)`: the Newton step at `z` and `det J`.
/// * `tangent(z)`: the same in `S`; called once, at the solution, if `S` carries tangents.
///
/// Returns the solution and the sign of `det J` there.
///
/// # Errors
/// [`Failure`] with the number `block`: no contraction, a singular Jacobian, or a branch whose
/// determinant has the other sign.
#[inline]
pub fn solve<S: Scalar, const N: usize>(
    block: u32,
    guess: [f64; N],
    guess_sign: f64,
    mut value: impl FnMut([f64; N]) -> ([f64; N], f64),
    tangent: impl FnOnce([S; N]) -> ([S; N], S),
) -> Result<([S; N], f64), Failure> {
    let mut points = [guess, [0.0; N], [0.0; N], [0.0; N]];
    let sign = iterate(block, guess_sign, &mut points, |z, step| {
        let (s, determinant) = value(*z);
        *step = s;
        determinant
    })?;
    let z = points[0];
    let mut solution = z.map(S::from);
    if S::HAS_TANGENT {
        let (step, _) = tangent(solution);
        for ((x, z), s) in solution.iter_mut().zip(z).zip(step) {
            *x = s.with_value(z);
        }
        check_tangents(block, &solution)?;
    }
    Ok((solution, sign))
}

/// [`solve`] for a size known only at run time; the arithmetic is the same, bit for bit.
///
/// `guess` and `solution` have the length of the block, `scratch` four times that. `value(z, step)`
/// writes the step; `tangent(z)` replaces the point by its step; both return `det J`.
///
/// # Errors
/// As [`solve`].
pub fn solve_slice<S: Scalar>(
    block: u32,
    guess: &[f64],
    guess_sign: f64,
    scratch: &mut [f64],
    solution: &mut [S],
    mut value: impl FnMut(&[f64], &mut [f64]) -> f64,
    tangent: impl FnOnce(&mut [S]) -> S,
) -> Result<f64, Failure> {
    let n = guess.len();
    let (z, rest) = scratch.split_at_mut(n);
    let (step, rest) = rest.split_at_mut(n);
    let (trial, rest) = rest.split_at_mut(n);
    z.copy_from_slice(guess);
    let mut points = [z, step, trial, &mut rest[..n]];
    let sign = iterate(block, guess_sign, &mut points, |z, step| value(z, step))?;
    let [z, ..] = points;
    for (x, &z) in solution.iter_mut().zip(z.iter()) {
        *x = S::from(z);
    }
    if S::HAS_TANGENT {
        tangent(solution);
        for (x, &z) in solution.iter_mut().zip(z.iter()) {
            *x = x.with_value(z);
        }
        check_tangents(block, solution)?;
    }
    Ok(sign)
}

/// The iteration itself. `points` are the present point, its step, a trial point and its step; the
/// first holds the solution in the end. `V` is an array or a borrowed slice.
#[inline(always)]
fn iterate<V: AsRef<[f64]> + AsMut<[f64]>>(
    block: u32,
    wanted: f64,
    points: &mut [V; 4],
    mut value: impl FnMut(&V, &mut V) -> f64,
) -> Result<f64, Failure> {
    let fail = |kind, residual| Err(Failure { block, kind, residual });
    let [z, step, trial, trial_step] = points;
    let mut determinant = value(z, step);
    let mut size = relative_size(step.as_ref(), z.as_ref());
    if !usable(size, determinant) {
        return fail(FailureKind::Singular, size);
    }
    if wanted == 0.0 && size >= LAST_STEP {
        trial.as_mut().copy_from_slice(z.as_ref());
        (determinant, size) = approach(z, step, (determinant, size), &mut value);
        if !(size < LAST_STEP && usable(size, determinant)) {
            z.as_mut().copy_from_slice(trial.as_ref());
            determinant = value(z, step);
            size = relative_size(step.as_ref(), z.as_ref());
        }
    }
    for _ in 0..MAX_STEPS {
        if size < LAST_STEP {
            add_fraction(z.as_mut(), 1.0, step.as_ref());
            let sign = sign_of(determinant);
            return if wanted == 0.0 || wanted == sign {
                Ok(sign)
            } else {
                fail(FailureKind::BranchLeft, size)
            };
        }
        // A correction must make the next correction smaller and stay on the branch; otherwise
        // only half of it is tried.
        let mut fraction = 1.0;
        loop {
            trial.as_mut().copy_from_slice(z.as_ref());
            add_fraction(trial.as_mut(), fraction, step.as_ref());
            determinant = value(trial, trial_step);
            let trial_size = relative_size(trial_step.as_ref(), trial.as_ref());
            let refused = if !usable(trial_size, determinant) {
                FailureKind::Singular
            } else if wanted != 0.0 && wanted != sign_of(determinant) {
                FailureKind::BranchLeft
            } else if trial_size <= (1.0 - 0.25 * fraction) * size || trial_size < LAST_STEP {
                size = trial_size;
                break;
            } else {
                FailureKind::NotConverged
            };
            fraction *= 0.5;
            if fraction < SMALLEST_FRACTION {
                return fail(refused, size);
            }
        }
        std::mem::swap(z, trial);
        std::mem::swap(step, trial_step);
    }
    fail(FailureKind::NotConverged, size)
}

/// Walks from a first guess with corrections of limited size, which may grow on the way; gives the
/// last determinant and the size of the last correction.
#[inline(always)]
fn approach<V: AsRef<[f64]> + AsMut<[f64]>>(
    z: &mut V,
    step: &mut V,
    mut last: (f64, f64),
    value: &mut impl FnMut(&V, &mut V) -> f64,
) -> (f64, f64) {
    for _ in 0..MAX_APPROACH {
        let (determinant, size) = last;
        if size < LAST_STEP || !usable(size, determinant) {
            break;
        }
        let fraction = if size > LARGEST_APPROACH { LARGEST_APPROACH / size } else { 1.0 };
        add_fraction(z.as_mut(), fraction, step.as_ref());
        let determinant = value(z, step);
        last = (determinant, relative_size(step.as_ref(), z.as_ref()));
    }
    last
}

/// `z + fraction * step`, in place.
#[inline(always)]
fn add_fraction(z: &mut [f64], fraction: f64, step: &[f64]) {
    for (z, s) in z.iter_mut().zip(step) {
        *z += fraction * s;
    }
}

/// Largest `|step| / (1 + |z|)`; not a number if any is not.
#[inline(always)]
fn relative_size(step: &[f64], z: &[f64]) -> f64 {
    let mut size = 0.0;
    for (s, z) in step.iter().zip(z) {
        let part = s.abs() / (1.0 + z.abs());
        if part > size || part.is_nan() {
            size = part;
        }
    }
    size
}

#[inline(always)]
fn usable(size: f64, determinant: f64) -> bool {
    size.is_finite() && determinant.is_finite() && determinant != 0.0
}

#[inline(always)]
fn sign_of(determinant: f64) -> f64 {
    if determinant > 0.0 { 1.0 } else { -1.0 }
}

/// Tangents are finite unless the Jacobian is singular at the solution.
#[inline(always)]
fn check_tangents<S: Scalar>(block: u32, solution: &[S]) -> Result<(), Failure> {
    if solution.iter().all(|x| x.tangent_is_finite()) {
        Ok(())
    } else {
        Err(Failure { block, kind: FailureKind::Singular, residual: f64::NAN })
    }
}
