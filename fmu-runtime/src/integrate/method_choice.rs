//! The choice of the method for the next step: the one that takes less work per simulated second.
//!
//! Work is counted in evaluations of the derivatives; [`ImplicitWork`] says how many a Jacobian and
//! a factorization are worth. No clock is read, so that a repeated simulation makes the
//! same choices.
//!
//! * The tolerance selects the explicit method: Tsit5 or, if it is small, Dop853.
//! * From the explicit method to Rodas5P: two stages of the explicit method at the end of the step
//!   give a lower estimate of the largest eigenvalue at no cost. Where steps are often near the
//!   border of the stability domain, stability may limit the step size (E. Hairer, G. Wanner,
//!   "Solving Ordinary Differential Equations II", section IV.2), and the *test phase* of Rodas5P
//!   begins. As soon as the steps of Rodas5P no longer grow, its work per second is compared with
//!   the earlier work of the explicit method. A failed test phase is repeated when many times its
//!   work has been done.
//! * Back to the explicit method: where it would need less work. The explicit step size would be
//!   the present step size or, if stability limits it, inversely proportional to the largest
//!   eigenvalue, which is estimated by power iteration with the Jacobian of Rodas5P; the test phase
//!   says in which proportion.

use super::error_norm::TrialStep;
use super::settings::{ImplicitWork, Integrator, Method};
use super::state::Statistics;
use super::workspace::Workspace;
use crate::plain_data::plain_data;

/// With smaller tolerances Dop853 is the explicit method. With this tolerance, Dop853 needs fewer
/// evaluations than Tsit5 in smooth motions, and more in motions with many events.
const TOLERANCE_OF_TSIT5: f64 = 1e-6;
/// Lower bound of the product of step size and eigenvalue found in a test phase: below it, accuracy
/// limits the step size.
const MIN_LIMIT: f64 = 0.5;
/// Estimates of this product above which stability may limit the step size. In equilibrium they are
/// a mean over fast and slow eigenvalues.
const NEAR_THE_LIMIT: f64 = 0.75;
/// After this number of steps near the limit Rodas5P is tried, unless [`NONSTIFF_STEPS`] others in
/// a row came between them.
const STIFF_STEPS: u64 = 15;
const NONSTIFF_STEPS: u64 = 6;
/// The steps of a test phase grow if the next one is longer by this factor.
const GROWTH: f64 = 1.5;
/// From this number of steps on, a test phase is judged even if its steps still grow.
const GROWING_STEPS: u64 = 8;
/// A test phase in which the explicit method needs less than this part of the work has failed; if
/// it needs more, further steps are compared.
const UNCERTAIN: f64 = 0.6;
/// Steps of a usual test phase.
const TEST_STEPS: f64 = 3.0;
/// A test phase is repeated after this many times its work.
const WORK_BETWEEN_TESTS: f64 = 12.0;
/// After this number of steps of Rodas5P, its work is compared with what the explicit method would
/// need.
const COMPARED_STEPS: u64 = 10;
/// Rodas5P is left where the explicit method needs less than this part of its work.
const GAIN: f64 = 0.9;
/// Evaluations of the derivatives that an evaluation of the indicators is worth.
const WORK_OF_INDICATORS: f64 = 0.5;

/// Its multiples are spread evenly modulo one.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_895;

/// The method of the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InUse {
    Tsit5,
    Dop853,
    Rodas5P,
}

/// What the choice needs to know of an explicit method.
struct Explicit {
    /// Evaluations of the derivatives in one step.
    evaluations: f64,
    /// Step size times eigenvalue at the border of the stability domain.
    stability_limit: f64,
}

const TSIT5: Explicit = Explicit { evaluations: 6.0, stability_limit: 3.3 };
const DOP853: Explicit = Explicit { evaluations: 12.0, stability_limit: 6.1 };

plain_data! {
    /// What the choice keeps from step to step.
    pub struct Choice {
        /// Whether Rodas5P is in use by automatic choice.
        implicit: bool = false,
        /// Number of steps that count: explicit steps near the limit of stability, or steps of
        /// Rodas5P in the comparison.
        counted_steps: u64 = 0,
        /// Number of consecutive explicit steps that stability did not limit, after steps that
        /// stability limited.
        other_steps: u64 = 0,
        /// Time at which the comparison of work began.
        compared_from: f64 = 0.0,
        /// Work done when the comparison began.
        work_before: f64 = 0.0,
        /// Estimate of the work that the explicit method would have done since the comparison
        /// began.
        explicit_work: f64 = 0.0,
        /// Work of the explicit method per second before the test phase; 0 outside of a test phase.
        explicit_rate: f64 = 0.0,
        /// Step size of the explicit method times the largest eigenvalue, as found in the last test
        /// phase.
        explicit_limit: f64 = 0.0,
        /// Work done when the last test phase began.
        work_at_test: f64 = 0.0,
        /// Work after which Rodas5P may be tried again.
        next_test: f64 = 0.0,
    }
}

/// The method of the next step.
pub(super) fn in_use(settings: &Integrator<'_>, ws: &Workspace<'_>) -> InUse {
    match settings.method {
        Method::Auto if ws.choice.implicit => InUse::Rodas5P,
        Method::Auto if needs_dop853(settings) => InUse::Dop853,
        Method::Auto | Method::Tsit5 | Method::Rk4 | Method::Euler => InUse::Tsit5,
        Method::Dop853 => InUse::Dop853,
        Method::Rodas5P => InUse::Rodas5P,
    }
}

/// The explicit method that the automatic choice uses.
fn explicit(settings: &Integrator<'_>) -> Explicit {
    if needs_dop853(settings) { DOP853 } else { TSIT5 }
}

/// Whether Dop853 is the explicit method of the automatic choice.
fn needs_dop853(settings: &Integrator<'_>) -> bool {
    settings.tolerance < TOLERANCE_OF_TSIT5
}

/// Chooses the method of the next step after an accepted step of size `h`.
pub(super) fn update(settings: &Integrator<'_>, ws: &mut Workspace<'_>, trial: TrialStep, h: f64) {
    if settings.method != Method::Auto {
        return;
    }
    if ws.choice.implicit {
        after_rodas5p(settings, ws, h);
    } else {
        after_explicit(settings, ws, trial.stiffness);
    }
}

fn after_explicit(settings: &Integrator<'_>, ws: &mut Workspace<'_>, stiffness: f64) {
    if stiffness > NEAR_THE_LIMIT {
        ws.choice.other_steps = 0;
        if ws.choice.counted_steps == 0 {
            begin_comparison(settings, ws);
        }
        ws.choice.counted_steps += 1;
        let many = ws.choice.counted_steps > STIFF_STEPS;
        let work = work(ws.work, settings.implicit_work);
        let time = ws.t() - ws.choice.compared_from;
        if many && time <= 0.0 {
            // The simulation has been moved back in time since the comparison began.
            ws.choice.counted_steps = 0;
        } else if many && work >= ws.choice.next_test {
            ws.choice.explicit_rate = (work - ws.choice.work_before) / time;
            ws.choice.work_at_test = work;
            switch(ws, true);
            begin_comparison(settings, ws);
        }
    } else if ws.choice.counted_steps != 0 {
        ws.choice.other_steps += 1;
        if ws.choice.other_steps >= NONSTIFF_STEPS {
            ws.choice.counted_steps = 0;
            ws.choice.other_steps = 0;
        }
    }
}

fn after_rodas5p(settings: &Integrator<'_>, ws: &mut Workspace<'_>, h: f64) {
    let eigenvalue = largest_eigenvalue(settings, ws);
    let indicators = ws.work.indicators as f64 / ws.work.steps.max(1) as f64;
    let explicit = explicit(settings);
    let of_step = explicit.evaluations + WORK_OF_INDICATORS * indicators;
    let work = work(ws.work, settings.implicit_work);
    let proposed = ws.size.proposed;
    let choice = &mut ws.choice;
    choice.counted_steps += 1;
    let done = work - choice.work_before;
    if choice.explicit_rate > 0.0 {
        // In a test phase `done` is the work of the last step.
        let of_explicit = choice.explicit_rate * proposed;
        let grows = proposed > GROWTH * h && choice.counted_steps < GROWING_STEPS;
        if of_explicit > done || (!grows && of_explicit > UNCERTAIN * done) {
            let limit = of_step * eigenvalue / choice.explicit_rate;
            choice.explicit_limit = limit.clamp(MIN_LIMIT, explicit.stability_limit);
            choice.explicit_rate = 0.0;
            choice.counted_steps = 0;
        } else if !grows {
            let of_test = work - choice.work_at_test;
            leave_rodas5p(settings, ws, of_test);
        }
        begin_comparison(settings, ws);
        return;
    }
    let explicit_steps = h * eigenvalue / choice.explicit_limit;
    choice.explicit_work += of_step * explicit_steps.max(1.0);
    if choice.counted_steps >= COMPARED_STEPS {
        choice.counted_steps = 0;
        if choice.explicit_work < GAIN * done {
            leave_rodas5p(settings, ws, done * TEST_STEPS / COMPARED_STEPS as f64);
        }
        begin_comparison(settings, ws);
    }
}

/// Returns to the explicit method, and sets the work after which Rodas5P may be tried again.
fn leave_rodas5p(settings: &Integrator<'_>, ws: &mut Workspace<'_>, of_test: f64) {
    ws.choice.next_test = work(ws.work, settings.implicit_work) + WORK_BETWEEN_TESTS * of_test;
    ws.choice.explicit_rate = 0.0;
    switch(ws, false);
}

/// Work done so far. Work for communication points is left out, because the choice of the method
/// must not depend on them.
pub(super) fn work(done: &Statistics, implicit_work: ImplicitWork) -> f64 {
    let ImplicitWork { jacobian, factorization } = implicit_work;
    (done.evaluations - done.for_output) as f64
        + WORK_OF_INDICATORS * done.indicators as f64
        + jacobian * done.jacobians as f64
        + factorization * done.factorizations as f64
}

fn begin_comparison(settings: &Integrator<'_>, ws: &mut Workspace<'_>) {
    ws.choice.compared_from = ws.t();
    ws.choice.work_before = work(ws.work, settings.implicit_work);
    ws.choice.explicit_work = 0.0;
}

/// After a failure to compute the Jacobian the automatic choice returns to the explicit method.
/// Returns whether it did.
pub(super) fn fall_back_to_explicit(settings: &Integrator<'_>, ws: &mut Workspace<'_>) -> bool {
    let implicit = settings.method == Method::Auto && ws.choice.implicit;
    let needed = implicit && !ws.jacobian_known;
    if needed {
        leave_rodas5p(settings, ws, settings.implicit_work.jacobian);
    }
    needed
}

fn switch(ws: &mut Workspace<'_>, implicit: bool) {
    ws.choice.implicit = implicit;
    ws.choice.counted_steps = 0;
    ws.choice.other_steps = 0;
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
