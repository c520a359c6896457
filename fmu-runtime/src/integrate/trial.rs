//! One trial step of the method in use, and its interpolant.

use super::error_norm::TrialStep;
use super::method_choice;
use super::ode::{OdeSystem, Stop};
use super::settings::Integrator;
use super::workspace::{Workspace, at};
use super::{rodas5p, tsit5};

/// A trial step of the method in use.
pub(super) fn attempt<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<TrialStep, Stop> {
    if method_choice::is_implicit(settings, ws) {
        rodas5p::update_jacobian(ws, ode)?;
        rodas5p::attempt(settings, ws, ode, t_new)
    } else {
        tsit5::attempt(settings, ws, ode, t_new)
    }
}

/// Computes the interpolant of the last trial step, which ends at `t_new`.
pub(super) fn interpolant(settings: &Integrator<'_>, ws: &mut Workspace<'_>, t_new: f64) {
    let h = t_new - ws.t();
    ws.scalars[at::START] = ws.t();
    ws.scalars[at::LENGTH] = h;
    if method_choice::is_implicit(settings, ws) {
        rodas5p::interpolant(ws);
    } else {
        tsit5::interpolant(ws, h);
    }
}
