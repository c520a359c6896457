//! Detection of stiffness: the choice of the method for the next step.
//!
//! Switching from Tsit5 to Rodas5P: the last two stages of Tsit5 give an estimate of the largest
//! eigenvalue at no cost. If many steps are at the border of the stability domain, stability limits
//! the step size (E. Hairer, G. Wanner, "Solving Ordinary Differential Equations II", section
//! IV.2). Switching back to Tsit5: power iteration with the Jacobian, which Rodas5P needs anyway,
//! estimates the largest eigenvalue.

use super::error_norm::TrialStep;
use super::settings::{Integrator, Method};
use super::workspace::{Workspace, at};

/// Step size times eigenvalue near the border of the stability domain of Tsit5.
const STABILITY_LIMIT: f64 = 3.0;
/// After this number of steps at the border the problem counts as stiff, unless [`NONSTIFF_STEPS`]
/// consecutive other steps came between them.
const STIFF_STEPS: f64 = 15.0;
const NONSTIFF_STEPS: f64 = 6.0;
/// Step size times eigenvalue well inside the stability domain.
const WELL_STABLE: f64 = 1.0;
/// After this number of consecutive steps well inside, the problem no longer counts as stiff.
const STABLE_STEPS: f64 = 25.0;

/// Whether Rodas5P is the method in use.
pub(super) fn is_stiff(settings: &Integrator<'_>, ws: &Workspace<'_>) -> bool {
    match settings.method {
        Method::Auto => ws.scalars[at::STIFF] != 0.0,
        Method::Tsit5 => false,
        Method::Rodas5P => true,
    }
}

/// Chooses the method of the next step after an accepted step of size `h`.
pub(super) fn update(settings: &Integrator<'_>, ws: &mut Workspace<'_>, trial: TrialStep, h: f64) {
    if settings.method != Method::Auto {
        return;
    }
    if is_stiff(settings, ws) {
        if h * largest_eigenvalue(ws) < WELL_STABLE {
            ws.count(at::FOR_CHANGE);
        } else {
            ws.scalars[at::FOR_CHANGE] = 0.0;
        }
        if ws.scalars[at::FOR_CHANGE] >= STABLE_STEPS {
            switch(ws, 0.0);
        }
    } else if trial.stiffness > STABILITY_LIMIT {
        ws.scalars[at::AGAINST_CHANGE] = 0.0;
        ws.count(at::FOR_CHANGE);
        if ws.scalars[at::FOR_CHANGE] >= STIFF_STEPS {
            switch(ws, 1.0);
        }
    } else if ws.scalars[at::FOR_CHANGE] != 0.0 {
        ws.count(at::AGAINST_CHANGE);
        if ws.scalars[at::AGAINST_CHANGE] >= NONSTIFF_STEPS {
            ws.scalars[at::FOR_CHANGE] = 0.0;
            ws.scalars[at::AGAINST_CHANGE] = 0.0;
        }
    }
}

/// Returns to Tsit5 after the Jacobian could not be computed, if the choice is automatic; returns
/// whether it did so.
pub(super) fn fall_back_to_tsit5(settings: &Integrator<'_>, ws: &mut Workspace<'_>) -> bool {
    let needed = settings.method == Method::Auto && is_stiff(settings, ws) && !ws.jacobian_known;
    if needed {
        switch(ws, 0.0);
    }
    needed
}

fn switch(ws: &mut Workspace<'_>, stiff: f64) {
    ws.scalars[at::STIFF] = stiff;
    ws.scalars[at::FOR_CHANGE] = 0.0;
    ws.scalars[at::AGAINST_CHANGE] = 0.0;
    ws.direction.fill(0.0);
}

/// Estimate of the magnitude of the largest eigenvalue of the Jacobian: two multiplications in each
/// step, beginning with the direction from the previous step. (Two, because a pair of complex
/// eigenvalues rotates the direction.)
fn largest_eigenvalue(ws: &mut Workspace<'_>) -> f64 {
    let n = ws.x.len();
    if ws.direction.iter().all(|d| *d == 0.0) {
        ws.direction.fill(1.0);
    }
    let before = length(ws.direction);
    for _ in 0..2 {
        for (row, out) in ws.jacobian.chunks_exact(n.max(1)).zip(ws.point.iter_mut()) {
            *out = row.iter().zip(ws.direction.iter()).map(|(j, d)| j * d).sum();
        }
        ws.direction.copy_from_slice(ws.point);
    }
    let after = length(ws.direction);
    let estimate = (after / before).sqrt();
    if after > 0.0 && after.is_finite() {
        for d in ws.direction.iter_mut() {
            *d /= after;
        }
    } else {
        ws.direction.fill(0.0);
    }
    estimate
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}
