//! Dense output: between the ends of a step, each state is a polynomial of degree four or seven.
//!
//! The coefficients are computed at most once for each accepted step, so that computing a state
//! takes one Horner scheme in `theta = (t - start) / length`.

use super::workspace::{self, Workspace, at};

/// The degrees of the interpolants: that of Dop853, and that of the other methods.
pub(super) const HIGH_DEGREE: f64 = 7.0;
pub(super) const LOW_DEGREE: f64 = 4.0;
/// The numbers of their coefficients per state. Those of all states follow one another.
pub(super) const HIGH: usize = 8;
pub(super) const LOW: usize = 5;

/// Makes the interpolant constant, equal to the states reached, because there is no last step.
pub(super) fn hold(ws: &mut Workspace<'_>) {
    ws.scalars[at::START] = ws.scalars[at::TIME];
    ws.scalars[at::LENGTH] = 1.0;
    ws.scalars[at::DEGREE] = LOW_DEGREE;
    for (c, x) in ws.dense.chunks_exact_mut(LOW).zip(ws.x.iter()) {
        c.copy_from_slice(&[*x, 0.0, 0.0, 0.0, 0.0]);
    }
}

/// The states of the interpolant at `theta`.
#[inline]
pub(super) fn evaluate(dense: &[f64], degree: f64, theta: f64, x: &mut [f64]) {
    if degree == LOW_DEGREE {
        for (x, c) in x.iter_mut().zip(dense.chunks_exact(LOW)) {
            *x = c[0] + theta * (c[1] + theta * (c[2] + theta * (c[3] + theta * c[4])));
        }
    } else {
        for (x, c) in x.iter_mut().zip(dense.chunks_exact(HIGH)) {
            let upper = c[4] + theta * (c[5] + theta * (c[6] + theta * c[7]));
            *x = c[0] + theta * (c[1] + theta * (c[2] + theta * (c[3] + theta * upper)));
        }
    }
}

/// See [`super::Integrator::interpolate`].
#[inline]
pub(super) fn interpolate(state: &[f64], t: f64, x: &mut [f64]) {
    let n = x.len();
    if t < state[at::TIME] {
        let theta = (t - state[at::START]) / state[at::LENGTH];
        evaluate(workspace::dense(state, n), state[at::DEGREE], theta, x);
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
        let count = if state[at::DEGREE] == LOW_DEGREE { LOW } else { HIGH };
        evaluate(&workspace::dense(state, n)[count * i..], state[at::DEGREE], theta, &mut x);
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
        let used = 1 + state[at::DEGREE] as usize;
        let polynomials = workspace::dense(state, n).chunks_exact(used);
        for (dx, c) in dx.iter_mut().zip(polynomials) {
            let terms = (1..used).rev();
            *dx = terms.fold(0.0, |sum, i| i as f64 * c[i] + theta * sum) / length;
        }
    } else {
        dx.copy_from_slice(workspace::derivatives(state, n));
    }
}
