//! Step size control: trial steps until one is accepted, and the size of the next step.

use super::error_norm::{TrialStep, accuracy, scale};
use super::event_location::{self, StepEnd};
use super::method_choice::{self, InUse, in_use};
use super::ode::{OdeSystem, Stop};
use super::settings::Integrator;
use super::state::StepOutcome;
use super::trial::{attempt, finish, interpolant};
use super::workspace::{Workspace, row};

/// Bounds of the ratio of successive step sizes.
const MIN_FACTOR: f64 = 0.2;
const MAX_FACTOR: f64 = 5.0;
/// Smallest step relative to `max(NEAR_ZERO, |t|)`: a multiple of the resolution of time.
const MIN_STEP: f64 = 1e-14;
/// Times in s below which time is resolved as at this one: circuits may be over within it.
pub const NEAR_ZERO: f64 = 1e-9;
/// Smallest step relative to `max(1, |t|)` if a nonlinear block has no solution beyond some point:
/// with smaller steps the states no longer change, and the integration would make no progress.
const MIN_STEP_UNSOLVED: f64 = 1e-10;
/// Largest step relative to `max(1, |t|)` if no other limit is known.
const MAX_STEP: f64 = 1e3;

/// How the step size depends on the error estimate of a method.
struct Control {
    /// The step size changes with this root of the error: its degree is the order of the estimate
    /// plus one.
    root: fn(f64) -> f64,
    /// Safety factor of the step size.
    safety: f64,
    /// Lower bound of the root of the previous error in the proportional-integral control.
    min_last_error: f64,
}

const FIFTH_ORDER: Control = Control { root: fifth_root, safety: 0.9, min_last_error: 0.16 };
/// Near the tolerance, the estimate of Dop853 varies more from step to step.
const EIGHTH_ORDER: Control = Control { root: eighth_root, safety: 0.8, min_last_error: 0.32 };

fn control(settings: &Integrator<'_>, ws: &Workspace<'_>) -> Control {
    match in_use(settings, ws) {
        InUse::Tsit5 | InUse::Rodas5P => FIFTH_ORDER,
        InUse::Dop853 => EIGHTH_ORDER,
    }
}

/// Takes one step towards `t_limit`, which is later, see [`Integrator::step`].
pub(super) fn advance<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_limit: f64,
) -> Result<StepOutcome, Stop> {
    let t = ws.t();
    let min_step = MIN_STEP * t.abs().max(NEAR_ZERO);
    let max_step = max_step(settings, t);
    if max_step < min_step {
        return Err(Stop::StepTooSmall);
    }
    let mut proposed_step = ws.size.proposed.max(min_step).min(max_step);
    let mut max_factor = MAX_FACTOR;
    loop {
        let t_new = end_of_step(t, proposed_step, max_step, t_limit);
        let shrink = match attempt(settings, ws, ode, t_new) {
            Ok(trial) if trial.error <= 1.0 => {
                let next = Proposal::new(settings, ws, trial, proposed_step, t_new - t, max_factor);
                let finished = finish(settings, ws, ode, t_new, trial).and_then(|trial| {
                    let end = find_event(settings, ws, ode, t_new)?;
                    ode.accept(end.t, ws.x_new)?;
                    Ok((end, trial))
                });
                match finished {
                    Ok((StepEnd { t: t_end, outcome }, trial)) => {
                        accept(settings, ws, t_end, outcome);
                        // Nothing is known beyond an event, so the next step size is limited
                        // relative to the step taken.
                        let taken = match outcome {
                            StepOutcome::Event => t_end - t,
                            StepOutcome::Step => t_new - t,
                        };
                        let max = proposed_step.max(MAX_FACTOR * taken);
                        next.store(ws, max);
                        method_choice::update(settings, ws, trial, taken);
                        return Ok(outcome);
                    }
                    Err(stop) => Err(stop),
                }
            }
            Ok(trial) if trial.error > 1.0 => {
                let Control { root, safety, .. } = control(settings, ws);
                Ok((safety / root(trial.error)).max(MIN_FACTOR))
            }
            Ok(_) => Err(Stop::NotFinite),
            Err(stop) => Err(stop),
        };
        ws.work.rejected += 1;
        let (factor, reason) = match shrink {
            Ok(factor) => (factor, Stop::StepTooSmall),
            Err(_) if method_choice::fall_back_to_explicit(settings, ws) => continue,
            Err(stop) => (0.5, stop),
        };
        max_factor = 1.0;
        proposed_step = factor * (t_new - t);
        let limit = match reason {
            Stop::Block(_) => MIN_STEP_UNSOLVED * t.abs().max(1.0),
            Stop::StepTooSmall | Stop::NotFinite => min_step,
        };
        if proposed_step < limit || proposed_step.is_nan() {
            return Err(reason);
        }
    }
}

/// The end of a step of about `proposed_step` from `t`, such that no tiny step remains before the
/// limit.
fn end_of_step(t: f64, proposed_step: f64, max_step: f64, t_limit: f64) -> f64 {
    let remaining = t_limit - t;
    if remaining <= (1.1 * proposed_step).min(max_step) {
        t_limit
    } else if remaining < 2.0 * proposed_step {
        t + 0.5 * remaining
    } else {
        t + proposed_step
    }
}

/// Longest step from `t`.
fn max_step(settings: &Integrator<'_>, t: f64) -> f64 {
    if settings.max_step > 0.0 { settings.max_step } else { MAX_STEP * t.abs().max(1.0) }
}

/// Searches an accurate trial step for events, which may shorten it.
fn find_event<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<StepEnd, Stop> {
    let mut end = StepEnd { t: t_new, outcome: StepOutcome::Step };
    if !ws.z_start.is_empty() {
        end = event_location::locate(settings, ws, ode, t_new)?;
    }
    if !ws.end_known {
        ws.derivatives_at_end(ode, end.t)?;
    }
    if end.t > ws.t_target {
        let before = ws.work.evaluations;
        interpolant(settings, ws, ode, end.t)?;
        ws.work.for_output += ws.work.evaluations - before;
    }
    Ok(end)
}

/// Makes the end of the trial step the point reached.
pub(super) fn accept(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    t_end: f64,
    outcome: StepOutcome,
) {
    ws.last.start = ws.t();
    ws.last.end = t_end;
    ws.x.copy_from_slice(ws.x_new);
    ws.dx.copy_from_slice(ws.dx_new);
    ws.work.steps += 1;
    ws.last.event = false;
    let m = settings.indicators;
    if outcome == StepOutcome::Event {
        ws.last.event = true;
        ws.work.events += 1;
        let end = &ws.samples[row::END * m..][..m];
        for ((c, a), b) in ws.crossed.iter_mut().zip(ws.z_start.iter()).zip(end) {
            *c = f64::from(i8::from(*b > 0.0) - i8::from(*a > 0.0));
        }
    }
    let end = &ws.samples[row::END * m..][..m];
    ws.z_start.copy_from_slice(end);
}

/// The size proposed for the next step after an accurate trial step.
struct Proposal {
    proposed: f64,
    last_error: f64,
}

impl Proposal {
    /// Proportional-integral control: with the roots of the errors, the step changes with
    /// `root^(-3/4) * last_root^(1/4)`.
    fn new(
        settings: &Integrator<'_>,
        ws: &Workspace<'_>,
        trial: TrialStep,
        proposed_step: f64,
        h: f64,
        max_factor: f64,
    ) -> Self {
        let last_error = ws.size.last_error;
        let Control { root, safety, min_last_error } = control(settings, ws);
        let root = root(trial.error.max(1e-20));
        let last = if last_error > 0.0 { last_error } else { root.max(min_last_error) };
        let factor = safety * (last / (root * root * root)).sqrt().sqrt();
        let factor = factor.max(MIN_FACTOR).min(max_factor);
        if h < 0.9 * proposed_step {
            // The limit has shortened this step, so its error does not reduce the proposed step.
            Proposal { proposed: proposed_step.max(factor * h), last_error }
        } else {
            Proposal { proposed: factor * h, last_error: root.max(min_last_error) }
        }
    }

    fn store(self, ws: &mut Workspace<'_>, max: f64) {
        ws.size.proposed = self.proposed.min(max);
        ws.size.last_error = self.last_error;
    }
}

/// First step size (E. Hairer, S. P. Nørsett, G. Wanner, "Solving Ordinary Differential Equations
/// I", section II.4). An explicit Euler step of this size would change the states by a hundredth of
/// their tolerance scale, with a small error.
pub(super) fn initial_step<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
) -> f64 {
    let n = ws.x.len();
    let accuracy = accuracy(settings);
    let mean = |squares: f64| (squares / n.max(1) as f64).sqrt() / accuracy;
    let (mut size, mut speed) = (0.0, 0.0);
    for ((x, dx), nominal) in ws.x.iter().zip(ws.dx.iter()).zip(settings.nominal) {
        let per_scale = 1.0 / scale(*nominal, *x, *x);
        size += (x * per_scale) * (x * per_scale);
        speed += (dx * per_scale) * (dx * per_scale);
    }
    let (size, speed) = (mean(size), mean(speed));
    let min_step = MIN_STEP * ws.t().abs().max(NEAR_ZERO);
    let first = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
    let first = first.min(max_step(settings, ws.t())).max(min_step);

    for ((point, x), dx) in ws.point.iter_mut().zip(ws.x.iter()).zip(ws.dx.iter()) {
        *point = x + first * dx;
    }
    ws.work.evaluations += 1;
    if ode.derivatives(ws.t() + first, ws.point, ws.dx_new).is_err() {
        return first;
    }
    let mut change = 0.0;
    for (((a, b), x), nominal) in
        ws.dx.iter().zip(ws.dx_new.iter()).zip(ws.x.iter()).zip(settings.nominal)
    {
        let part = (b - a) / scale(*nominal, *x, *x);
        change += part * part;
    }
    let change = mean(change) / first;
    let largest = if speed > change { speed } else { change };
    let second = if largest <= 1e-15 {
        (1e-3 * first).max(1e-6)
    } else if largest.is_finite() {
        (control(settings, ws).root)(0.01 / largest)
    } else {
        first
    };
    second.min(100.0 * first).min(max_step(settings, ws.t())).max(min_step)
}

/// Eighth root of a number that is not negative.
fn eighth_root(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt()
}

/// Fifth root of a positive number. It uses arithmetic only, so that it has the same bits on every
/// platform: dividing the exponent by five gives a first guess, and two Newton steps suffice.
pub(super) fn fifth_root(x: f64) -> f64 {
    const ONE: u64 = 1.0_f64.to_bits();
    let x = x.clamp(1e-100, 1e100);
    let mut y = f64::from_bits(x.to_bits() / 5 + ONE / 5 * 4);
    for _ in 0..2 {
        let y2 = y * y;
        y = 0.2 * (4.0 * y + x / (y2 * y2));
    }
    y
}
