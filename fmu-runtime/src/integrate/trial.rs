//! One trial step of the method in use, and its interpolant.

use super::dense_output::Degree;
use super::error_norm::TrialStep;
use super::method_choice::{InUse, in_use};
use super::ode::{OdeSystem, Stop};
use super::settings::Integrator;
use super::workspace::Workspace;
use super::{dop853, rodas5p, tsit5};

/// A trial step of the method in use.
pub(super) fn attempt<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<TrialStep, Stop> {
    ws.end_known = false;
    ws.interpolant_known = false;
    match in_use(settings, ws) {
        InUse::Tsit5 => tsit5::attempt(settings, ws, ode, t_new),
        InUse::Dop853 => dop853::attempt(settings, ws, ode, t_new),
        InUse::Rodas5P => {
            rodas5p::update_jacobian(ws, ode)?;
            rodas5p::attempt(settings, ws, ode, t_new)
        }
    }
}

/// Completes the result of an accurate trial step that ends at `t_new`.
pub(super) fn finish<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
    trial: TrialStep,
) -> Result<TrialStep, Stop> {
    Ok(match in_use(settings, ws) {
        InUse::Dop853 => {
            TrialStep { stiffness: dop853::finish(settings, ws, ode, t_new)?, ..trial }
        }
        InUse::Tsit5 | InUse::Rodas5P => trial,
    })
}

/// Computes the interpolant of the last trial step, which ends at `t_new`, unless it is known.
pub(super) fn interpolant<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<(), Stop> {
    if ws.interpolant_known {
        return Ok(());
    }
    let h = t_new - ws.t();
    let degree = match in_use(settings, ws) {
        InUse::Tsit5 => {
            tsit5::interpolant(ws, h);
            Degree::Four
        }
        InUse::Dop853 => {
            if !ws.end_known {
                ws.derivatives_at_end(ode, t_new)?;
            }
            dop853::interpolant(ws, ode, h)?;
            Degree::Seven
        }
        InUse::Rodas5P => {
            rodas5p::interpolant(ws);
            Degree::Four
        }
    };
    ws.last.start = ws.t();
    ws.last.length = h;
    ws.last.degree = degree;
    ws.interpolant_known = true;
    Ok(())
}
