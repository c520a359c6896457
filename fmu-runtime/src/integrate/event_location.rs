//! Event location: the first time at which an indicator changes between `z > 0` and `z <= 0`.
//!
//! 1. If all indicators are affine functions of the states, [`super::indicator_bounds`] often shows
//!    that none of them has a zero in the step.
//! 2. Otherwise [`scan`] takes five samples of the indicators along the interpolant. If they do not
//!    resolve the shape of an indicator, the step is sampled in parts. If they show a dip towards
//!    zero, its lowest point is probed, so that two crossings, or a touch, are noticed.
//! 3. [`refine_bracket`] narrows the bracketed change on the interpolant to the resolution of time.
//! 4. [`correct_event_time`] repeats the step with its end at that time, and corrects the end until
//!    the sign changes in the solution of the integrator itself, so that the error of the
//!    interpolant has no effect. Where the solution is straight but for rounding errors, it is
//!    prolonged instead of repeated. The step ends immediately after the change.

use super::dense_output;
use super::error_norm::scale;
use super::indicator_bounds::{clear_by_interpolant, clear_by_stages};
use super::method_choice::{InUse, in_use};
use super::ode::{OdeSystem, Stop, check_finite};
use super::settings::Integrator;
use super::trial::{attempt, interpolant};
use super::workspace::{Workspace, at, row};

/// The sample points in a part of a step. They are not equidistant, so that no periodic signal
/// remains undetected.
const NODES: [f64; 5] = [0.0, 0.23, 0.52, 0.77, 1.0];
/// The shape is not resolved if the error of a sample predicted from the others exceeds this,
/// relative to the largest sample.
const MAX_DEFECT: f64 = 5e-3;
/// An extremum is probed if its estimate is below this part of the largest sample.
const MAX_DIP: f64 = 0.2;
/// Smallest part of a step that is sampled.
const MIN_PART: f64 = 1.0 / 16384.0;
/// Maximum number of parts of a step; the rest becomes the next step.
const MAX_PARTS: usize = 64;
/// Prediction error up to which the shape always counts as resolved.
const ABSOLUTE_DEFECT: f64 = 1e-9;
/// Maximum number of iterations of [`refine_bracket`]; bisection of the longest step to the
/// resolution of time needs fewer.
const MAX_ITERATIONS: usize = 100;
/// The largest second derivative in a step, relative to its mean, that is expected when a step is
/// prolonged.
const CURVATURE: f64 = 10.0;
/// Residual that counts as zero; it is of the size of rounding errors, and far below the hysteresis
/// of the relations.
const RESIDUAL_TOLERANCE: f64 = 1e-15;

/// A time before and a time after the first sign change; the samples there are in rows LOW and
/// HIGH.
struct Bracket {
    low: f64,
    high: f64,
}

/// The result of the search on the interpolant.
enum ScanResult {
    Nothing,
    /// No change up to this time, at which the maximum number of parts was reached.
    NothingUntil(f64),
    Change(Bracket),
}

/// Searches the trial step that ends at `t_new`, whose interpolant is known, and shortens it if
/// necessary. Returns its end and whether there is an event there; row END holds the indicators
/// there.
pub(super) fn locate<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<(f64, bool), Stop> {
    indicators_at_end(ws, ode, t_new)?;
    let unchanged = !changed(ws.z_start, ws.row(row::END));
    if unchanged && in_use(settings, ws) == InUse::Dop853 && clear_by_stages(ws, ode, t_new) {
        return Ok((t_new, false));
    }
    interpolant(settings, ws, ode, t_new)?;
    if unchanged && clear_by_interpolant(ws, ode) {
        return Ok((t_new, false));
    }
    match scan(ws, ode, t_new)? {
        ScanResult::Nothing => Ok((t_new, false)),
        ScanResult::NothingUntil(t) => {
            repeat_until(settings, ws, ode, t)?;
            Ok((t, changed(ws.z_start, ws.row(row::END))))
        }
        ScanResult::Change(bracket) => {
            let bracket = refine_bracket(ws, ode, bracket)?;
            correct_event_time(settings, ws, ode, bracket, t_new)
        }
    }
}

/// Whether any indicator has changed its side of zero.
pub(super) fn changed(before: &[f64], after: &[f64]) -> bool {
    before.iter().zip(after).any(|(a, b)| (*a > 0.0) != (*b > 0.0))
}

/// The resolution of time.
fn resolution(a: f64, b: f64) -> f64 {
    4.0 * f64::EPSILON * a.abs().max(b.abs())
}

/// Samples the indicators on the interpolant.
fn sample<F: OdeSystem + ?Sized>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t: f64,
    row: usize,
) -> Result<(), Stop> {
    let theta = (t - ws.scalars[at::START]) / ws.scalars[at::LENGTH];
    dense_output::evaluate(ws.dense, ws.scalars[at::DEGREE], theta, ws.point);
    let m = ws.z_start.len();
    let z = &mut ws.samples[row * m..][..m];
    ws.scalars[at::INDICATORS] += 1.0;
    ode.indicators(t, ws.point, z)?;
    check_finite(z)
}

/// Evaluates the indicators at the end of the trial step into row END.
pub(super) fn indicators_at_end<F: OdeSystem + ?Sized>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t: f64,
) -> Result<(), Stop> {
    let m = ws.z_start.len();
    let z = &mut ws.samples[row::END * m..][..m];
    ws.scalars[at::INDICATORS] += 1.0;
    ode.indicators(t, ws.x_new, z)?;
    check_finite(z)
}

/// Repeats the trial step so that it ends at `t`, and evaluates the indicators there.
fn repeat_until<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t: f64,
) -> Result<(), Stop> {
    // This step is shorter than one that was accurate, so its error is not tested again.
    if attempt(settings, ws, ode, t)?.error.is_nan() {
        return Err(Stop::NotFinite);
    }
    indicators_at_end(ws, ode, t)
}

/// Moves the end of the trial step from `end` to `t` along the tangent there, and evaluates the
/// indicators; returns false, and does nothing, if the solution is not straight between them.
fn prolong<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    end: f64,
    t: f64,
) -> Result<bool, Stop> {
    if !ws.end_known {
        ws.derivatives_at_end(ode, end)?;
    }
    let shift = t - end;
    let curvature = CURVATURE * 0.5 * shift * shift / (end - ws.t());
    let (before, after) = (ws.x.iter().zip(ws.dx.iter()), ws.x_new.iter().zip(ws.dx_new.iter()));
    let straight =
        before.zip(after).zip(settings.nominal).all(|(((x, dx), (x_new, dx_new)), nominal)| {
            curvature * (dx_new - dx).abs() <= f64::EPSILON * scale(*nominal, *x, *x_new)
        });
    if straight {
        for (x, dx) in ws.x_new.iter_mut().zip(ws.dx_new.iter()) {
            *x += shift * dx;
        }
        ws.end_known = false;
        indicators_at_end(ws, ode, t)?;
    }
    Ok(straight)
}

/// Searches for the first sign change along the step, part by part.
fn scan<F: OdeSystem + ?Sized>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<ScanResult, Stop> {
    let whole = t_new - ws.t();
    let mut left = ws.t();
    // The parts grow from the length that was resolved before: samples of a much too long part are
    // like random numbers, which may seem smooth by chance.
    let before = ws.scalars[at::RESOLVED];
    let mut length = if before > 0.0 { whole.min(2.0 * before) } else { whole };
    let m = ws.z_start.len();
    ws.samples[..m].copy_from_slice(ws.z_start);
    for _ in 0..MAX_PARTS {
        let right = if left + 1.5 * length >= t_new { t_new } else { left + length };
        let mut times = NODES.map(|node| left + node * (right - left));
        times[row::PART_END] = right;
        for (j, t) in times.iter().enumerate().take(row::PART_END).skip(1) {
            sample(ws, ode, *t, row::PART + j)?;
        }
        if right < t_new {
            sample(ws, ode, right, row::PART_END)?;
        } else {
            ws.copy_row(row::END, row::PART_END);
        }
        let shape = shape(ws);
        if right - left > MIN_PART * whole && !shape.resolved {
            length = 0.5 * (right - left);
            ws.scalars[at::RESOLVED] = length;
            continue;
        }
        ws.scalars[at::RESOLVED] = ws.scalars[at::RESOLVED].max(right - left);
        if !shape.clear_of_zero
            && let Some(bracket) = first_change(ws, ode, times)?
        {
            return Ok(ScanResult::Change(bracket));
        }
        if right >= t_new {
            return Ok(ScanResult::Nothing);
        }
        ws.copy_row(row::PART_END, row::PART);
        length = 2.0 * (right - left);
        left = right;
    }
    Ok(ScanResult::NothingUntil(left))
}

/// Properties of the five samples of a part of the step, for all indicators together.
struct PartShape {
    /// Whether the middle sample of each indicator is the one that the cubic through the others
    /// predicts.
    resolved: bool,
    /// Whether the samples of each indicator are on one side of zero, and so far from it, compared
    /// with their range, that no zero lies between them.
    clear_of_zero: bool,
}

/// Computes these properties in one pass without branches, because most parts of most steps are
/// clear of zero.
fn shape(ws: &Workspace<'_>) -> PartShape {
    const WEIGHTS: [f64; 5] = middle_weights();
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let smaller = |a: f64, b: f64| if a < b { a } else { b };
    let (first, second, middle) = (ws.row(row::PART), ws.row(row::PART + 1), ws.row(row::PART + 2));
    let (fourth, last) = (ws.row(row::PART + 3), ws.row(row::PART_END));
    let rows = first.iter().zip(second).zip(middle).zip(fourth).zip(last);
    let mut shape = PartShape { resolved: true, clear_of_zero: true };
    for ((((a, b), c), d), e) in rows {
        let z = [*a, *b, *c, *d, *e];
        let (mut defect, mut highest, mut lowest) = (0.0, z[0], z[0]);
        for (z, weight) in z.into_iter().zip(WEIGHTS) {
            defect += weight * z;
            highest = larger(highest, z);
            lowest = smaller(lowest, z);
        }
        let largest = larger(highest, -lowest);
        shape.resolved &= defect.abs() <= MAX_DEFECT * largest + ABSOLUTE_DEFECT;
        shape.clear_of_zero &= (lowest > 0.5 * highest) | (highest < 0.5 * lowest);
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

/// The first sign change in a part of the step, found by its samples and by probing the dips before
/// it.
fn first_change<F: OdeSystem + ?Sized>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    times: [f64; 5],
) -> Result<Option<Bracket>, Stop> {
    let m = ws.z_start.len();
    let first = (1..5).find(|j| changed(ws.z_start, ws.row(row::PART + j)));
    let latest = times[first.unwrap_or(row::PART_END)];
    for window in 0..first.unwrap_or(4).min(3) {
        let [ta, tb, tc] = [times[window], times[window + 1], times[window + 2]];
        for i in 0..m {
            let z = |j: usize| ws.samples[(window + j) * m + i];
            if far_from_zero([z(0), z(1), z(2)]) {
                continue;
            }
            let points = [(ta, z(0)), (tb, z(1)), (tc, z(2))];
            if let Some(t) = probe_extremum(ws, ode, i, points, latest)? {
                let before = (0..5).rev().find(|j| times[*j] < t).unwrap_or(0);
                ws.copy_row(row::PART + before, row::LOW);
                ws.copy_row(row::PROBE, row::HIGH);
                return Ok(Some(Bracket { low: times[before], high: t }));
            }
        }
    }
    Ok(first.map(|j| {
        ws.copy_row(row::PART + j - 1, row::LOW);
        ws.copy_row(row::PART + j, row::HIGH);
        Bracket { low: times[j - 1], high: times[j] }
    }))
}

/// Whether a parabola through three successive samples of [`NODES`] cannot approach zero between
/// them: it goes below the smallest sample by less than a fifth of their range.
fn far_from_zero(z: [f64; 3]) -> bool {
    let z = z.map(f64::abs);
    let largest = z[0].max(z[1]).max(z[2]);
    z.iter().all(|z| *z > 0.5 * largest)
}

/// Follows a dip of indicator `i` towards zero between three points on one side of zero. Returns a
/// time before `latest` at which some indicator has changed, if one is found; the sample there is
/// in PROBE.
fn probe_extremum<F: OdeSystem + ?Sized>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    i: usize,
    mut points: [(f64, f64); 3],
    latest: f64,
) -> Result<Option<f64>, Stop> {
    for _ in 0..4 {
        let Some(t) = extremum(points) else { return Ok(None) };
        let gap = resolution(t, t);
        if t >= latest || points.iter().any(|(other, _)| (t - other).abs() <= gap) {
            return Ok(None);
        }
        sample(ws, ode, t, row::PROBE)?;
        if changed(ws.z_start, ws.row(row::PROBE)) {
            return Ok(Some(t));
        }
        let new = (t, ws.row(row::PROBE)[i]);
        // The next three points are those around the lowest one found so far.
        let [a, b, c] = points;
        points = if t < b.0 { [a, new, b] } else { [b, new, c] };
    }
    Ok(None)
}

/// The time of the extremum of the parabola through three points, if it lies between them, points
/// towards zero, and is deep enough to be probed.
fn extremum(points: [(f64, f64); 3]) -> Option<f64> {
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
    (depth < MAX_DIP * largest).then_some(ta - slope_a / (2.0 * curvature))
}

/// Narrows a bracket on the interpolant to the resolution of time, towards the earliest of the
/// indicators that changed.
///
/// I. F. D. Oliveira, R. H. C. Takahashi, "An enhancement of the bisection method average
/// performance preserving minmax optimality", ACM Transactions on Mathematical Software 47 (2020):
/// the estimate of regula falsi is moved a little towards the middle, so that two nearby points
/// enclose the zero; the number of iterations is never much larger than that of bisection.
fn refine_bracket<F: OdeSystem + ?Sized>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    mut bracket: Bracket,
) -> Result<Bracket, Stop> {
    let finest = resolution(bracket.low, bracket.high);
    let whole = bracket.high - bracket.low;
    // The width that the bracket may have after this round: that of bisection two rounds earlier.
    let mut allowed = 2.0 * whole;
    for _ in 0..MAX_ITERATIONS {
        let Bracket { low, high } = bracket;
        let width = high - low;
        if width <= finest {
            break;
        }
        let middle = low + 0.5 * width;
        let zero = estimate(ws, low, high);
        let shift = (0.02 * width * (width / whole)).max(finest).min((middle - zero).abs());
        let reach = (allowed - 0.5 * width).max(0.0);
        let t = (zero + shift.copysign(middle - zero)).clamp(middle - reach, middle + reach);
        let t = t.max(low + 0.5 * finest).min(high - 0.5 * finest);
        sample(ws, ode, t, row::PROBE)?;
        if changed(ws.z_start, ws.row(row::PROBE)) {
            bracket.high = t;
            ws.copy_row(row::PROBE, row::HIGH);
        } else {
            bracket.low = t;
            ws.copy_row(row::PROBE, row::LOW);
        }
        allowed *= 0.5;
    }
    Ok(bracket)
}

/// The earliest zero of the lines between the samples of a bracket.
pub(super) fn estimate(ws: &Workspace<'_>, low: f64, high: f64) -> f64 {
    let mut t = high;
    for ((start, a), b) in ws.z_start.iter().zip(ws.row(row::LOW)).zip(ws.row(row::HIGH)) {
        if (*start > 0.0) != (*b > 0.0) {
            let zero = low + (high - low) * (a / (a - b));
            if zero < t {
                t = zero;
            }
        }
    }
    t
}

/// Repeats the step until it ends immediately after the sign change in its own solution.
///
/// `bracket` contains the change on the interpolant; `t_new` is the end of the whole step, for
/// which row END is valid. If the indicator changes on the interpolant only, because it touches
/// zero, the step ends there without an event.
fn correct_event_time<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    bracket: Bracket,
    t_new: f64,
) -> Result<(f64, bool), Stop> {
    let finest = resolution(bracket.low, bracket.high);
    let mut lead = first_changed(ws, row::HIGH);
    let mut slope = slope_on_interpolant(ws, ode, lead, bracket.high)?;
    let mut low = ws.t();
    let mut high = changed(ws.z_start, ws.row(row::END)).then_some(t_new);
    let mut t = bracket.high;
    let mut last = (f64::NAN, f64::NAN);
    let mut last_end = t;
    let mut offset = 0.5 * finest;
    let mut advance = finest;
    for round in 0..120 {
        if round == 0 || !prolong(settings, ws, ode, last_end, t)? {
            repeat_until(settings, ws, ode, t)?;
        }
        last_end = t;
        let has_changed = changed(ws.z_start, ws.row(row::END));
        if has_changed {
            high = Some(t);
            let leads = (ws.row(row::END)[lead] > 0.0) != (ws.z_start[lead] > 0.0);
            if !leads {
                lead = first_changed(ws, row::END);
                slope = slope_on_interpolant(ws, ode, lead, t)?;
                last = (f64::NAN, f64::NAN);
            }
        } else {
            low = t;
            // Rounding errors of the states may hide a change that was seen here before, so it is
            // sought later. Without this the step would end here, and the next one would do so too.
            if high.is_some_and(|high| t >= high) {
                high = Some(t_new.min(t + advance));
                advance *= 2.0;
            }
        }
        let z = ws.row(row::END)[lead];
        if has_changed
            && (t - low <= finest || z.abs() <= RESIDUAL_TOLERANCE + slope.abs() * finest)
        {
            return Ok((t, true));
        }
        if (t - last.0).abs() > 16.0 * finest && z != last.1 {
            slope = (z - last.1) / (t - last.0);
        }
        last = (t, z);
        // Aim immediately after the zero. If this fails twice, aim to the other side with growing
        // distance until two ends enclose the zero; then bisect.
        let zero = t - z / slope;
        let aim = if has_changed && round > 1 { zero - offset } else { zero + offset };
        if round > 1 {
            offset *= 2.0;
        }
        t = match high {
            None if round >= 4 => return Ok((t, false)),
            None if aim > low && aim < t_new => aim,
            None => t_new.min(low + offset),
            Some(high) if high - low <= finest => high,
            Some(high) if aim > low && aim < high && round < 12 => aim,
            Some(high) if high - offset > low && round < 60 => high - offset,
            Some(high) => low + 0.5 * (high - low),
        };
    }
    repeat_until(settings, ws, ode, t)?;
    Ok((t, changed(ws.z_start, ws.row(row::END))))
}

/// The first indicator that changed according to a row.
fn first_changed(ws: &Workspace<'_>, row: usize) -> usize {
    let signs = ws.z_start.iter().zip(ws.row(row));
    signs.map(|(a, b)| (*a > 0.0) != (*b > 0.0)).position(|changed| changed).unwrap_or(0)
}

/// Slope of an indicator along the interpolant immediately before `t`.
fn slope_on_interpolant<F: OdeSystem + ?Sized>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    indicator: usize,
    t: f64,
) -> Result<f64, Stop> {
    let past = t - ws.t();
    let distance = (1e-4 * past).max(64.0 * resolution(t, t)).min(past);
    sample(ws, ode, t, row::HIGH)?;
    sample(ws, ode, t - distance, row::LOW)?;
    Ok((ws.row(row::HIGH)[indicator] - ws.row(row::LOW)[indicator]) / distance)
}
