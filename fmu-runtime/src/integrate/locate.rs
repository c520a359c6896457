//! Event location: the first time at which an indicator changes between `z > 0` and `z <= 0`.
//!
//! 1. [`scan`]: five samples of the indicators along the interpolant. Where they do not resolve the
//!    shape of an indicator, a part of the step is sampled at a time; where they show a dip towards
//!    zero, its lowest point is probed, so that touching or crossing twice is noticed.
//! 2. [`narrow`]: the bracketed change, on the interpolant, to the resolution of time.
//! 3. [`polish`]: the step is repeated with its end at that time, and the end corrected, until the
//!    change happens in the solution of the integrator itself: the interpolant's error does not
//!    matter. The step ends right behind the change.

use super::controller::{attempt, interpolant};
use super::words::{View, at, row};
use super::{Flow, Integrator, Stop, check_finite, dense};

/// Where a part of a step is sampled; not equidistant, so that no periodic signal can hide.
const NODES: [f64; 5] = [0.0, 0.23, 0.52, 0.77, 1.0];
/// A sample predicted from its neighbours worse than this, relative to the largest sample, means
/// that the shape is not resolved.
const UNRESOLVED: f64 = 5e-3;
/// A dip is probed if its estimated bottom is below this part of the largest sample.
const DEEP: f64 = 0.2;
/// Smallest part of a step that is sampled.
const FINEST_PART: f64 = 1.0 / 16384.0;
/// Most parts of a step; what is left is not stepped over but becomes the next step.
const MOST_PARTS: usize = 64;
/// Detail of an indicator that does not matter, however it compares with the rest of its shape.
const DETAIL: f64 = 1e-9;
/// Most rounds of narrowing; bisection of the longest step to the resolution of time needs fewer.
const MOST_ROUNDS: usize = 100;
/// Residual that counts as zero: rounding, and far below the hysteresis of the relations.
const ZERO: f64 = 1e-15;

/// A time before and a time after the first sign change; samples are in rows LOW and HIGH.
struct Bracket {
    low: f64,
    high: f64,
}

/// What the interpolant shows.
enum Finding {
    Nothing,
    /// Everything up to this time was searched in vain, and the effort spent.
    NothingUntil(f64),
    Change(Bracket),
}

/// Searches the trial step that ends at `t_new`, whose interpolant exists, and shortens it if need
/// be. Returns its end and whether there is an event there; row END holds the indicators there.
pub(super) fn search<F: Flow + ?Sized>(
    settings: &Integrator<'_>,
    v: &mut View<'_>,
    flow: &mut F,
    t_new: f64,
) -> Result<(f64, bool), Stop> {
    indicators_at_end(v, flow, t_new)?;
    match scan(v, flow, t_new)? {
        Finding::Nothing => Ok((t_new, false)),
        Finding::NothingUntil(t) => {
            repeat_until(settings, v, flow, t)?;
            interpolant(settings, v, t);
            Ok((t, changed(v.z_start, v.row(row::END))))
        }
        Finding::Change(bracket) => {
            let bracket = narrow(v, flow, bracket)?;
            let end = polish(settings, v, flow, bracket, t_new)?;
            interpolant(settings, v, end.0);
            Ok(end)
        }
    }
}

/// Whether any indicator is on another side than it was.
fn changed(before: &[f64], after: &[f64]) -> bool {
    before.iter().zip(after).any(|(a, b)| (*a > 0.0) != (*b > 0.0))
}

/// Time differences below this cannot be told apart.
fn resolution(a: f64, b: f64) -> f64 {
    4.0 * f64::EPSILON * a.abs().max(b.abs())
}

/// Samples the indicators on the interpolant.
fn sample<F: Flow + ?Sized>(
    v: &mut View<'_>,
    flow: &mut F,
    t: f64,
    row: usize,
) -> Result<(), Stop> {
    let theta = (t - v.head[at::START]) / v.head[at::LENGTH];
    dense::evaluate(v.dense, theta, v.point);
    let m = v.z_start.len();
    let z = &mut v.samples[row * m..][..m];
    flow.indicators(t, v.point, z)?;
    check_finite(z)
}

/// Evaluates the indicators at the end of the trial step into row END.
fn indicators_at_end<F: Flow + ?Sized>(v: &mut View<'_>, flow: &mut F, t: f64) -> Result<(), Stop> {
    let m = v.z_start.len();
    let z = &mut v.samples[row::END * m..][..m];
    flow.indicators(t, v.x_new, z)?;
    check_finite(z)
}

/// Repeats the trial step so that it ends at `t`, and evaluates the indicators there.
fn repeat_until<F: Flow + ?Sized>(
    settings: &Integrator<'_>,
    v: &mut View<'_>,
    flow: &mut F,
    t: f64,
) -> Result<(), Stop> {
    // Shorter than a step that was accurate, so its error needs no second look.
    if attempt(settings, v, flow, t)?.error.is_nan() {
        return Err(Stop::NotFinite);
    }
    indicators_at_end(v, flow, t)
}

/// Looks for the first sign change along the step, part by part.
fn scan<F: Flow + ?Sized>(v: &mut View<'_>, flow: &mut F, t_new: f64) -> Result<Finding, Stop> {
    let whole = t_new - v.t();
    let mut left = v.t();
    // Growing from what was resolved before: samples of a much too long part look random, and
    // random samples may look smooth.
    let before = v.head[at::RESOLVED];
    let mut length = if before > 0.0 { whole.min(2.0 * before) } else { whole };
    let m = v.z_start.len();
    v.samples[..m].copy_from_slice(v.z_start);
    for _ in 0..MOST_PARTS {
        let right = if left + 1.5 * length >= t_new { t_new } else { left + length };
        let mut times = NODES.map(|node| left + node * (right - left));
        times[row::PART_END] = right;
        for (j, t) in times.iter().enumerate().take(row::PART_END).skip(1) {
            sample(v, flow, *t, row::PART + j)?;
        }
        if right < t_new {
            sample(v, flow, right, row::PART_END)?;
        } else {
            v.copy_row(row::END, row::PART_END);
        }
        let shape = shape(v);
        if right - left > FINEST_PART * whole && !shape.resolved {
            length = 0.5 * (right - left);
            v.head[at::RESOLVED] = length;
            continue;
        }
        v.head[at::RESOLVED] = v.head[at::RESOLVED].max(right - left);
        if !shape.calm
            && let Some(bracket) = first_change(v, flow, times)?
        {
            return Ok(Finding::Change(bracket));
        }
        if right >= t_new {
            return Ok(Finding::Nothing);
        }
        v.copy_row(row::PART_END, row::PART);
        length = 2.0 * (right - left);
        left = right;
    }
    Ok(Finding::NothingUntil(left))
}

/// What the five samples of a part of the step show about all indicators together.
struct Shape {
    /// The middle sample of each is what the cubic through the others predicts.
    resolved: bool,
    /// The samples of each are on one side of zero, and too far from it, compared with their range,
    /// for anything to be found between them.
    calm: bool,
}

/// One pass without branches over the samples of the part: most parts of most steps are calm.
fn shape(v: &View<'_>) -> Shape {
    const WEIGHTS: [f64; 5] = middle_weights();
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let smaller = |a: f64, b: f64| if a < b { a } else { b };
    let (first, second, middle) = (v.row(row::PART), v.row(row::PART + 1), v.row(row::PART + 2));
    let (fourth, last) = (v.row(row::PART + 3), v.row(row::PART_END));
    let rows = first.iter().zip(second).zip(middle).zip(fourth).zip(last);
    let mut shape = Shape { resolved: true, calm: true };
    for ((((a, b), c), d), e) in rows {
        let z = [*a, *b, *c, *d, *e];
        let (mut defect, mut highest, mut lowest) = (0.0, z[0], z[0]);
        for (z, weight) in z.into_iter().zip(WEIGHTS) {
            defect += weight * z;
            highest = larger(highest, z);
            lowest = smaller(lowest, z);
        }
        let largest = larger(highest, -lowest);
        shape.resolved &= defect.abs() <= UNRESOLVED * largest + DETAIL;
        shape.calm &= (lowest > 0.5 * highest) | (highest < 0.5 * lowest);
    }
    shape
}

/// Weights of the defect "middle sample minus cubic through the other four".
const fn middle_weights() -> [f64; 5] {
    let mut weights = [1.0; 5];
    let mut j = 0;
    while j < 5 {
        let mut k = 0;
        while j != 2 && k < 5 {
            if k != j && k != 2 {
                weights[j] *= (NODES[2] - NODES[k]) / (NODES[j] - NODES[k]);
            }
            k += 1;
        }
        if j != 2 {
            weights[j] = -weights[j];
        }
        j += 1;
    }
    weights
}

/// The first sign change in a part of the step, by its samples and by probing dips before it.
fn first_change<F: Flow + ?Sized>(
    v: &mut View<'_>,
    flow: &mut F,
    times: [f64; 5],
) -> Result<Option<Bracket>, Stop> {
    let m = v.z_start.len();
    let first = (1..5).find(|j| changed(v.z_start, v.row(row::PART + j)));
    let horizon = times[first.unwrap_or(row::PART_END)];
    for window in 0..first.unwrap_or(4).min(3) {
        let [ta, tb, tc] = [times[window], times[window + 1], times[window + 2]];
        for i in 0..m {
            let z = |j: usize| v.samples[(window + j) * m + i];
            if far_from_zero([z(0), z(1), z(2)]) {
                continue;
            }
            let points = [(ta, z(0)), (tb, z(1)), (tc, z(2))];
            if let Some(t) = probe_dip(v, flow, i, points, horizon)? {
                let before = (0..5).rev().find(|j| times[*j] < t).unwrap_or(0);
                v.copy_row(row::PART + before, row::LOW);
                v.copy_row(row::PROBE, row::HIGH);
                return Ok(Some(Bracket { low: times[before], high: t }));
            }
        }
    }
    Ok(first.map(|j| {
        v.copy_row(row::PART + j - 1, row::LOW);
        v.copy_row(row::PART + j, row::HIGH);
        Bracket { low: times[j - 1], high: times[j] }
    }))
}

/// Whether a parabola through three samples of [`NODES`] in a row surely has no deep bottom between
/// them: below the lowest sample it goes by less than a fifth of their range.
fn far_from_zero(z: [f64; 3]) -> bool {
    let z = z.map(f64::abs);
    let largest = z[0].max(z[1]).max(z[2]);
    z.iter().all(|z| *z > 0.5 * largest)
}

/// If indicator `i` dips towards zero between three points on one side of it, follows the dip. A
/// time before `horizon` at which some indicator has changed is returned; its sample is in PROBE.
fn probe_dip<F: Flow + ?Sized>(
    v: &mut View<'_>,
    flow: &mut F,
    i: usize,
    mut points: [(f64, f64); 3],
    horizon: f64,
) -> Result<Option<f64>, Stop> {
    for _ in 0..4 {
        let Some(t) = bottom(points) else { return Ok(None) };
        let gap = resolution(t, t);
        if t >= horizon || points.iter().any(|(other, _)| (t - other).abs() <= gap) {
            return Ok(None);
        }
        sample(v, flow, t, row::PROBE)?;
        if changed(v.z_start, v.row(row::PROBE)) {
            return Ok(Some(t));
        }
        let new = (t, v.row(row::PROBE)[i]);
        // The three points next to the lowest one found so far.
        let [a, b, c] = points;
        points = if t < b.0 { [a, new, b] } else { [b, new, c] };
    }
    Ok(None)
}

/// Where the parabola through three points has its extremum, if it lies between them, towards zero,
/// and deep enough to be worth a look.
fn bottom(points: [(f64, f64); 3]) -> Option<f64> {
    let [(ta, za), (tb, zb), (tc, zc)] = points;
    let side = if za > 0.0 { 1.0 } else { -1.0 };
    if (zb > 0.0) != (za > 0.0) || (zc > 0.0) != (za > 0.0) {
        return None;
    }
    let first = side * (zb - za) / (tb - ta);
    let second = side * (zc - zb) / (tc - tb);
    let curvature = (second - first) / (tc - ta);
    let slope_a = first - curvature * (tb - ta);
    let slope_c = second + curvature * (tc - tb);
    if !(slope_a < 0.0 && slope_c > 0.0) {
        return None;
    }
    let depth = side * za - slope_a * slope_a / (4.0 * curvature);
    let largest = za.abs().max(zb.abs()).max(zc.abs());
    (depth < DEEP * largest).then_some(ta - slope_a / (2.0 * curvature))
}

/// Narrows a bracket on the interpolant to the resolution of time, towards the earliest of the
/// indicators that changed.
///
/// I. F. D. Oliveira, R. H. C. Takahashi, "An enhancement of the bisection method average
/// performance preserving minmax optimality", ACM Transactions on Mathematical Software 47 (2020):
/// regula falsi, moved a little towards the middle so that the zero is caught between two nearby
/// points, and never much behind bisection.
fn narrow<F: Flow + ?Sized>(
    v: &mut View<'_>,
    flow: &mut F,
    mut bracket: Bracket,
) -> Result<Bracket, Stop> {
    let finest = resolution(bracket.low, bracket.high);
    let whole = bracket.high - bracket.low;
    // How wide the bracket may be after this round: what bisection leaves two rounds earlier.
    let mut allowed = 2.0 * whole;
    for _ in 0..MOST_ROUNDS {
        let Bracket { low, high } = bracket;
        let width = high - low;
        if width <= finest {
            break;
        }
        let middle = low + 0.5 * width;
        let zero = estimate(v, low, high);
        let shift = (0.02 * width * (width / whole)).max(finest).min((middle - zero).abs());
        let reach = (allowed - 0.5 * width).max(0.0);
        let t = (zero + shift.copysign(middle - zero)).clamp(middle - reach, middle + reach);
        let t = t.max(low + 0.5 * finest).min(high - 0.5 * finest);
        sample(v, flow, t, row::PROBE)?;
        if changed(v.z_start, v.row(row::PROBE)) {
            bracket.high = t;
            v.copy_row(row::PROBE, row::HIGH);
        } else {
            bracket.low = t;
            v.copy_row(row::PROBE, row::LOW);
        }
        allowed *= 0.5;
    }
    Ok(bracket)
}

/// The earliest zero of the lines between the samples of a bracket.
fn estimate(v: &View<'_>, low: f64, high: f64) -> f64 {
    let mut t = high;
    for ((start, a), b) in v.z_start.iter().zip(v.row(row::LOW)).zip(v.row(row::HIGH)) {
        if (*start > 0.0) != (*b > 0.0) {
            let zero = low + (high - low) * (a / (a - b));
            if zero < t {
                t = zero;
            }
        }
    }
    t
}

/// Repeats the step until it ends right behind the sign change of its own solution.
///
/// `bracket` is where the interpolant has it; `t_new` is the end of the whole step, for which row
/// END is valid. If the solution does not follow the interpolant in this (it only touches zero),
/// the step just ends there.
fn polish<F: Flow + ?Sized>(
    settings: &Integrator<'_>,
    v: &mut View<'_>,
    flow: &mut F,
    bracket: Bracket,
    t_new: f64,
) -> Result<(f64, bool), Stop> {
    let finest = resolution(bracket.low, bracket.high);
    let mut lead = leader(v, row::HIGH);
    let mut slope = slope_on_interpolant(v, flow, lead, bracket.high)?;
    let mut low = v.t();
    let mut high = changed(v.z_start, v.row(row::END)).then_some(t_new);
    let mut t = bracket.high;
    let mut last = (f64::NAN, f64::NAN);
    let mut beyond = 0.5 * finest;
    for round in 0..120 {
        repeat_until(settings, v, flow, t)?;
        let has_changed = changed(v.z_start, v.row(row::END));
        if has_changed {
            high = Some(t);
            let leads = (v.row(row::END)[lead] > 0.0) != (v.z_start[lead] > 0.0);
            if !leads {
                lead = leader(v, row::END);
                slope = slope_on_interpolant(v, flow, lead, t)?;
                last = (f64::NAN, f64::NAN);
            }
        } else {
            low = t;
        }
        let z = v.row(row::END)[lead];
        if has_changed && (t - low <= finest || z.abs() <= ZERO + slope.abs() * finest) {
            return Ok((t, true));
        }
        if (t - last.0).abs() > 16.0 * finest && z != last.1 {
            slope = (z - last.1) / (t - last.0);
        }
        last = (t, z);
        // Aim right behind the zero. If twice that was not near enough, aim ever wider to the other
        // side, until the zero is caught between two ends; then bisect.
        let zero = t - z / slope;
        let aim = if has_changed && round > 1 { zero - beyond } else { zero + beyond };
        if round > 1 {
            beyond *= 2.0;
        }
        t = match high {
            None if round >= 4 => return Ok((t, false)),
            None if aim > low && aim < t_new => aim,
            None => t_new.min(low + beyond),
            Some(high) if high - low <= finest => high,
            Some(high) if aim > low && aim < high && round < 12 => aim,
            Some(high) if high - beyond > low && round < 60 => high - beyond,
            Some(high) => low + 0.5 * (high - low),
        };
    }
    repeat_until(settings, v, flow, t)?;
    Ok((t, changed(v.z_start, v.row(row::END))))
}

/// The first in order of the indicators that changed according to a row.
fn leader(v: &View<'_>, row: usize) -> usize {
    let signs = v.z_start.iter().zip(v.row(row));
    signs.map(|(a, b)| (*a > 0.0) != (*b > 0.0)).position(|changed| changed).unwrap_or(0)
}

/// Slope of an indicator along the interpolant, just before `t`.
fn slope_on_interpolant<F: Flow + ?Sized>(
    v: &mut View<'_>,
    flow: &mut F,
    indicator: usize,
    t: f64,
) -> Result<f64, Stop> {
    let past = t - v.t();
    let distance = (1e-4 * past).max(64.0 * resolution(t, t)).min(past);
    sample(v, flow, t, row::HIGH)?;
    sample(v, flow, t - distance, row::LOW)?;
    Ok((v.row(row::HIGH)[indicator] - v.row(row::LOW)[indicator]) / distance)
}
