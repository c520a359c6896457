//! Integration of the state derivatives between events: one-step methods, dense output, event
//! location.
//!
//! The integrator has no memory of its own. Everything it must remember (the last step with its
//! interpolant, the step size, which method is in use, statistics) is in one slice of `f64` words
//! that the caller owns, so that an FMU state is a copy of numbers and a restored state continues
//! with the same bits. [`Integrator`] itself is only sizes and settings.
//!
//! Life of a step, from `t` (where `x` and `dx` are known):
//! 1. a trial step of the method in use; refused if its error estimate is not below one, if an
//!    evaluation fails or a value is not finite, and repeated with a smaller step;
//! 2. the derivatives at its end, which are also the first stage of the next step;
//! 3. the indicators are watched along the interpolant; if one changes its sign, the
//!    step is repeated so that it ends right behind the change;
//! 4. [`Flow::accept`].

mod auto;
mod controller;
mod dense;
mod locate;
mod rodas5p;
mod stage_matrix;
#[cfg(test)]
mod tests;
mod tsit5;
mod words;

use crate::system::Failure;
use words::{View, at};

/// What is integrated: a model in one mode, as functions of time and states.
///
/// Relations and discrete variables are frozen, and all functions are pure in `(t, x)` between two
/// calls of [`Flow::accept`].
pub trait Flow {
    /// State derivatives `dx`.
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Stop>;

    /// Event indicators `z`; an event is a change between `z > 0` and `z <= 0`.
    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), Stop>;

    /// Exact partial derivatives of `dx`: `jacobian` with respect to `x` (row-major, `n * n`) and
    /// `dfdt` with respect to time.
    fn jacobian(
        &mut self,
        t: f64,
        x: &[f64],
        jacobian: &mut [f64],
        dfdt: &mut [f64],
    ) -> Result<(), Stop>;

    /// A point at which `derivatives` were evaluated has become part of the solution.
    fn accept(&mut self, t: f64, x: &[f64]) -> Result<(), Stop>;
}

/// Why integration, or one evaluation, could not go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// A nonlinear block has no solution.
    Block(Failure),
    /// A derivative or an indicator is not a finite number.
    NotFinite,
    /// The wanted accuracy needs steps smaller than the resolution of time.
    StepTooSmall,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Block(failure)
    }
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// In the middle of nowhere, or at the limit.
    Step,
    /// Right behind the first sign change of an indicator; see [`Integrator::crossed`].
    Event,
}

/// Which method takes the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Tsit5, or Rodas5P as long as the problem is stiff.
    #[default]
    Auto,
    /// Explicit Runge-Kutta pair of order 5(4).
    Tsit5,
    /// L-stable Rosenbrock method of order 5(4) with exact Jacobians.
    Rodas5P,
}

impl Method {
    /// The method of a value of the parameter `solver.method`; anything unknown is automatic.
    #[must_use]
    pub fn from_parameter(value: f64) -> Self {
        if value == 1.0 {
            Method::Tsit5
        } else if value == 2.0 {
            Method::Rodas5P
        } else {
            Method::Auto
        }
    }
}

/// Work done since the words were zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Refused trial steps.
    pub rejected: u64,
    /// Evaluations of the derivatives.
    pub evaluations: u64,
    /// Evaluations of the Jacobian.
    pub jacobians: u64,
    /// Located events.
    pub events: u64,
}

/// Sizes and settings of an integration; its memory is the `words` given to every function.
///
/// Words that are all zero are a valid beginning; the first call must be [`Integrator::restart`].
#[derive(Clone, Copy, Debug)]
pub struct Integrator<'a> {
    /// Nominal values of the states, positive; their number is the number of states.
    pub nominal: &'a [f64],
    /// Number of event indicators.
    pub indicators: usize,
    /// The method.
    pub method: Method,
    /// Relative tolerance; a tenth of it bounds the estimated error of each step (root mean square
    /// over the states), relative to the magnitude of each state, or three times its change in the
    /// step if that is larger, plus a thousandth of its nominal value.
    pub tolerance: f64,
    /// Largest step in s; 0: no limit.
    pub max_step: f64,
}

impl Integrator<'_> {
    /// Number of words of memory for `states` states and `indicators` indicators.
    #[must_use]
    pub const fn words(states: usize, indicators: usize) -> usize {
        words::length(states, indicators)
    }

    /// Begins at `(t, x)`: at the start, after an event, or after something was set from outside.
    ///
    /// Keeps the step size, the choice of method and the statistics of what went before. The last
    /// evaluation it asks for is that of the derivatives at `(t, x)`; it does not call
    /// [`Flow::accept`].
    ///
    /// # Errors
    /// If derivatives or indicators cannot be evaluated at `(t, x)`; the words are then at `(t, x)`
    /// but must not be stepped.
    pub fn restart<F: Flow + ?Sized>(
        &self,
        words: &mut [f64],
        t: f64,
        x: &[f64],
        flow: &mut F,
    ) -> Result<(), Stop> {
        let mut v = self.view(words);
        v.head[at::TIME] = t;
        v.head[at::EVENT] = 0.0;
        v.x.copy_from_slice(x);
        v.crossed.fill(0.0);
        dense::hold(&mut v);
        if !v.z_start.is_empty() {
            flow.indicators(t, v.x, v.z_start)?;
            check_finite(v.z_start)?;
        }
        v.derivatives_at_start(flow)?;
        if v.head[at::PROPOSED] == 0.0 {
            v.head[at::PROPOSED] = controller::initial_step(self, &mut v, flow);
            v.derivatives_at_start(flow)?;
        }
        Ok(())
    }

    /// Takes one step towards `t_limit`, never beyond it; a step that reaches it ends there
    /// bitwise.
    ///
    /// After it the interpolant covers the step. Without an event nothing but another call is
    /// needed to go on; after [`Outcome::Event`] the caller handles the event and restarts. If
    /// `t_limit` is not after the present time, nothing happens.
    ///
    /// # Errors
    /// When no step is possible. The words stay at the last accepted point.
    pub fn step<F: Flow + ?Sized>(
        &self,
        words: &mut [f64],
        flow: &mut F,
        t_limit: f64,
    ) -> Result<Outcome, Stop> {
        let mut v = self.view(words);
        let result = controller::advance(self, &mut v, flow, t_limit);
        if result.is_err() {
            dense::hold(&mut v);
        }
        result
    }

    /// States at `t` within the last step; at its end or later, the states at the end.
    #[inline]
    pub fn interpolate(words: &[f64], t: f64, x: &mut [f64]) {
        dense::interpolate(words, t, x);
    }

    /// Time derivative of the interpolant at `t` within the last step; at its end or later, the
    /// derivatives at the end.
    #[cfg(test)]
    pub fn interpolate_derivative(words: &[f64], t: f64, dx: &mut [f64]) {
        dense::interpolate_derivative(words, t, dx);
    }

    /// Time reached, in s.
    #[inline]
    #[must_use]
    pub fn time(words: &[f64]) -> f64 {
        words[at::TIME]
    }

    /// Where the last step began, in s; after a restart the time reached.
    #[cfg(test)]
    pub fn step_start(words: &[f64]) -> f64 {
        words[at::START]
    }

    /// Whether the last step ended with an event after which there was no restart yet.
    #[cfg(test)]
    pub fn at_event(words: &[f64]) -> bool {
        words[at::EVENT] != 0.0
    }

    /// States at the time reached.
    #[must_use]
    pub fn states<'w>(&self, words: &'w [f64]) -> &'w [f64] {
        words::states(words, self.nominal.len())
    }

    /// Derivatives of the states at the time reached.
    #[must_use]
    pub fn derivatives<'w>(&self, words: &'w [f64]) -> &'w [f64] {
        words::derivatives(words, self.nominal.len())
    }

    /// For each indicator: 1 if it became positive in the step that ended with an event, -1 if it
    /// stopped being positive, else 0. Valid from that step to the restart after it.
    #[must_use]
    pub fn crossed<'w>(&self, words: &'w [f64]) -> &'w [f64] {
        words::crossed(words, self.nominal.len(), self.indicators)
    }

    /// Work done so far.
    #[must_use]
    pub fn statistics(words: &[f64]) -> Statistics {
        Statistics {
            steps: words[at::STEPS] as u64,
            rejected: words[at::REJECTED] as u64,
            evaluations: words[at::EVALUATIONS] as u64,
            jacobians: words[at::JACOBIANS] as u64,
            events: words[at::EVENTS] as u64,
        }
    }

    /// Forgets the step size, so that the next restart chooses it anew (after a change that makes
    /// the present one meaningless, such as initialization).
    #[cfg(test)]
    pub fn forget_step_size(words: &mut [f64]) {
        words[at::PROPOSED] = 0.0;
        words[at::LAST_ERROR] = 0.0;
    }

    fn view<'w>(&self, words: &'w mut [f64]) -> View<'w> {
        View::new(words, self.nominal.len(), self.indicators)
    }
}

/// Whether all values are finite. Integer arithmetic on their bits, because it is cheap in vectors:
/// one more in the exponent of a value that is not finite overflows into its sign.
#[inline]
pub(crate) fn all_finite(values: &[f64]) -> bool {
    const EXPONENT: u64 = f64::INFINITY.to_bits();
    const ONE: u64 = EXPONENT & EXPONENT.wrapping_neg();
    let overflow = values.iter().fold(0, |all, v| all | ((v.to_bits() & EXPONENT) + ONE));
    overflow >> 63 == 0
}

/// Refuses values that are not finite.
#[inline]
fn check_finite(values: &[f64]) -> Result<(), Stop> {
    if all_finite(values) { Ok(()) } else { Err(Stop::NotFinite) }
}
