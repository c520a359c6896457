//! Dense output: between the ends of a step, each state is a polynomial of degree four or seven.
//!
//! The coefficients are computed at most once for each accepted step, so that computing a state
//! takes one Horner scheme in `theta = (t - start) / length`.

use super::state::IntegratorState;
use super::workspace::Workspace;
use crate::plain_data::Word;

/// The degree of an interpolant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degree {
    /// That of most methods.
    Four,
    /// That of Dop853.
    Seven,
}

impl Word for Degree {
    fn to_word(self) -> f64 {
        (self == Degree::Seven).to_word()
    }
    fn from_word(word: f64) -> Option<Degree> {
        bool::from_word(word).map(|seven| if seven { Degree::Seven } else { Degree::Four })
    }
}

/// The numbers of coefficients per state. Those of all states follow one another.
pub(super) const HIGH: usize = 8;
pub(super) const LOW: usize = 5;

/// Makes the interpolant constant, equal to the states reached, because there is no last step.
pub(super) fn hold(ws: &mut Workspace<'_>) {
    ws.last.start = ws.last.end;
    ws.last.length = 1.0;
    ws.last.degree = Degree::Four;
    for (c, x) in ws.dense.chunks_exact_mut(LOW).zip(ws.x.iter()) {
        c.copy_from_slice(&[*x, 0.0, 0.0, 0.0, 0.0]);
    }
}

/// The states of the interpolant at `theta`.
#[inline]
pub(super) fn evaluate(dense: &[f64], degree: Degree, theta: f64, x: &mut [f64]) {
    if degree == Degree::Four {
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
pub(super) fn interpolate(state: &IntegratorState, t: f64, x: &mut [f64]) {
    let n = x.len();
    if t < state.last.end {
        let theta = (t - state.last.start) / state.last.length;
        evaluate(state.dense(n), state.last.degree, theta, x);
    } else {
        x.copy_from_slice(state.states(n));
    }
}

/// See [`super::Integrator::interpolate_one`].
#[inline]
pub(super) fn interpolate_one(state: &IntegratorState, t: f64, i: usize, n: usize) -> f64 {
    if t < state.last.end {
        let theta = (t - state.last.start) / state.last.length;
        let mut x = [0.0];
        let count = if state.last.degree == Degree::Four { LOW } else { HIGH };
        evaluate(&state.dense(n)[count * i..], state.last.degree, theta, &mut x);
        x[0]
    } else {
        state.states(n)[i]
    }
}

/// See [`super::Integrator::interpolate_derivative`].
#[cfg(test)]
pub(super) fn interpolate_derivative(state: &IntegratorState, t: f64, dx: &mut [f64]) {
    let n = dx.len();
    if t < state.last.end {
        let length = state.last.length;
        let theta = (t - state.last.start) / length;
        let used = if state.last.degree == Degree::Four { LOW } else { HIGH };
        let polynomials = state.dense(n).chunks_exact(used);
        for (dx, c) in dx.iter_mut().zip(polynomials) {
            let terms = (1..used).rev();
            *dx = terms.fold(0.0, |sum, i| i as f64 * c[i] + theta * sum) / length;
        }
    } else {
        dx.copy_from_slice(state.derivatives(n));
    }
}
