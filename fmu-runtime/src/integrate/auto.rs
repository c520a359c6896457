//! Which method takes the next step.
//!
//! Leaving Tsit5: the stages at the end of its step give an estimate of the largest eigenvalue for
//! nothing; a step that is often as long as stability allows is limited by stability (E. Hairer,
//! G. Wanner, "Solving Ordinary Differential Equations II", section IV.2). Going back: the largest
//! eigenvalue by power iteration with the Jacobian that Rodas5P needs anyway.

use super::controller::Trial;
use super::words::{View, at};
use super::{Integrator, Method};

/// Step size times eigenvalue near the edge of the stability domain of Tsit5.
const EDGE: f64 = 3.0;
/// So many steps at the edge (not interrupted by [`CALM`] others in a row) mean a stiff problem.
const STIFF_STEPS: f64 = 15.0;
const CALM: f64 = 6.0;
/// Step size times eigenvalue well inside the stability domain.
const INSIDE: f64 = 1.0;
/// So many steps well inside in a row mean that Tsit5 is as good.
const EASY_STEPS: f64 = 25.0;

/// Whether Rodas5P is in use.
pub(super) fn stiff(settings: &Integrator<'_>, v: &View<'_>) -> bool {
    match settings.method {
        Method::Auto => v.head[at::STIFF] != 0.0,
        Method::Tsit5 => false,
        Method::Rodas5P => true,
    }
}

/// Draws conclusions from an accepted step of length `h`.
pub(super) fn consider(settings: &Integrator<'_>, v: &mut View<'_>, trial: Trial, h: f64) {
    if settings.method != Method::Auto {
        return;
    }
    if stiff(settings, v) {
        if h * largest_eigenvalue(v) < INSIDE {
            v.count(at::FOR_CHANGE);
        } else {
            v.head[at::FOR_CHANGE] = 0.0;
        }
        if v.head[at::FOR_CHANGE] >= EASY_STEPS {
            change(v, 0.0);
        }
    } else if trial.stiffness > EDGE {
        v.head[at::AGAINST_CHANGE] = 0.0;
        v.count(at::FOR_CHANGE);
        if v.head[at::FOR_CHANGE] >= STIFF_STEPS {
            change(v, 1.0);
        }
    } else if v.head[at::FOR_CHANGE] != 0.0 {
        v.count(at::AGAINST_CHANGE);
        if v.head[at::AGAINST_CHANGE] >= CALM {
            v.head[at::FOR_CHANGE] = 0.0;
            v.head[at::AGAINST_CHANGE] = 0.0;
        }
    }
}

/// After a failure: an automatic choice for which no Jacobian is to be had goes back to Tsit5.
/// Returns whether it did.
pub(super) fn fall_back(settings: &Integrator<'_>, v: &mut View<'_>) -> bool {
    let needed = settings.method == Method::Auto && stiff(settings, v) && !v.jacobian_known;
    if needed {
        change(v, 0.0);
    }
    needed
}

fn change(v: &mut View<'_>, stiff: f64) {
    v.head[at::STIFF] = stiff;
    v.head[at::FOR_CHANGE] = 0.0;
    v.head[at::AGAINST_CHANGE] = 0.0;
    v.direction.fill(0.0);
}

/// Estimate of the magnitude of the largest eigenvalue of the Jacobian: two multiplications in each
/// step, going on from the direction of the step before. (Two, because a pair of complex
/// eigenvalues turns the direction while it stretches it.)
fn largest_eigenvalue(v: &mut View<'_>) -> f64 {
    let n = v.x.len();
    if v.direction.iter().all(|d| *d == 0.0) {
        v.direction.fill(1.0);
    }
    let before = length(v.direction);
    for _ in 0..2 {
        for (row, out) in v.jacobian.chunks_exact(n.max(1)).zip(v.point.iter_mut()) {
            *out = row.iter().zip(v.direction.iter()).map(|(j, d)| j * d).sum();
        }
        v.direction.copy_from_slice(v.point);
    }
    let after = length(v.direction);
    let stretched = (after / before).sqrt();
    if after > 0.0 && after.is_finite() {
        for d in v.direction.iter_mut() {
            *d /= after;
        }
    } else {
        v.direction.fill(0.0);
    }
    stretched
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}
