//! One accepted step: trial steps, their errors, and the step size.

use super::words::{View, at, row};
use super::{Flow, Integrator, Outcome, Stop, auto, locate, rodas5p, tsit5};

/// Part of the wanted accuracy that one step may use up: errors of many steps add.
const SAFETY_OF_TOLERANCE: f64 = 0.1;
/// Finest relative accuracy that rounding leaves room for.
const FINEST: f64 = 1e-13;
/// Share of its nominal value below which a state is not followed to its own scale.
const NEGLIGIBLE: f64 = 1e-3;
/// An oscillation moves in this many steps by about its amplitude.
const FEW_STEPS: f64 = 3.0;

/// Aim below the largest error that would be accepted.
const SAFETY: f64 = 0.9;
/// Bounds of the change of the step size from one step to the next.
const SLOWEST: f64 = 0.2;
const FASTEST: f64 = 5.0;
/// Smallest fifth root of an error that the next step remembers (an error of about 1e-4).
const SMALLEST_MEMORY: f64 = 0.16;
/// Smallest step relative to `max(1, |t|)`.
const SHORTEST: f64 = 1e-14;
/// The same where equations beyond have no solution: nearer to that point, states may no longer
/// change in a step, and time would creep on.
const NEAREST: f64 = 1e-10;
/// Largest step relative to `max(1, |t|)` where no other limit is known.
const LONGEST: f64 = 1e3;

/// The result of a trial step whose end is in [`View::x_new`].
#[derive(Clone, Copy)]
pub(super) struct Trial {
    /// Estimated error relative to what is allowed; accepted up to one.
    pub error: f64,
    /// Step size times the estimated largest eigenvalue.
    pub stiffness: f64,
}

impl Trial {
    /// From the sum of squares of the estimated errors, each relative to its [`scale`].
    pub fn new(settings: &Integrator<'_>, x_new: &[f64], squares: f64, stiffness: f64) -> Self {
        let error = if x_new.is_empty() {
            0.0
        } else if x_new.iter().all(|x| x.is_finite()) {
            (squares / x_new.len() as f64).sqrt() / accuracy(settings)
        } else {
            f64::NAN
        };
        Trial { error, stiffness }
    }
}

/// What an error of one state is compared with: its magnitude, so that a small signal beside large
/// ones is as accurate, or what it moves by in a few steps, so that one that passes through zero
/// is as accurate there as elsewhere.
#[inline(always)]
pub(super) fn scale(nominal: f64, before: f64, after: f64) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let size = larger(before.abs(), after.abs());
    NEGLIGIBLE * nominal + larger(size, FEW_STEPS * (after - before).abs())
}

/// Relative accuracy of one step.
fn accuracy(settings: &Integrator<'_>) -> f64 {
    let accuracy = SAFETY_OF_TOLERANCE * settings.tolerance;
    if accuracy > FINEST { accuracy } else { FINEST }
}

/// Takes one step, see [`Integrator::step`].
pub(super) fn advance<F: Flow + ?Sized>(
    settings: &Integrator<'_>,
    v: &mut View<'_>,
    flow: &mut F,
    t_limit: f64,
) -> Result<Outcome, Stop> {
    let t = v.t();
    if t >= t_limit {
        return Ok(Outcome::Step);
    }
    let shortest = SHORTEST * t.abs().max(1.0);
    let longest = longest(settings, t);
    if longest < shortest {
        return Err(Stop::StepTooSmall);
    }
    let mut wanted = v.head[at::PROPOSED].max(shortest).min(longest);
    let mut fastest = FASTEST;
    loop {
        let t_new = end_of_step(t, wanted, longest, t_limit);
        let shrink = match attempt(settings, v, flow, t_new) {
            Ok(trial) if trial.error <= 1.0 => {
                let next = Next::new(v, trial, wanted, t_new - t, fastest);
                match finish(settings, v, flow, t_new) {
                    Ok((t_end, event)) => {
                        let outcome = if event { Outcome::Event } else { Outcome::Step };
                        commit(settings, v, t_end, outcome);
                        // What lies behind an event was not seen: growth counts from the step
                        // taken.
                        let seen = if event { t_end - t } else { t_new - t };
                        let most = wanted.max(FASTEST * seen);
                        next.store(v, most);
                        auto::consider(settings, v, trial, t_new - t);
                        return Ok(outcome);
                    }
                    Err(stop) => Err(stop),
                }
            }
            Ok(trial) if trial.error > 1.0 => Ok((SAFETY / fifth_root(trial.error)).max(SLOWEST)),
            Ok(_) => Err(Stop::NotFinite),
            Err(stop) => Err(stop),
        };
        v.count(at::REJECTED);
        let (factor, reason) = match shrink {
            Ok(factor) => (factor, Stop::StepTooSmall),
            Err(_) if auto::fall_back(settings, v) => continue,
            Err(stop) => (0.5, stop),
        };
        fastest = 1.0;
        wanted = factor * (t_new - t);
        let least = match reason {
            Stop::Block(_) => NEAREST * t.abs().max(1.0),
            Stop::StepTooSmall | Stop::NotFinite => shortest,
        };
        if wanted < least || wanted.is_nan() {
            return Err(reason);
        }
    }
}

/// Where a step of about `wanted` from `t` ends: the limit is met without a tiny rest.
fn end_of_step(t: f64, wanted: f64, longest: f64, t_limit: f64) -> f64 {
    let remaining = t_limit - t;
    if remaining <= (1.1 * wanted).min(longest) {
        t_limit
    } else if remaining < 2.0 * wanted {
        t + 0.5 * remaining
    } else {
        t + wanted
    }
}

/// Longest step from `t`.
fn longest(settings: &Integrator<'_>, t: f64) -> f64 {
    if settings.max_step > 0.0 { settings.max_step } else { LONGEST * t.abs().max(1.0) }
}

/// A trial step of the method in use.
pub(super) fn attempt<F: Flow + ?Sized>(
    settings: &Integrator<'_>,
    v: &mut View<'_>,
    flow: &mut F,
    t_new: f64,
) -> Result<Trial, Stop> {
    if auto::stiff(settings, v) {
        rodas5p::prepare(v, flow)?;
        rodas5p::attempt(settings, v, flow, t_new)
    } else {
        tsit5::attempt(settings, v, flow, t_new)
    }
}

/// Gives the last trial step, which ends at `t_new`, its interpolant.
pub(super) fn interpolant(settings: &Integrator<'_>, v: &mut View<'_>, t_new: f64) {
    let h = t_new - v.t();
    v.head[at::START] = v.t();
    v.head[at::LENGTH] = h;
    if auto::stiff(settings, v) {
        rodas5p::interpolant(v);
    } else {
        tsit5::interpolant(v, h);
    }
}

/// From a trial step that is accurate to one that is accepted: looks for events, which may shorten
/// it. Returns its end and whether there is an event.
fn finish<F: Flow + ?Sized>(
    settings: &Integrator<'_>,
    v: &mut View<'_>,
    flow: &mut F,
    t_new: f64,
) -> Result<(f64, bool), Stop> {
    let mut end = (t_new, false);
    interpolant(settings, v, t_new);
    if !v.z_start.is_empty() {
        end = locate::search(settings, v, flow, t_new)?;
    }
    // A trial step of Tsit5 has them already.
    if auto::stiff(settings, v) {
        v.derivatives_at_end(flow, end.0)?;
    }
    flow.accept(end.0, v.x_new)?;
    Ok(end)
}

/// Makes the end of the trial step the point reached.
fn commit(settings: &Integrator<'_>, v: &mut View<'_>, t_end: f64, outcome: Outcome) {
    v.head[at::TIME] = t_end;
    v.x.copy_from_slice(v.x_new);
    v.dx.copy_from_slice(v.dx_new);
    v.count(at::STEPS);
    v.head[at::EVENT] = 0.0;
    let m = settings.indicators;
    if outcome == Outcome::Event {
        v.head[at::EVENT] = 1.0;
        v.count(at::EVENTS);
        let end = &v.samples[row::END * m..][..m];
        for ((c, a), b) in v.crossed.iter_mut().zip(v.z_start.iter()).zip(end) {
            *c = f64::from(i8::from(*b > 0.0) - i8::from(*a > 0.0));
        }
    }
    let end = &v.samples[row::END * m..][..m];
    v.z_start.copy_from_slice(end);
}

/// What the step size controller concludes from an accurate trial step.
struct Next {
    proposed: f64,
    last_error: f64,
}

impl Next {
    /// Proportional-integral control: the step changes with `error^(-3/20) * last_error^(1/20)`.
    fn new(v: &View<'_>, trial: Trial, wanted: f64, h: f64, fastest: f64) -> Self {
        let memory = v.head[at::LAST_ERROR];
        let root = fifth_root(trial.error.max(1e-20));
        let last = if memory > 0.0 { memory } else { root.max(SMALLEST_MEMORY) };
        let factor = SAFETY * (last / (root * root * root)).sqrt().sqrt();
        let factor = factor.max(SLOWEST).min(fastest);
        if h < 0.9 * wanted {
            // Cut short by the limit: it says little about the step that would have been taken.
            Next { proposed: wanted.max(factor * h), last_error: memory }
        } else {
            Next { proposed: factor * h, last_error: root.max(SMALLEST_MEMORY) }
        }
    }

    fn store(self, v: &mut View<'_>, most: f64) {
        v.head[at::PROPOSED] = self.proposed.min(most);
        v.head[at::LAST_ERROR] = self.last_error;
    }
}

/// First step size (E. Hairer, S. P. Nørsett, G. Wanner, "Solving Ordinary Differential Equations
/// I", section II.4): such that an explicit Euler step would move the states by a hundredth of
/// their tolerance scale, and its error be small.
pub(super) fn initial_step<F: Flow + ?Sized>(
    settings: &Integrator<'_>,
    v: &mut View<'_>,
    flow: &mut F,
) -> f64 {
    let n = v.x.len();
    let accuracy = accuracy(settings);
    let mean = |squares: f64| (squares / n.max(1) as f64).sqrt() / accuracy;
    let (mut size, mut speed) = (0.0, 0.0);
    for ((x, dx), nominal) in v.x.iter().zip(v.dx.iter()).zip(settings.nominal) {
        let per_scale = 1.0 / scale(*nominal, *x, *x);
        size += (x * per_scale) * (x * per_scale);
        speed += (dx * per_scale) * (dx * per_scale);
    }
    let (size, speed) = (mean(size), mean(speed));
    let shortest = SHORTEST * v.t().abs().max(1.0);
    let first = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
    let first = first.min(longest(settings, v.t())).max(shortest);

    for ((point, x), dx) in v.point.iter_mut().zip(v.x.iter()).zip(v.dx.iter()) {
        *point = x + first * dx;
    }
    v.count(at::EVALUATIONS);
    if flow.derivatives(v.t() + first, v.point, v.dx_new).is_err() {
        return first;
    }
    let mut change = 0.0;
    for (((a, b), x), nominal) in
        v.dx.iter().zip(v.dx_new.iter()).zip(v.x.iter()).zip(settings.nominal)
    {
        let part = (b - a) / scale(*nominal, *x, *x);
        change += part * part;
    }
    let change = mean(change) / first;
    let largest = if speed > change { speed } else { change };
    let second = if largest <= 1e-15 {
        (1e-3 * first).max(1e-6)
    } else if largest.is_finite() {
        fifth_root(0.01 / largest)
    } else {
        first
    };
    second.min(100.0 * first).min(longest(settings, v.t())).max(shortest)
}

/// Fifth root of a positive number, from arithmetic alone so that it has the same bits everywhere:
/// dividing the exponent by five gives a first guess, two Newton steps suffice.
pub(super) fn fifth_root(x: f64) -> f64 {
    const ONE: u64 = 1.0_f64.to_bits();
    let x = x.clamp(1e-100, 1e100);
    let mut y = f64::from_bits(x.to_bits() / 5 + ONE / 5 * 4);
    for _ in 0..2 {
        let y2 = y * y;
        y = 0.2 * (4.0 * y + x / (y2 * y2));
    }
    y
}
