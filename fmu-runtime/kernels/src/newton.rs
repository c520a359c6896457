//! Newton's method for the small nonlinear blocks of a model, with exact derivatives of the
//! solution.
//!
//! The caller supplies the Newton step `-J⁻¹ g` and `det J`; the iteration runs in `f64`.
//! Convergence is judged by steps, not by residuals, so that it does not depend on the scaling of
//! the equations; the largest residual is used in messages, and where its scale is known.
//! Derivatives of the solution follow from one step with tangents at the solution (implicit
//! function theorem).

pub mod path;

use crate::Scalar;
use core::cell::Cell;
use core::fmt;

/// Why an evaluation could not be completed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    /// Index of the nonlinear block in its model's list of blocks; if an argument is outside a
    /// table, index of the table.
    pub block: u32,
    /// What went wrong.
    pub kind: FailureKind,
    /// The largest residual of the block's equations, at the point of the iteration where it was
    /// smallest; if an argument is outside a table, this argument.
    pub residual: f64,
}

impl Failure {
    /// The failure with the knowledge of the time at which it occurred.
    #[cold]
    pub fn at(self, time: f64) -> Failure {
        match self.kind {
            FailureKind::OutsideTable(range) => {
                let of_time = self.residual.to_bits() == time.to_bits();
                Failure { kind: FailureKind::OutsideTable(TableRange { of_time, ..range }), ..self }
            }
            _ => self,
        }
    }
}

/// Ways in which an evaluation fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FailureKind {
    /// The iteration did not contract.
    NotConverged,
    /// The Jacobian is singular or not finite.
    Singular,
    /// The solution belongs to another assembly mode of the mechanism than the last accepted point.
    BranchLeft,
    /// The argument is outside a table that must not be extrapolated.
    OutsideTable(TableRange),
}

/// The range of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableRange {
    /// The first abscissa.
    pub first: f64,
    /// The last one.
    pub last: f64,
    /// Whether the argument equals the time.
    pub of_time: bool,
}

/// The kind of equations in a nonlinear block, for messages and for the end of the iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// Equations of any kind.
    #[default]
    Equations,
    /// A kinematic loop during the simulation; residuals in m or rad.
    Loop,
    /// The same, if sources prescribe the motions of all coordinates on which others depend.
    DrivenLoop,
    /// A kinematic loop at initialization; residuals in m or rad.
    Assembly,
    /// The conditions of a kinematic loop that are kept by others while its parts fit; residuals in
    /// m or rad.
    Gap,
    /// A kinematic loop all of whose coordinates are states, which are projected on the positions
    /// in which the loop is closed; residuals are relative to its size.
    Projection,
}

impl BlockKind {
    /// Whether it is a kinematic loop during the simulation, with dependent coordinates that
    /// continue those of the last accepted point.
    pub const fn is_loop(self) -> bool {
        matches!(self, BlockKind::Loop | BlockKind::DrivenLoop)
    }

    /// The largest residual that is nothing but rounding; 0 if residuals have no known scale, so
    /// that steps alone tell.
    pub const fn rounding(self) -> f64 {
        match self {
            BlockKind::Projection => 1e-14,
            BlockKind::Equations
            | BlockKind::Loop
            | BlockKind::DrivenLoop
            | BlockKind::Assembly
            | BlockKind::Gap => 0.0,
        }
    }

    /// The message about a failure of a block of this kind.
    pub fn describe(self, failure: FailureKind, residual: f64) -> impl fmt::Display {
        Complaint { block: self, failure, residual }
    }
}

struct Complaint {
    block: BlockKind,
    failure: FailureKind,
    residual: f64,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Complaint { block, failure, residual } = *self;
        match (block, failure) {
            (_, FailureKind::OutsideTable(TableRange { first, last, .. })) => {
                write!(f, "{residual} is outside the table, which reaches from {first} to {last}")
            }
            (BlockKind::Equations, FailureKind::NotConverged) => {
                write!(f, "no solution was found: the largest residual is {residual:.1e}")
            }
            (BlockKind::Equations, FailureKind::Singular) => {
                f.write_str("the equations are singular here")
            }
            (BlockKind::Equations, FailureKind::BranchLeft) => f.write_str(
                "the solution branch ends here; the only other solution is on another branch",
            ),
            (BlockKind::Loop | BlockKind::DrivenLoop, FailureKind::NotConverged) => {
                write!(f, "the loop cannot be closed here: {}", Gap(residual))
            }
            (BlockKind::Loop, FailureKind::Singular) => f.write_str(
                "the loop reaches a dead point or a change point, where the states no longer \
                 determine its other coordinates; with free_loops(true) in the text, all its \
                 coordinates are states where that is possible",
            ),
            (BlockKind::DrivenLoop, FailureKind::Singular) => f.write_str(
                "the loop reaches a dead point or a change point, to which the prescribed motion \
                 leads it, and beyond which this motion no longer determines its coordinates",
            ),
            (BlockKind::Loop | BlockKind::DrivenLoop, FailureKind::BranchLeft) => {
                f.write_str("the loop closes only in another assembly mode")
            }
            (BlockKind::Assembly, FailureKind::BranchLeft) => f.write_str(
                "on the way from the configuration of the text to the present parameters and start \
                 values, the loop passes a dead point or a change point; it can be assembled, but \
                 not as in the text: other start values than those of the text for coordinates \
                 that it determines choose an assembly",
            ),
            (BlockKind::Gap, _) => write!(f, "the loop comes apart: {}", Gap(residual)),
            (BlockKind::Projection, FailureKind::NotConverged) => {
                write!(f, "the loop cannot be closed here: {residual:.1e} of its size is left")
            }
            (BlockKind::Projection, _) => f.write_str(
                "the loop reaches a change point, where its motion can go on in several ways",
            ),
            (BlockKind::Assembly, _) => write!(
                f,
                "the loop cannot be assembled with the present parameters and start values: {}",
                Gap(residual)
            ),
        }
    }
}

/// The largest residual of the conditions of a loop, some of which may be lengths and some angles.
struct Gap(f64);

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "its largest residual is {:.1e} (lengths in m, angles in rad)", self.0)
    }
}

/// A step smaller than this is taken and ends the iteration: convergence is quadratic, so that only
/// rounding errors remain.
const LAST_STEP: f64 = 1e-8;
/// Maximum number of Newton steps.
const MAX_STEPS: usize = 20;
/// Smallest damping factor of a step.
const MIN_DAMPING: f64 = 1.0 / 64.0;
/// Maximum number of steps of limited size from a first guess, and the limit of their relative
/// size: it is large enough to converge, and small enough to stay near the solution that the guess
/// indicates.
const MAX_LIMITED_STEPS: usize = 50;
const STEP_LIMIT: f64 = 0.5;

/// Solves a block of `N` equations.
///
/// * `guess`, `guess_sign`: the starting point, and the sign of `det J` on the wanted branch (0:
///   any).
/// * `rounding`: a residual up to this size needs no correction, however large that would be.
/// * `iterations`: increases with each evaluation of `value`, unless there are no unknowns.
/// * `value(z)`: the Newton step at `z`, `det J` and the largest residual.
/// * `tangent(z)`: the same in `S`; called once, at the solution, if `S` carries tangents.
///
/// Returns the solution and the sign of `det J` there.
///
/// # Errors
/// A [`Failure`] with the number `block`, if the iteration does not contract, the Jacobian is
/// singular, or the determinant at the solution has the other sign.
#[inline]
pub fn solve<S: Scalar, const N: usize>(
    block: u32,
    guess: [f64; N],
    guess_sign: f64,
    rounding: f64,
    iterations: &mut u64,
    mut value: impl FnMut([f64; N]) -> ([f64; N], f64, f64),
    tangent: impl FnOnce([S; N]) -> ([S; N], S, S),
) -> Result<([S; N], f64), Failure> {
    let mut points = [guess, [0.0; N], [0.0; N], [0.0; N]];
    let sign = iterate(block, [guess_sign, rounding], iterations, &mut points, |z, step| {
        let (s, determinant, residual) = value(*z);
        *step = s;
        (determinant, residual)
    })?;
    Ok((with_tangents(block, points[0], tangent)?, sign))
}

/// A solution with the tangents that follow from one step.
#[inline(always)]
fn with_tangents<S: Scalar, const N: usize>(
    block: u32,
    z: [f64; N],
    tangent: impl FnOnce([S; N]) -> ([S; N], S, S),
) -> Result<[S; N], Failure> {
    let mut solution = z.map(S::from);
    if S::HAS_TANGENT {
        let (step, ..) = tangent(solution);
        for ((x, z), s) in solution.iter_mut().zip(z).zip(step) {
            *x = s.with_value(z);
        }
        check_tangents(block, &solution)?;
    }
    Ok(solution)
}

/// Writes a solution with the tangents that follow from one step.
#[inline(always)]
fn write_with_tangents<S: Scalar>(
    block: u32,
    z: &[f64],
    solution: &mut [S],
    tangent: impl FnOnce(&mut [S]),
) -> Result<(), Failure> {
    for (x, &z) in solution.iter_mut().zip(z) {
        *x = S::from(z);
    }
    if S::HAS_TANGENT {
        tangent(solution);
        for (x, &z) in solution.iter_mut().zip(z) {
            *x = x.with_value(z);
        }
        check_tangents(block, solution)?;
    }
    Ok(())
}

/// [`solve`] for a size known only at run time; the arithmetic is the same, bit for bit.
///
/// `guess` and `solution` have the length of the block, `scratch` four times that. `value(z, step)`
/// writes the step and returns `det J` and the largest residual; `tangent(z)` replaces the point by
/// its step.
///
/// # Errors
/// As [`solve`].
#[expect(clippy::too_many_arguments, reason = "those of `solve`, and memory")]
pub fn solve_slice<S: Scalar>(
    block: u32,
    guess: &[f64],
    guess_sign: f64,
    rounding: f64,
    iterations: &mut u64,
    scratch: &mut [f64],
    solution: &mut [S],
    mut value: impl FnMut(&[f64], &mut [f64]) -> (f64, f64),
    tangent: impl FnOnce(&mut [S]),
) -> Result<f64, Failure> {
    let n = guess.len();
    let (z, rest) = scratch.split_at_mut(n);
    let (step, rest) = rest.split_at_mut(n);
    let (trial, rest) = rest.split_at_mut(n);
    z.copy_from_slice(guess);
    let mut points = [z, step, trial, &mut rest[..n]];
    let wanted = [guess_sign, rounding];
    let sign = iterate(block, wanted, iterations, &mut points, |z, step| value(z, step))?;
    let [z, ..] = points;
    write_with_tangents(block, z, solution, tangent)?;
    Ok(sign)
}

/// A point of the iteration with its step.
#[derive(Clone, Copy)]
struct Point {
    /// Size of the step.
    size: f64,
    determinant: f64,
    /// Whether the largest residual is only rounding.
    exact: bool,
}

impl Point {
    #[inline(always)]
    fn usable(self) -> bool {
        self.size.is_finite() && self.determinant.is_finite() && self.determinant != 0.0
    }

    #[inline(always)]
    fn is_solution(self) -> bool {
        self.exact || self.size < LAST_STEP
    }

    #[inline(always)]
    fn sign(self) -> f64 {
        if self.determinant > 0.0 { 1.0 } else { -1.0 }
    }
}

/// The iteration. `points` are the present point, its step, a trial point and its step; in the end
/// the first one holds the solution. `V` is an array or a borrowed slice.
#[inline(always)]
fn iterate<V: AsRef<[f64]> + AsMut<[f64]>>(
    block: u32,
    [wanted, rounding]: [f64; 2],
    iterations: &mut u64,
    points: &mut [V; 4],
    mut value: impl FnMut(&V, &mut V) -> (f64, f64),
) -> Result<f64, Failure> {
    let smallest = Cell::new(f64::INFINITY);
    let fail = |kind| Err(Failure { block, kind, residual: smallest.get() });
    let [z, step, trial, trial_step] = points;
    let searched = u64::from(!z.as_ref().is_empty());
    let mut evaluate = |z: &V, step: &mut V| {
        *iterations += searched;
        let (determinant, residual) = value(z, step);
        smallest.set(smallest.get().min(residual));
        let exact = residual <= rounding && rounding > 0.0;
        Point { size: relative_size(step.as_ref(), z.as_ref()), determinant, exact }
    };
    let mut at = evaluate(z, step);
    if !at.usable() {
        return fail(FailureKind::Singular);
    }
    if wanted == 0.0 && at.size >= LAST_STEP {
        trial.as_mut().copy_from_slice(z.as_ref());
        at = take_limited_steps(z, step, at, &mut evaluate);
        if !(at.is_solution() && at.usable()) {
            z.as_mut().copy_from_slice(trial.as_ref());
            at = evaluate(z, step);
        }
    }
    for _ in 0..MAX_STEPS {
        if at.is_solution() {
            if at.size < LAST_STEP {
                add_fraction(z.as_mut(), 1.0, step.as_ref());
            }
            let sign = at.sign();
            return if wanted == 0.0 || wanted == sign {
                Ok(sign)
            } else {
                fail(FailureKind::BranchLeft)
            };
        }
        // A step must reduce the next step and stay on the branch; otherwise it is halved (compare
        // the natural monotonicity test, P. Deuflhard, "Newton Methods for Nonlinear Problems").
        let mut fraction = 1.0;
        loop {
            trial.as_mut().copy_from_slice(z.as_ref());
            add_fraction(trial.as_mut(), fraction, step.as_ref());
            let next = evaluate(trial, trial_step);
            let refused = if !next.usable() {
                FailureKind::Singular
            } else if wanted != 0.0 && wanted != next.sign() {
                FailureKind::BranchLeft
            } else if next.size <= (1.0 - 0.25 * fraction) * at.size || next.is_solution() {
                at = next;
                break;
            } else {
                FailureKind::NotConverged
            };
            fraction *= 0.5;
            if fraction < MIN_DAMPING {
                return fail(refused);
            }
        }
        std::mem::swap(z, trial);
        std::mem::swap(step, trial_step);
    }
    fail(FailureKind::NotConverged)
}

/// Newton steps of limited size from a first guess; their sizes need not decrease.
#[inline(always)]
fn take_limited_steps<V: AsRef<[f64]> + AsMut<[f64]>>(
    z: &mut V,
    step: &mut V,
    mut at: Point,
    evaluate: &mut impl FnMut(&V, &mut V) -> Point,
) -> Point {
    for _ in 0..MAX_LIMITED_STEPS {
        if at.size < LAST_STEP || !at.usable() {
            break;
        }
        let fraction = if at.size > STEP_LIMIT { STEP_LIMIT / at.size } else { 1.0 };
        add_fraction(z.as_mut(), fraction, step.as_ref());
        at = evaluate(z, step);
    }
    at
}

/// `z + fraction * step`, in place.
#[inline(always)]
fn add_fraction(z: &mut [f64], fraction: f64, step: &[f64]) {
    for (z, s) in z.iter_mut().zip(step) {
        *z += fraction * s;
    }
}

/// Largest `|step| / (1 + |z|)`; NaN if any component is NaN.
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

/// Tangents are finite unless the Jacobian is singular at the solution.
#[inline(always)]
fn check_tangents<S: Scalar>(block: u32, solution: &[S]) -> Result<(), Failure> {
    if solution.iter().all(|x| x.tangent_is_finite()) {
        Ok(())
    } else {
        Err(Failure { block, kind: FailureKind::Singular, residual: f64::NAN })
    }
}
