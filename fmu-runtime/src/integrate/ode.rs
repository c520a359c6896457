//! The system of ordinary differential equations to integrate, and the reasons for a failure.

use kernels::newton::Failure;

/// A model between two events, as functions of time and states.
///
/// Relations and discrete variables are frozen, and all functions are pure in `(t, x)` between two
/// calls of [`OdeSystem::accept`].
pub trait OdeSystem {
    /// State derivatives `dx`.
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Stop>;

    /// Event indicators `z`; an event is a change between `z > 0` and `z <= 0`.
    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), Stop>;

    /// Passes the states on which an indicator depends, each with its coefficient, to `f` if the
    /// indicator is an affine function of the states; returns whether it is.
    fn affine_indicator(&self, _indicator: usize, _f: &mut dyn FnMut(usize, f64)) -> bool {
        false
    }

    /// Exact partial derivatives of `dx`: `jacobian` with respect to `x`, the entries of the
    /// [`JacobianPattern`](super::JacobianPattern), and `dfdt` with respect to time.
    fn jacobian(
        &mut self,
        t: f64,
        x: &[f64],
        jacobian: &mut [f64],
        dfdt: &mut [f64],
    ) -> Result<(), Stop>;

    /// Announces that the point at which `derivatives` were evaluated last is the end of a trial
    /// step.
    fn end_of_trial(&mut self);

    /// Announces that the last end of a trial step, `(t, x)`, has become part of the solution.
    fn accept(&mut self, t: f64, x: &[f64]) -> Result<(), Stop>;
}

/// Why the integration, or one evaluation, cannot continue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// A nonlinear block has no solution.
    Block(Failure),
    /// A derivative or an indicator is not a finite number.
    NotFinite,
    /// The tolerance requires steps smaller than the resolution of time.
    StepTooSmall,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Block(failure)
    }
}

/// Whether all values are finite. Integer arithmetic on the bits of values vectorises well: if a
/// value is not finite, adding one to the exponent overflows into the sign.
#[inline]
fn all_finite(values: &[f64]) -> bool {
    const EXPONENT: u64 = f64::INFINITY.to_bits();
    const ONE: u64 = EXPONENT & EXPONENT.wrapping_neg();
    let overflow = values.iter().fold(0, |all, v| all | ((v.to_bits() & EXPONENT) + ONE));
    overflow >> 63 == 0
}

/// Refuses values that are not finite.
#[inline]
pub(super) fn check_finite(values: &[f64]) -> Result<(), Stop> {
    if all_finite(values) { Ok(()) } else { Err(Stop::NotFinite) }
}
