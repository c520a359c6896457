//! Integration of the states between events: one-step methods, dense output, event location.
//!
//! [`Integrator`] holds sizes and settings only. Everything that changes from step to step (the
//! last step with its interpolant, the step size, the method in use, statistics) is the
//! [`IntegratorState`], which the caller owns. Its stored form is a slice of `f64`: an FMU state
//! contains it, and a restored integration continues with the same bits.
//!
//! One step from `t`, where `x` and `dx` are known:
//! 1. A trial step of the method in use is made. It is rejected, and repeated with a smaller step
//!    size, if its error estimate exceeds one, if an evaluation fails or if a value is not finite.
//! 2. The derivatives at its end are computed, which are also the first stage of the next step.
//! 3. The event indicators are sampled along the interpolant, unless bounds exclude a change. If an
//!    indicator changes its sign, the step is repeated, and ends immediately after the event.
//! 4. If the step passes the target, states within the step may be asked for, and the interpolant
//!    is computed unless it is already known.
//! 5. [`OdeSystem::accept`] is called.

mod dense_output;
mod dop853;
mod elimination;
mod error_norm;
mod event_location;
mod fixed_step;
mod indicator_bounds;
mod jacobian_pattern;
mod method_choice;
mod ode;
mod rodas5p;
mod settings;
mod stage_matrix;
mod state;
mod step_control;
#[cfg(test)]
mod tests;
mod trial;
mod tsit5;
mod workspace;

pub use jacobian_pattern::JacobianPattern;
pub use ode::{OdeSystem, Stop};
pub use settings::{ImplicitWork, Integrator, Method};
pub use state::{IntegratorState, Statistics, StepOutcome};
pub use step_control::NEAR_ZERO;
use workspace::Workspace;

impl Integrator<'_> {
    /// Starts or restarts at `(t, x)`: at the start time, after an event, or after a variable was
    /// set.
    ///
    /// Keeps the step size, the choice of method and the statistics. Its last evaluation is that of
    /// the derivatives at `(t, x)`; it does not call [`OdeSystem::accept`].
    ///
    /// # Errors
    /// If derivatives or indicators cannot be evaluated at `(t, x)`; the integrator state is
    /// then at `(t, x)`, and no step can be taken from it.
    pub fn restart<F: OdeSystem + ?Sized>(
        &self,
        state: &mut IntegratorState,
        t: f64,
        x: &[f64],
        ode: &mut F,
    ) -> Result<(), Stop> {
        let mut ws = self.workspace(state);
        ws.last.end = t;
        ws.last.event = false;
        ws.x.copy_from_slice(x);
        ws.crossed.fill(0.0);
        dense_output::hold(&mut ws);
        if !ws.z_start.is_empty() {
            ws.work.indicators += 1;
            ode.indicators(t, ws.x, ws.z_start)?;
            ode::check_finite(ws.z_start)?;
        }
        ws.derivatives_at_start(ode)?;
        if ws.size.proposed == 0.0 && !self.method.has_fixed_steps() {
            ws.size.proposed = step_control::initial_step(self, &mut ws, ode);
            ws.derivatives_at_start(ode)?;
        }
        Ok(())
    }

    /// Takes one step that ends at `t_limit` (to the bit) or before it.
    ///
    /// The interpolant covers this step if it ends after `t_target`; otherwise, and with steps of a
    /// fixed length, only the states at its end are valid. After [`StepOutcome::Step`] the next
    /// call continues; after [`StepOutcome::Event`] the caller handles the event and restarts. If
    /// `t_limit` is not after the time reached, no step is made.
    ///
    /// # Errors
    /// If no step is possible. The integrator state stays at the last accepted point.
    pub fn step<F: OdeSystem + ?Sized>(
        &self,
        state: &mut IntegratorState,
        ode: &mut F,
        t_limit: f64,
        t_target: f64,
    ) -> Result<StepOutcome, Stop> {
        if Integrator::time(state) >= t_limit {
            return Ok(StepOutcome::Step);
        }
        let mut ws = self.workspace(state);
        ws.t_target = t_target;
        let result = if self.method.has_fixed_steps() {
            fixed_step::advance(self, &mut ws, ode, t_limit)
        } else {
            step_control::advance(self, &mut ws, ode, t_limit)
        };
        if result.is_err() {
            dense_output::hold(&mut ws);
        }
        result
    }

    /// States at `t` within the last step; at its end or later, the states at the end.
    #[inline]
    pub fn interpolate(state: &IntegratorState, t: f64, x: &mut [f64]) {
        dense_output::interpolate(state, t, x);
    }

    /// One of `n` states at `t` within the last step, with the bits of [`Integrator::interpolate`].
    #[inline]
    pub fn interpolate_one(state: &IntegratorState, t: f64, i: usize, n: usize) -> f64 {
        dense_output::interpolate_one(state, t, i, n)
    }

    /// Time derivative of the interpolant at `t` within the last step; at its end or later, the
    /// derivatives at the end.
    #[cfg(test)]
    pub fn interpolate_derivative(state: &IntegratorState, t: f64, dx: &mut [f64]) {
        dense_output::interpolate_derivative(state, t, dx);
    }

    /// Time reached, in s.
    #[inline]
    #[must_use]
    pub fn time(state: &IntegratorState) -> f64 {
        state.last.end
    }

    /// The start of the last step, in s; after a restart the time reached.
    #[cfg(test)]
    pub fn step_start(state: &IntegratorState) -> f64 {
        state.last.start
    }

    /// Whether the last step ended with an event after which there was no restart yet.
    #[cfg(test)]
    pub fn at_event(state: &IntegratorState) -> bool {
        state.last.event
    }

    /// States at the time reached.
    #[must_use]
    pub fn states<'w>(&self, state: &'w IntegratorState) -> &'w [f64] {
        state.states(self.nominal.len())
    }

    /// Derivatives of the states at the time reached.
    #[must_use]
    pub fn derivatives<'w>(&self, state: &'w IntegratorState) -> &'w [f64] {
        state.derivatives(self.nominal.len())
    }

    /// For each indicator: 1 if it became positive in the step that ended with an event, -1 if it
    /// stopped being positive, else 0. Valid from that step to the restart after it.
    #[must_use]
    pub fn crossed<'w>(&self, state: &'w IntegratorState) -> &'w [f64] {
        state.crossed(self.nominal.len(), self.indicators)
    }

    /// Work done so far.
    #[must_use]
    pub fn statistics(state: &IntegratorState) -> Statistics {
        state.work
    }

    /// Work done so far, in evaluations of the derivatives, as the choice of the method counts it.
    #[must_use]
    pub fn work(state: &IntegratorState, implicit_work: ImplicitWork) -> f64 {
        method_choice::work(&state.work, implicit_work)
    }

    /// Discards the step size, so that the next restart determines an initial one.
    #[cfg(test)]
    pub fn forget_step_size(state: &mut IntegratorState) {
        state.size.proposed = 0.0;
        state.size.last_error = 0.0;
    }

    fn workspace<'w>(&'w self, state: &'w mut IntegratorState) -> Workspace<'w> {
        Workspace::new(self, state)
    }
}
