//! The layout of the vectors in the integrator state, and the workspace of a step in it.

use super::dense_output;
use super::jacobian_pattern::JacobianPattern;
use super::method_choice::Choice;
use super::ode::{OdeSystem, Stop, check_finite};
use super::settings::Integrator;
use super::stage_matrix::StageMatrix;
use super::state::{IntegratorState, LastStep, Statistics, StepSize};

/// Room for coefficients of the interpolant per state.
const COEFFICIENTS: usize = dense_output::HIGH;
/// Stages of the largest method, with those of its dense output.
const STAGES: usize = 16;

/// Rows of indicator values used while an event is located.
pub(super) mod row {
    /// Five samples of a part of the step.
    pub const PART: usize = 0;
    /// Last of the five.
    pub const PART_END: usize = 4;
    /// One more sample.
    pub const PROBE: usize = 5;
    /// Before the change.
    pub const LOW: usize = 6;
    /// After the change.
    pub const HIGH: usize = 7;
    /// At the end of the step.
    pub const END: usize = 8;
    /// Number of rows.
    pub const COUNT: usize = 9;
}

/// The length of the vectors that are used between two calls, for `n` states and `m` indicators.
pub(super) const fn kept_length(n: usize, m: usize) -> usize {
    n * (COEFFICIENTS + 3) + 2 * m
}

/// The length of all vectors.
pub(super) fn length(pattern: &JacobianPattern, m: usize) -> usize {
    let n = pattern.states();
    let matrices = pattern.entries() + StageMatrix::length(pattern);
    kept_length(n, m) + n * (STAGES + 4) + matrices + row::COUNT * m
}

impl IntegratorState {
    /// The first `n` elements: the states at the time reached.
    pub(super) fn states(&self, n: usize) -> &[f64] {
        &self.vectors[..n]
    }

    /// The coefficients of the interpolant.
    #[inline]
    pub(super) fn dense(&self, n: usize) -> &[f64] {
        &self.vectors[n..][..COEFFICIENTS * n]
    }

    pub(super) fn derivatives(&self, n: usize) -> &[f64] {
        &self.vectors[(1 + COEFFICIENTS) * n..][..n]
    }

    pub(super) fn crossed(&self, n: usize, m: usize) -> &[f64] {
        &self.vectors[(3 + COEFFICIENTS) * n + m..][..m]
    }
}

/// The parts of the integrator state; `n` continuous states, `m` indicators.
pub(super) struct Workspace<'a> {
    /// The last step, and the one that the interpolant belongs to.
    pub last: &'a mut LastStep,
    /// What is known of the size of the next step.
    pub size: &'a mut StepSize,
    /// Work done so far.
    pub work: &'a mut Statistics,
    /// What the choice of the method keeps.
    pub choice: &'a mut Choice,
    /// States at the time reached (n).
    pub x: &'a mut [f64],
    /// Coefficients of the interpolant: of each state as many as its degree requires (8 n).
    pub dense: &'a mut [f64],
    /// Derivatives at the time reached (n).
    pub dx: &'a mut [f64],
    /// Estimate of the eigenvector of the largest eigenvalue of the Jacobian (n).
    pub direction: &'a mut [f64],
    /// Indicators at the time reached (m).
    pub z_start: &'a mut [f64],
    /// Directions in which indicators changed their sign (m).
    pub crossed: &'a mut [f64],
    // The values from here on are not used between two calls, see [`kept_length`].
    /// States at the end of the trial step (n).
    pub x_new: &'a mut [f64],
    /// Derivatives there (n).
    pub dx_new: &'a mut [f64],
    /// States at which a function is evaluated (n).
    pub point: &'a mut [f64],
    /// Partial derivatives with respect to time (n).
    pub dfdt: &'a mut [f64],
    /// Stages of the trial step (16 n).
    pub stages: &'a mut [f64],
    /// Entries of the Jacobian at the time reached.
    pub jacobian: &'a mut [f64],
    /// The matrix of the linear systems of the trial step.
    pub stage_matrix: StageMatrix<'a>,
    /// Rows of indicators, see [`row`] (9 m).
    pub samples: &'a mut [f64],
    /// Whether `jacobian`, `dfdt` and the Jacobian in `stage_matrix` belong to the time reached.
    pub jacobian_known: bool,
    /// Whether `dx_new` belongs to the end of the trial step.
    pub end_known: bool,
    /// Time up to which no interpolant is needed.
    pub t_target: f64,
    /// Whether `dense` belongs to the trial step.
    pub interpolant_known: bool,
}

impl<'a> Workspace<'a> {
    pub fn new(settings: &Integrator<'a>, state: &'a mut IntegratorState) -> Self {
        let (pattern, n, m) = (settings.pattern, settings.nominal.len(), settings.indicators);
        let IntegratorState { last, size, work, choice, vectors, .. } = state;
        let mut rest = &mut vectors[..];
        let mut take = |count: usize| {
            let (first, others) = std::mem::take(&mut rest).split_at_mut(count);
            rest = others;
            first
        };
        Workspace {
            last,
            size,
            work,
            choice,
            x: take(n),
            dense: take(COEFFICIENTS * n),
            dx: take(n),
            direction: take(n),
            z_start: take(m),
            crossed: take(m),
            x_new: take(n),
            dx_new: take(n),
            point: take(n),
            dfdt: take(n),
            stages: take(STAGES * n),
            jacobian: take(pattern.entries()),
            stage_matrix: StageMatrix::new(pattern, take(StageMatrix::length(pattern))),
            samples: take(row::COUNT * m),
            jacobian_known: false,
            end_known: false,
            t_target: f64::NEG_INFINITY,
            interpolant_known: false,
        }
    }

    /// Time reached.
    pub fn t(&self) -> f64 {
        self.last.end
    }

    /// A row of indicator samples.
    pub fn row(&self, row: usize) -> &[f64] {
        let m = self.z_start.len();
        &self.samples[row * m..][..m]
    }

    /// Copies one row of indicator samples to another.
    pub fn copy_row(&mut self, from: usize, to: usize) {
        let m = self.z_start.len();
        self.samples.copy_within(from * m..(from + 1) * m, to * m);
    }

    /// Derivatives at the time reached.
    pub fn derivatives_at_start<F: OdeSystem + ?Sized>(&mut self, ode: &mut F) -> Result<(), Stop> {
        self.work.evaluations += 1;
        ode.derivatives(self.t(), self.x, self.dx)?;
        check_finite(self.dx)
    }

    /// Derivatives at the end of the trial step.
    pub fn derivatives_at_end<F: OdeSystem + ?Sized>(
        &mut self,
        ode: &mut F,
        t: f64,
    ) -> Result<(), Stop> {
        self.work.evaluations += 1;
        ode.derivatives(t, self.x_new, self.dx_new)?;
        check_finite(self.dx_new)?;
        ode.end_of_trial();
        self.end_known = true;
        Ok(())
    }

    /// Computes a stage of an explicit method; its argument is in `point`.
    #[inline]
    pub fn evaluate_stage<F: OdeSystem + ?Sized>(
        &mut self,
        ode: &mut F,
        stage: usize,
        t: f64,
    ) -> Result<(), Stop> {
        self.work.evaluations += 1;
        let n = self.x.len();
        ode.derivatives(t, self.point, &mut self.stages[stage * n..][..n])
    }
}

/// `out = x + h (c[0] k[0] + c[1] k[1] + ..)`, where `stages` holds the vectors `k` one after the
/// other.
#[inline]
pub(super) fn combine<const N: usize>(
    out: &mut [f64],
    x: &[f64],
    h: f64,
    c: &[f64; N],
    stages: &[f64],
) {
    let n = x.len();
    let k = rows::<N>(stages, n);
    let out = &mut out[..n];
    for i in 0..n {
        out[i] = x[i] + h * weighted(c, &k, i);
    }
}

/// The first `N` of the vectors of length `n` that follow each other.
#[inline(always)]
pub(super) fn rows<const N: usize>(block: &[f64], n: usize) -> [&[f64]; N] {
    let mut rows = [block; N];
    for (j, row) in rows.iter_mut().enumerate() {
        *row = &block[j * n..][..n];
    }
    rows
}

/// `c[0] k[0][i] + c[1] k[1][i] + ..`
#[inline(always)]
pub(super) fn weighted<const N: usize>(c: &[f64; N], k: &[&[f64]; N], i: usize) -> f64 {
    let mut sum = c[0] * k[0][i];
    for j in 1..N {
        sum += c[j] * k[j][i];
    }
    sum
}
