//! Event location: the first time at which an indicator changes between `z > 0` and `z <= 0`.
//!
//! 1. If all indicators are affine functions of the states, [`super::indicator_bounds`] often shows
//!    that none of them has a zero in the step.
//! 2. Otherwise [`scan`] takes five samples of the indicators along the interpolant. If they do not
//!    resolve the shape of an indicator, the step is sampled in parts. If they show a dip towards
//!    zero, its lowest point is probed, so that two crossings, or a touch, are noticed.
//! 3. [`refine_bracket`] narrows the bracketed change on the interpolant to the resolution of time.
//! 4. [`correct_event_time`] repeats the step up to this time, and corrects the end until the sign
//!    changes in the solution of the integrator itself. The error of the interpolant then has no
//!    effect. Where the solution is straight but for rounding errors, it is prolonged instead of
//!    repeated. The step ends immediately after the change.

use super::dense_output;
use super::error_norm::scale;
use super::indicator_bounds::{clear_by_interpolant, clear_by_stages};
use super::method_choice::{InUse, in_use};
use super::ode::{OdeSystem, Stop, check_finite};
use super::settings::Integrator;
use super::state::StepOutcome;
use super::trial::{attempt, interpolant};
use super::workspace::{Workspace, row};

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
/// Maximum number of ends that are tried for a step with an event.
const MAX_ROUNDS: usize = 120;
/// The number of rounds without a change after which an indicator counts as touching zero only.
const TOUCH_ROUNDS: usize = 4;
/// The number of rounds that aim at the estimated zero, and of rounds at a growing distance from
/// this zero.
const AIMED_ROUNDS: usize = 12;
const GROWING_ROUNDS: usize = 60;
/// The smallest distance of two ends whose indicators give a slope, in resolutions of time.
const MIN_BASE: f64 = 16.0;
/// The distance over which a slope is taken on the interpolant: a part of the time since the start
/// of the step, but at least this many resolutions of time.
const SLOPE_PART: f64 = 1e-4;
const SLOPE_RESOLUTIONS: f64 = 64.0;
/// Maximum number of probes that follow a dip.
const MAX_PROBES: usize = 4;
/// Residual that counts as zero; it is of the size of rounding errors, and far below the hysteresis
/// of the relations.
const RESIDUAL_TOLERANCE: f64 = 1e-15;

/// A time before and a time after the first sign change; the samples there are in rows LOW and
/// HIGH.
struct Bracket {
    low: f64,
    high: f64,
}

/// The end of a trial step.
pub(super) struct StepEnd {
    pub t: f64,
    pub outcome: StepOutcome,
}

impl StepEnd {
    /// The end at `t`, where row END holds the indicators: there is an event if one has changed.
    fn by_indicators(ws: &Workspace<'_>, t: f64) -> StepEnd {
        let event = changed(ws.z_start, ws.row(row::END));
        StepEnd { t, outcome: if event { StepOutcome::Event } else { StepOutcome::Step } }
    }
}

/// The result of the search on the interpolant.
enum ScanResult {
    Nothing,
    /// No change up to this time, at which the maximum number of parts was reached.
    NothingUntil(f64),
    Change(Bracket),
}

/// Searches the trial step that ends at `t_new`, whose interpolant is known, and shortens it if
/// necessary; row END holds the indicators at its end.
pub(super) fn locate<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<StepEnd, Stop> {
    indicators_at_end(ws, ode, t_new)?;
    let without_event = StepEnd { t: t_new, outcome: StepOutcome::Step };
    let unchanged = !changed(ws.z_start, ws.row(row::END));
    if unchanged && in_use(settings, ws) == InUse::Dop853 && clear_by_stages(ws, ode, t_new) {
        return Ok(without_event);
    }
    interpolant(settings, ws, ode, t_new)?;
    if unchanged && clear_by_interpolant(ws, ode) {
        return Ok(without_event);
    }
    match scan(ws, ode, t_new)? {
        ScanResult::Nothing => Ok(without_event),
        ScanResult::NothingUntil(t) => {
            repeat_until(settings, ws, ode, t)?;
            Ok(StepEnd::by_indicators(ws, t))
        }
        ScanResult::Change(bracket) => {
            let bracket = refine_bracket(ws, ode, bracket)?;
            correct_event_time(settings, ws, ode, &bracket, t_new)
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
    let theta = (t - ws.last.start) / ws.last.length;
    dense_output::evaluate(ws.dense, ws.last.degree, theta, ws.point);
    let m = ws.z_start.len();
    let z = &mut ws.samples[row * m..][..m];
    ws.work.indicators += 1;
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
    ws.work.indicators += 1;
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
    // A longer step was accurate, so the error of this step is not tested again.
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
    let before = ws.size.resolved;
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
            ws.size.resolved = length;
            continue;
        }
        ws.size.resolved = ws.size.resolved.max(right - left);
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
    /// Whether the samples of each indicator are on one side of zero, at a distance that is large
    /// compared with their range, so no zero lies between the samples.
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
    for _ in 0..MAX_PROBES {
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
    bracket: &Bracket,
    t_new: f64,
) -> Result<StepEnd, Stop> {
    let mut search = EventTimeSearch::new(ws, ode, bracket, t_new)?;
    for round in 0..MAX_ROUNDS {
        let t = search.t;
        if round == 0 || !prolong(settings, ws, ode, search.last_end, t)? {
            repeat_until(settings, ws, ode, t)?;
        }
        search.last_end = t;
        let has_changed = changed(ws.z_start, ws.row(row::END));
        if has_changed {
            search.note_change(ws, ode)?;
        } else {
            search.note_no_change();
        }
        let z = ws.row(row::END)[search.lead];
        if has_changed && search.is_at_zero(z) {
            return Ok(StepEnd { t, outcome: StepOutcome::Event });
        }
        search.update_slope(z);
        match search.next(z, has_changed, round) {
            Some(next) => search.t = next,
            None => return Ok(StepEnd { t, outcome: StepOutcome::Step }),
        }
    }
    repeat_until(settings, ws, ode, search.t)?;
    Ok(StepEnd::by_indicators(ws, search.t))
}

/// The search for the end of a step immediately after a sign change.
struct EventTimeSearch {
    /// The end that is tried.
    t: f64,
    /// The end that was tried last.
    last_end: f64,
    /// The end of the whole step.
    t_new: f64,
    /// The resolution of time.
    finest: f64,
    /// An end without a change; the start of the step, as long as there is none.
    low: f64,
    /// A later end with a change, once there is one.
    high: Option<f64>,
    /// The indicator whose zero is sought: the first one that has changed.
    lead: usize,
    /// An estimate of its slope.
    slope: f64,
    /// The last end that was tried for it, with its value there.
    sample: Option<(f64, f64)>,
    /// The distance from the estimated zero at which the next end is tried.
    offset: f64,
    /// The distance after which a change that is no longer seen is sought.
    advance: f64,
}

impl EventTimeSearch {
    fn new<F: OdeSystem + ?Sized>(
        ws: &mut Workspace<'_>,
        ode: &mut F,
        bracket: &Bracket,
        t_new: f64,
    ) -> Result<EventTimeSearch, Stop> {
        let (t, finest) = (bracket.high, resolution(bracket.low, bracket.high));
        let lead = first_changed(ws, row::HIGH);
        Ok(EventTimeSearch {
            t,
            last_end: t,
            t_new,
            finest,
            low: ws.t(),
            high: changed(ws.z_start, ws.row(row::END)).then_some(t_new),
            lead,
            slope: slope_on_interpolant(ws, ode, lead, t)?,
            sample: None,
            offset: 0.5 * finest,
            advance: finest,
        })
    }

    /// Notes a change at the end that was tried.
    fn note_change<F: OdeSystem + ?Sized>(
        &mut self,
        ws: &mut Workspace<'_>,
        ode: &mut F,
    ) -> Result<(), Stop> {
        self.high = Some(self.t);
        let leads = (ws.row(row::END)[self.lead] > 0.0) != (ws.z_start[self.lead] > 0.0);
        if !leads {
            self.lead = first_changed(ws, row::END);
            self.slope = slope_on_interpolant(ws, ode, self.lead, self.t)?;
            self.sample = None;
        }
        Ok(())
    }

    /// Notes that nothing has changed at the end that was tried.
    fn note_no_change(&mut self) {
        self.low = self.t;
        // Rounding errors of the states may hide a change that was seen here before, so it is
        // sought later. Without this the step would end here, and the next one would do so too.
        if self.high.is_some_and(|high| self.t >= high) {
            self.high = Some(self.t_new.min(self.t + self.advance));
            self.advance *= 2.0;
        }
    }

    /// Whether the end that was tried, after a change, is immediately after it.
    fn is_at_zero(&self, z: f64) -> bool {
        self.t - self.low <= self.finest
            || z.abs() <= RESIDUAL_TOLERANCE + self.slope.abs() * self.finest
    }

    /// Improves the slope, if the last two ends are so far from each other that rounding errors do
    /// not matter.
    fn update_slope(&mut self, z: f64) {
        if let Some((t, before)) = self.sample
            && (self.t - t).abs() > MIN_BASE * self.finest
            && z != before
        {
            self.slope = (z - before) / (self.t - t);
        }
        self.sample = Some((self.t, z));
    }

    /// The end to try next; none if the indicator only touches zero.
    ///
    /// It is immediately after the zero. If this fails twice, it is on the other side with growing
    /// distance until two ends enclose the zero; then their interval is halved.
    fn next(&mut self, z: f64, has_changed: bool, round: usize) -> Option<f64> {
        let zero = self.t - z / self.slope;
        let failed_twice = round > 1;
        let aim = if has_changed && failed_twice { zero - self.offset } else { zero + self.offset };
        if failed_twice {
            self.offset *= 2.0;
        }
        let EventTimeSearch { low, t_new, finest, offset, .. } = *self;
        Some(match self.high {
            None if round >= TOUCH_ROUNDS => return None,
            None if aim > low && aim < t_new => aim,
            None => t_new.min(low + offset),
            Some(high) if high - low <= finest => high,
            Some(high) if aim > low && aim < high && round < AIMED_ROUNDS => aim,
            Some(high) if high - offset > low && round < GROWING_ROUNDS => high - offset,
            Some(high) => low + 0.5 * (high - low),
        })
    }
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
    let distance = (SLOPE_PART * past).max(SLOPE_RESOLUTIONS * resolution(t, t)).min(past);
    sample(ws, ode, t, row::HIGH)?;
    sample(ws, ode, t - distance, row::LOW)?;
    Ok((ws.row(row::HIGH)[indicator] - ws.row(row::LOW)[indicator]) / distance)
}
