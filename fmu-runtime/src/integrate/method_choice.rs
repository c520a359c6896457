//! The choice of the method for the next step: the one that takes less work per simulated second.
//!
//! Work is counted in evaluations of the derivatives; [`ImplicitWork`] says how many a Jacobian and
//! a factorization are worth. No clock is read, so that a repeated simulation makes the
//! same choices.
//!
//! * From Tsit5 to Rodas5P: the last two stages of Tsit5 give a lower estimate of the largest
//!   eigenvalue at no cost. Where steps are often near the border of the stability domain,
//!   stability may limit the step size (E. Hairer, G. Wanner, "Solving Ordinary Differential
//!   Equations II", section IV.2), and the *test phase* of Rodas5P begins. As soon as its steps no
//!   longer grow, its work per second is compared with that of Tsit5 before. A test phase that
//!   failed is repeated when many times its work has been done.
//! * Back to Tsit5: where Tsit5 would need less work. Its step size would be the present one, or
//!   shorter in proportion to the largest eigenvalue, which is estimated by power iteration with
//!   the Jacobian that Rodas5P needs anyway; the test phase says in which proportion.

use super::error_norm::TrialStep;
use super::settings::{ImplicitWork, Integrator, Method};
use super::workspace::{Workspace, at};

/// Step size times eigenvalue at the border of the stability domain of Tsit5.
const STABILITY_LIMIT: f64 = 3.3;
/// Lower bound of the product found in a test phase: below it, accuracy limits the step size.
const MIN_LIMIT: f64 = 0.5;
/// Estimates of this product above which stability may limit the step size. In equilibrium they
/// are a mean over fast and slow eigenvalues.
const NEAR_THE_LIMIT: f64 = 0.75;
/// After this number of steps near the limit Rodas5P is tried, unless [`NONSTIFF_STEPS`] others in
/// a row came between them.
const STIFF_STEPS: f64 = 15.0;
const NONSTIFF_STEPS: f64 = 6.0;
/// The steps of a test phase grow if the next one is longer by this factor.
const GROWTH: f64 = 1.5;
/// From this number of steps on, a test phase is judged even if its steps still grow.
const GROWING_STEPS: f64 = 8.0;
/// A test phase in which Tsit5 needs less than this part of the work has failed; if it needs more,
/// further steps are compared.
const UNCERTAIN: f64 = 0.6;
/// Steps of a usual test phase.
const TEST_STEPS: f64 = 3.0;
/// A test phase is repeated after this many times its work.
const WORK_BETWEEN_TESTS: f64 = 12.0;
/// After this number of steps of Rodas5P, its work is compared with what Tsit5 would need.
const COMPARED_STEPS: f64 = 10.0;
/// Rodas5P is left where Tsit5 needs less than this part of its work.
const GAIN: f64 = 0.9;
/// Evaluations in one step of Tsit5.
const EVALUATIONS_OF_TSIT5: f64 = 6.0;
/// Evaluations of the derivatives that an evaluation of the indicators is worth.
const WORK_OF_INDICATORS: f64 = 0.5;

/// Its multiples are spread evenly modulo one.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_895;

/// Whether Rodas5P is the method in use.
pub(super) fn is_implicit(settings: &Integrator<'_>, ws: &Workspace<'_>) -> bool {
    match settings.method {
        Method::Auto => ws.scalars[at::IMPLICIT] != 0.0,
        Method::Tsit5 | Method::Rk4 | Method::Euler => false,
        Method::Rodas5P => true,
    }
}

/// Chooses the method of the next step after an accepted step of size `h`.
pub(super) fn update(settings: &Integrator<'_>, ws: &mut Workspace<'_>, trial: TrialStep, h: f64) {
    if settings.method != Method::Auto {
        return;
    }
    if is_implicit(settings, ws) {
        after_rodas5p(settings, ws, h);
    } else {
        after_tsit5(settings, ws, trial.stiffness);
    }
}

fn after_tsit5(settings: &Integrator<'_>, ws: &mut Workspace<'_>, stiffness: f64) {
    if stiffness > NEAR_THE_LIMIT {
        ws.scalars[at::OTHER_STEPS] = 0.0;
        if ws.scalars[at::COUNTED_STEPS] == 0.0 {
            begin_comparison(settings, ws);
        }
        ws.count(at::COUNTED_STEPS);
        let many = ws.scalars[at::COUNTED_STEPS] > STIFF_STEPS;
        let work = work(ws.scalars, settings.implicit_work);
        let time = ws.t() - ws.scalars[at::COMPARED_FROM];
        if many && time <= 0.0 {
            // The simulation has been moved back in time since the comparison began.
            ws.scalars[at::COUNTED_STEPS] = 0.0;
        } else if many && work >= ws.scalars[at::NEXT_TEST] {
            ws.scalars[at::RATE_OF_TSIT5] = (work - ws.scalars[at::WORK_BEFORE]) / time;
            ws.scalars[at::WORK_AT_TEST] = work;
            switch(ws, true);
            begin_comparison(settings, ws);
        }
    } else if ws.scalars[at::COUNTED_STEPS] != 0.0 {
        ws.count(at::OTHER_STEPS);
        if ws.scalars[at::OTHER_STEPS] >= NONSTIFF_STEPS {
            ws.scalars[at::COUNTED_STEPS] = 0.0;
            ws.scalars[at::OTHER_STEPS] = 0.0;
        }
    }
}

fn after_rodas5p(settings: &Integrator<'_>, ws: &mut Workspace<'_>, h: f64) {
    let eigenvalue = largest_eigenvalue(settings, ws);
    let indicators = ws.scalars[at::INDICATORS] / ws.scalars[at::STEPS].max(1.0);
    let of_step = EVALUATIONS_OF_TSIT5 + WORK_OF_INDICATORS * indicators;
    ws.count(at::COUNTED_STEPS);
    let done = work(ws.scalars, settings.implicit_work) - ws.scalars[at::WORK_BEFORE];
    if ws.scalars[at::RATE_OF_TSIT5] > 0.0 {
        // In a test phase `done` is the work of the last step.
        let next = ws.scalars[at::PROPOSED];
        let of_tsit5 = ws.scalars[at::RATE_OF_TSIT5] * next;
        let grows = next > GROWTH * h && ws.scalars[at::COUNTED_STEPS] < GROWING_STEPS;
        if of_tsit5 > done || (!grows && of_tsit5 > UNCERTAIN * done) {
            let limit = of_step * eigenvalue / ws.scalars[at::RATE_OF_TSIT5];
            ws.scalars[at::LIMIT_OF_TSIT5] = limit.clamp(MIN_LIMIT, STABILITY_LIMIT);
            ws.scalars[at::RATE_OF_TSIT5] = 0.0;
            ws.scalars[at::COUNTED_STEPS] = 0.0;
        } else if !grows {
            let of_test = work(ws.scalars, settings.implicit_work) - ws.scalars[at::WORK_AT_TEST];
            leave_rodas5p(settings, ws, of_test);
        }
        begin_comparison(settings, ws);
        return;
    }
    let steps_of_tsit5 = h * eigenvalue / ws.scalars[at::LIMIT_OF_TSIT5];
    ws.scalars[at::WORK_OF_TSIT5] += of_step * steps_of_tsit5.max(1.0);
    if ws.scalars[at::COUNTED_STEPS] >= COMPARED_STEPS {
        if ws.scalars[at::WORK_OF_TSIT5] < GAIN * done {
            let of_test = done * TEST_STEPS / COMPARED_STEPS;
            leave_rodas5p(settings, ws, of_test);
        }
        ws.scalars[at::COUNTED_STEPS] = 0.0;
        begin_comparison(settings, ws);
    }
}

/// Returns to Tsit5, and sets the work after which Rodas5P may be tried again.
fn leave_rodas5p(settings: &Integrator<'_>, ws: &mut Workspace<'_>, of_test: f64) {
    ws.scalars[at::NEXT_TEST] =
        work(ws.scalars, settings.implicit_work) + WORK_BETWEEN_TESTS * of_test;
    ws.scalars[at::RATE_OF_TSIT5] = 0.0;
    switch(ws, false);
}

/// Work done so far, by the counters among the scalars of an integrator state.
pub(super) fn work(scalars: &[f64], implicit_work: ImplicitWork) -> f64 {
    let ImplicitWork { jacobian, factorization } = implicit_work;
    scalars[at::EVALUATIONS]
        + WORK_OF_INDICATORS * scalars[at::INDICATORS]
        + jacobian * scalars[at::JACOBIANS]
        + factorization * scalars[at::FACTORIZATIONS]
}

fn begin_comparison(settings: &Integrator<'_>, ws: &mut Workspace<'_>) {
    ws.scalars[at::COMPARED_FROM] = ws.t();
    ws.scalars[at::WORK_BEFORE] = work(ws.scalars, settings.implicit_work);
    ws.scalars[at::WORK_OF_TSIT5] = 0.0;
}

/// After a failure to compute the Jacobian the automatic choice returns to Tsit5. Returns whether
/// it did.
pub(super) fn fall_back_to_tsit5(settings: &Integrator<'_>, ws: &mut Workspace<'_>) -> bool {
    let needed = settings.method == Method::Auto && is_implicit(settings, ws) && !ws.jacobian_known;
    if needed {
        leave_rodas5p(settings, ws, settings.implicit_work.jacobian);
    }
    needed
}

fn switch(ws: &mut Workspace<'_>, implicit: bool) {
    ws.scalars[at::IMPLICIT] = f64::from(u8::from(implicit));
    ws.scalars[at::COUNTED_STEPS] = 0.0;
    ws.scalars[at::OTHER_STEPS] = 0.0;
    ws.direction.fill(0.0);
}

/// Estimate of the magnitude of the largest eigenvalue of the Jacobian: two multiplications in each
/// step, going on from the direction of the step before. (Two, because a pair of complex
/// eigenvalues rotates the direction.)
fn largest_eigenvalue(settings: &Integrator<'_>, ws: &mut Workspace<'_>) -> f64 {
    if ws.direction.iter().all(|d| *d == 0.0) {
        // No motion of a rigid body: the Jacobian of a free mechanism maps it to zero.
        for (i, d) in ws.direction.iter_mut().enumerate() {
            *d = 0.5 + (GOLDEN_RATIO * (i + 1) as f64).fract();
        }
    }
    let before = length(ws.direction);
    for _ in 0..2 {
        settings.pattern.multiply(ws.jacobian, ws.direction, ws.point);
        ws.direction.copy_from_slice(ws.point);
    }
    let after = length(ws.direction);
    let estimate = (after / before).sqrt();
    let estimate = if estimate.is_nan() { f64::INFINITY } else { estimate };
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
