//! Steps of fixed length, whose work has a bound: for simulation in real time.
//!
//! The time to the limit is divided into equal steps, as few as possible, that are not longer than
//! the set length. A step costs four evaluations of the derivatives (Rk4) or one (Euler), and one
//! of the indicators. If an indicator changes in a step, the step is repeated at most four times,
//! so that it ends shortly after the change; without location, the event is at the end of the step.
//! There is no interpolant: a communication point is the end of a step.

use super::event_location::{changed, estimate, indicators_at_end};
use super::ode::{OdeSystem, Stop, check_finite};
use super::settings::{Integrator, Method};
use super::state::StepOutcome;
use super::step_control::accept;
use super::tsit5::stage;
use super::workspace::{Workspace, combine, row};

/// A step may exceed the set length by this part of the length, and is still one step.
const ROUNDING: f64 = 1e-9;

/// By how much a repeated step passes the estimate of an event, as parts of the interval that
/// contains the event; a number for each repetition. The last repetition should not end before the
/// event.
const OVERSHOOT: [f64; 3] = [1e-3, 1e-2, 5e-2];

/// Takes one step towards `t_limit`, which is later, see [`Integrator::step`].
pub(super) fn advance<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_limit: f64,
) -> Result<StepOutcome, Stop> {
    let t = ws.t();
    let remaining = t_limit - t;
    let steps =
        if settings.step > 0.0 { (remaining / settings.step - ROUNDING).ceil() } else { 1.0 };
    let mut t_new = if steps > 1.0 { t + remaining / steps } else { t_limit };
    if t_new <= t {
        return Err(Stop::StepTooSmall);
    }
    attempt(settings.method, ws, ode, t_new)?;
    let mut outcome = StepOutcome::Step;
    if !ws.z_start.is_empty() && changed(ws.z_start, ws.row(row::END)) {
        outcome = StepOutcome::Event;
        if settings.locates_events {
            t_new = locate(settings.method, ws, ode, t_new)?;
        }
    }
    ws.derivatives_at_end(ode, t_new)?;
    check_finite(ws.dx_new)?;
    ode.accept(t_new, ws.x_new)?;
    accept(settings, ws, t_new, outcome);
    Ok(outcome)
}

/// Repeats a step in which an indicator has changed; returns its new end, which is after the
/// change. The interval that contains the change is narrowed by the Illinois method (M. Dowell,
/// P. Jarratt, "A modified regula falsi method for computing the root of an equation", 1971).
fn locate<F: OdeSystem + ?Sized>(
    method: Method,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<f64, Stop> {
    let (mut low, mut high, mut end) = (ws.t(), t_new, t_new);
    let m = ws.z_start.len();
    ws.samples[row::LOW * m..][..m].copy_from_slice(ws.z_start);
    ws.copy_row(row::END, row::HIGH);
    for overshoot in OVERSHOOT {
        let t = estimate(ws, low, high) + overshoot * (high - low);
        if !(t > low && t < high) {
            break;
        }
        end = t;
        attempt(method, ws, ode, end)?;
        if changed(ws.z_start, ws.row(row::END)) {
            high = end;
            ws.copy_row(row::END, row::HIGH);
        } else {
            low = end;
            ws.copy_row(row::END, row::LOW);
            ws.samples[row::HIGH * m..][..m].iter_mut().for_each(|z| *z *= 0.5);
        }
    }
    if end != high {
        attempt(method, ws, ode, high)?;
    }
    Ok(high)
}

/// Computes the states at `t_new`, and the indicators there in row END.
fn attempt<F: OdeSystem + ?Sized>(
    method: Method,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<(), Stop> {
    let (n, t) = (ws.x.len(), ws.t());
    let h = t_new - t;
    ws.stages[..n].copy_from_slice(ws.dx);
    if method == Method::Euler {
        combine(ws.x_new, ws.x, h, &[1.0], ws.stages);
    } else {
        stage(ws, ode, t + 0.5 * h, h, &[0.5])?;
        stage(ws, ode, t + 0.5 * h, h, &[0.0, 0.5])?;
        stage(ws, ode, t_new, h, &[0.0, 0.0, 1.0])?;
        combine(ws.x_new, ws.x, h, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0], ws.stages);
    }
    check_finite(ws.x_new)?;
    if ws.z_start.is_empty() { Ok(()) } else { indicators_at_end(ws, ode, t_new) }
}
