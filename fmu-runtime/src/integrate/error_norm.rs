//! The norm of the local error: root mean square over the states, each relative to its scale.
//!
//! Source: E. Hairer, S. P. Nørsett, G. Wanner, "Solving Ordinary Differential Equations I", II.4.

use super::settings::Integrator;

/// The fraction of the tolerance that one step may use, because the errors of many steps add up.
const TOLERANCE_FRACTION: f64 = 0.1;
/// Smallest relative error that can be required despite rounding errors.
const MIN_RELATIVE_ERROR: f64 = 1e-13;
/// Absolute tolerance of a state as a fraction of its nominal value, in addition to the relative
/// tolerance.
const ABSOLUTE_TOLERANCE: f64 = 1e-3;
/// Weight of the change in a step: an oscillation moves by its amplitude in about three steps.
const CHANGE_WEIGHT: f64 = 3.0;

/// The result of a trial step whose end is in the workspace as `x_new`.
#[derive(Clone, Copy)]
pub(super) struct TrialStep {
    /// Norm of the estimated error relative to the tolerance; the step is accepted if it is at most
    /// one.
    pub error: f64,
    /// Step size times the estimated largest eigenvalue.
    pub stiffness: f64,
}

impl TrialStep {
    /// A result from the sum of squares of the estimated errors, each relative to its [`scale`].
    pub fn new(settings: &Integrator<'_>, x_new: &[f64], squares: f64, stiffness: f64) -> Self {
        let error = if x_new.is_empty() {
            0.0
        } else if x_new.iter().all(|x| x.is_finite()) {
            (squares / x_new.len() as f64).sqrt() / accuracy(settings)
        } else {
            f64::NAN
        };
        TrialStep { error, stiffness }
    }
}

/// The scale of the error of one state: the larger of its magnitude and its change over a few
/// steps. With the magnitude, small states are as accurate as large states; with the change, a
/// state is as accurate near zero as elsewhere.
#[inline(always)]
pub(super) fn scale(nominal: f64, before: f64, after: f64) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let size = larger(before.abs(), after.abs());
    ABSOLUTE_TOLERANCE * nominal + larger(size, CHANGE_WEIGHT * (after - before).abs())
}

/// Relative tolerance of one step.
pub(super) fn accuracy(settings: &Integrator<'_>) -> f64 {
    let accuracy = TOLERANCE_FRACTION * settings.tolerance;
    if accuracy > MIN_RELATIVE_ERROR { accuracy } else { MIN_RELATIVE_ERROR }
}
