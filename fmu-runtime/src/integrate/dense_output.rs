//! Dense output: between the ends of a step, each state is a polynomial of degree four.
//!
//! The coefficients are computed once for each accepted step, so that computing a state takes one
//! Horner scheme in `theta = (t - start) / length`.

use super::workspace::{self, COEFFICIENTS, SCALARS, Workspace, at};

/// Makes the interpolant constant, equal to the states reached, because there is no last step.
pub(super) fn hold(ws: &mut Workspace<'_>) {
    ws.scalars[at::START] = ws.scalars[at::TIME];
    ws.scalars[at::LENGTH] = 1.0;
    ws.dense.fill(0.0);
    for (c, x) in ws.dense.chunks_exact_mut(COEFFICIENTS).zip(ws.x.iter()) {
        c[0] = *x;
    }
}

/// The states of the interpolant at `theta`.
#[inline]
pub(super) fn evaluate(dense: &[f64], theta: f64, x: &mut [f64]) {
    for (x, c) in x.iter_mut().zip(dense.chunks_exact(COEFFICIENTS)) {
        *x = c[0] + theta * (c[1] + theta * (c[2] + theta * (c[3] + theta * c[4])));
    }
}

/// See [`super::Integrator::interpolate`].
#[inline]
pub(super) fn interpolate(state: &[f64], t: f64, x: &mut [f64]) {
    let n = x.len();
    if t < state[at::TIME] {
        let theta = (t - state[at::START]) / state[at::LENGTH];
        evaluate(&state[SCALARS + n..][..COEFFICIENTS * n], theta, x);
    } else {
        x.copy_from_slice(workspace::states(state, n));
    }
}

/// See [`super::Integrator::interpolate_one`].
#[inline]
pub(super) fn interpolate_one(state: &[f64], t: f64, i: usize, n: usize) -> f64 {
    if t < state[at::TIME] {
        let theta = (t - state[at::START]) / state[at::LENGTH];
        let mut x = [0.0];
        evaluate(&state[SCALARS + n + COEFFICIENTS * i..][..COEFFICIENTS], theta, &mut x);
        x[0]
    } else {
        workspace::states(state, n)[i]
    }
}

/// See [`super::Integrator::interpolate_derivative`].
#[cfg(test)]
pub(super) fn interpolate_derivative(state: &[f64], t: f64, dx: &mut [f64]) {
    let n = dx.len();
    if t < state[at::TIME] {
        let length = state[at::LENGTH];
        let theta = (t - state[at::START]) / length;
        let dense = &state[SCALARS + n..][..COEFFICIENTS * n];
        for (dx, c) in dx.iter_mut().zip(dense.chunks_exact(COEFFICIENTS)) {
            let slope = c[1] + theta * (2.0 * c[2] + theta * (3.0 * c[3] + theta * 4.0 * c[4]));
            *dx = slope / length;
        }
    } else {
        dx.copy_from_slice(workspace::derivatives(state, n));
    }
}
