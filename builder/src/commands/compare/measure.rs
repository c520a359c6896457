//! Differences of results and references: the largest error of each signal relative to its range,
//! and the order and the instants of modes.

use std::ops::Range;

use fmus::csv::TimeSeries;

/// A mode is transient if it is held for less than this time in s: it lies between the two events
/// of a transition. The time between these events depends on the hysteresis of the tool.
pub const TRANSIENT: f64 = 1e-3;

/// The instants of an event that is located with different rows may differ by this, in s and
/// relative to the time: many times the rounding error of an instant.
const LOCATION: f64 = 1e-12;

/// A signal counts as constant if its values differ by less than this, relative to the largest
/// value or to one.
const CONSTANT: f64 = 1e-9;

/// The largest of some non-negative numbers; infinite if one is NaN, which `f64::max` would ignore.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |m, v| if v.is_nan() { f64::INFINITY } else { m.max(v) })
}

/// The smallest and the largest of some values.
pub fn bounds(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    values.into_iter().fold(start, |(low, high), v| (low.min(v), high.max(v)))
}

/// The distinct times of a table with their rows; at an event a time has several rows.
pub fn instants(table: &TimeSeries) -> Vec<(f64, Range<usize>)> {
    let mut instants: Vec<(f64, Range<usize>)> = Vec::new();
    for (i, t) in table.time.iter().enumerate() {
        match instants.last_mut() {
            Some((last, rows)) if last == t => rows.end = i + 1,
            _ => instants.push((*t, i..i + 1)),
        }
    }
    instants
}

/// The times of a table with several rows.
pub fn events(table: &TimeSeries) -> Vec<f64> {
    instants(table).into_iter().filter(|(_, rows)| rows.len() > 1).map(|(t, _)| t).collect()
}

fn column(table: &TimeSeries, index: usize) -> impl Iterator<Item = f64> + '_ {
    table.rows.iter().map(move |row| row[index])
}

/// A Real column.
#[derive(Clone, Debug)]
pub struct Deviation {
    /// Its name.
    pub name: String,
    /// The difference of the largest and the smallest value of the reference; `None` if the signal
    /// is constant.
    pub range: Option<f64>,
    /// The largest error divided by the range, or for a constant signal by its value or one.
    pub error: f64,
    /// The time of the largest error in s.
    pub at: f64,
}

impl Deviation {
    /// Compares a column of a result with one of a reference, at the times of the reference that
    /// the result covers.
    pub fn compare(
        name: &str,
        (result, ours): (&TimeSeries, usize),
        (reference, theirs): (&TimeSeries, usize),
    ) -> Deviation {
        let size = largest(column(reference, theirs).map(f64::abs)).max(1.0);
        let (low, high) = bounds(column(reference, theirs));
        let range = Some(high - low).filter(|range| *range > CONSTANT * size);
        let (mut error, mut at) = (0.0, 0.0);
        for (t, off) in errors((result, ours), (reference, theirs)) {
            let off = if off.is_nan() { f64::INFINITY } else { off };
            if off > error {
                (error, at) = (off, t);
            }
        }
        Deviation { name: name.to_owned(), range, error: error / range.unwrap_or(size), at }
    }
}

/// The distance of a result from a reference at each time of the reference that the result covers.
///
/// At an event of the reference, every value between those before and after it is accepted, and all
/// rows of the result must lie in this range. If only the result has an event, the reference does
/// not determine whether the value before or after it is meant, so the nearest row counts.
pub(super) fn errors(
    (result, ours): (&TimeSeries, usize),
    (reference, theirs): (&TimeSeries, usize),
) -> Vec<(f64, f64)> {
    let events = events(reference);
    let distance = |(t, rows): (f64, Range<usize>)| {
        let is_event = rows.len() > 1;
        let (low, high) = bounds(reference.rows[rows].iter().map(|row| row[theirs]));
        let off = |(from, to): (f64, f64)| match from.is_nan() || to.is_nan() {
            true => f64::INFINITY,
            false => (low - to).max(from - high).max(0.0),
        };
        let off = match recorded_at(result, ours, t, &events)? {
            Recorded::Rows(values) => {
                let (nearest, furthest) = bounds(values.into_iter().map(|v| off((v, v))));
                if is_event || furthest.is_infinite() { furthest } else { nearest }
            }
            Recorded::Within(from, to) => off((from, to)),
        };
        Some((t, off))
    };
    instants(reference).into_iter().filter_map(distance).collect()
}

/// The values that a result has for a signal at a time.
enum Recorded {
    /// The values in its rows at this time.
    Rows(Vec<f64>),
    /// The bounds of the value between two rows: both equal the interpolated value or, if there is
    /// an event between the rows, they are the values of the rows.
    Within(f64, f64),
}

/// The values of a signal at a time; `None` outside the rows.
fn recorded_at(table: &TimeSeries, index: usize, t: f64, events: &[f64]) -> Option<Recorded> {
    let from = table.time.partition_point(|time| *time < t);
    let to = table.time.partition_point(|time| *time <= t);
    let value = |row: usize| table.rows[row][index];
    if from < to {
        return Some(Recorded::Rows((from..to).map(value).collect()));
    }
    let before = from.checked_sub(1).filter(|_| from < table.time.len())?;
    let (begin, end) = (table.time[before], table.time[from]);
    if events.iter().any(|event| begin <= *event && *event <= end) {
        let (low, high) = bounds([value(before), value(from)]);
        return Some(Recorded::Within(low, high));
    }
    let part = (t - begin) / (end - begin);
    let between = value(before) + part * (value(from) - value(before));
    Some(Recorded::Within(between, between))
}

/// A value of a mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// The instant in s at which it begins.
    pub since: f64,
    /// The value.
    pub value: f64,
}

/// An Integer or Boolean column: the sequence of its values.
#[derive(Clone, Debug)]
pub struct ModeComparison {
    /// Its name.
    pub name: String,
    /// The values of the reference.
    pub reference: Vec<Held>,
    /// The values of the result.
    pub ours: Vec<Held>,
}

impl ModeComparison {
    /// The sequence of values of a column of a table, without transient ones.
    pub fn held(table: &TimeSeries, index: usize) -> Vec<Held> {
        let rows = table.time.iter().copied().zip(column(table, index));
        held(rows, end(table), rows_at_end(table) == 1)
    }

    /// Compares a column of a result with one of a reference. If the instants of the result's
    /// events are known, a value begins at the last event before its first row.
    pub fn compare(
        name: &str,
        (result, ours): (&TimeSeries, usize),
        (reference, theirs): (&TimeSeries, usize),
        events: Option<&[f64]>,
    ) -> ModeComparison {
        let last = (end(reference), end(result));
        let end = last.0.min(last.1);
        // At an event at the end, the values before and after it are both accepted.
        let ends_alike =
            last.0 == last.1 && rows_at_end(reference) == 1 && rows_at_end(result) == 1;
        let start = result.time.first().copied().unwrap_or(0.0);
        let came = |t: f64| match events {
            Some(events) => {
                let known = t + LOCATION * (1.0 + t.abs());
                events[..events.partition_point(|event| *event <= known)].last().copied()
            }
            None => Some(t),
        };
        let ours = result.time.iter().map(|t| came(*t).unwrap_or(start)).zip(column(result, ours));
        let theirs = reference.time.iter().copied().zip(column(reference, theirs));
        ModeComparison {
            name: name.to_owned(),
            reference: held(theirs, end, ends_alike),
            ours: held(ours, end, ends_alike),
        }
    }

    /// The largest difference in s of the instants; `None` if the values or their order differ.
    pub fn apart(&self) -> Option<f64> {
        let pairs = || self.reference.iter().zip(&self.ours);
        let same =
            self.reference.len() == self.ours.len() && pairs().all(|(a, b)| a.value == b.value);
        same.then(|| largest(pairs().map(|(theirs, ours)| (theirs.since - ours.since).abs())))
    }

    /// The number of changes of the reference's value.
    pub fn changes(&self) -> usize {
        self.reference.len().saturating_sub(1)
    }
}

fn end(table: &TimeSeries) -> f64 {
    table.time.last().copied().unwrap_or(0.0)
}

fn rows_at_end(table: &TimeSeries) -> usize {
    let end = end(table);
    table.time.iter().rev().take_while(|t| **t == end).count()
}

/// The sequence of values of a column, without transient ones. The duration of the last value is
/// not known: unless `last_counts` is set, its duration until `end` decides.
fn held(rows: impl Iterator<Item = (f64, f64)>, end: f64, last_counts: bool) -> Vec<Held> {
    let mut changes: Vec<Held> = Vec::new();
    for (since, value) in rows.take_while(|(t, _)| *t <= end) {
        if changes.last().is_none_or(|last| last.value != value) {
            changes.push(Held { since, value });
        }
    }
    let last = if last_counts { f64::INFINITY } else { end };
    let until = changes.iter().skip(1).map(|next| next.since).chain([last]);
    let mut held: Vec<Held> = Vec::new();
    for (change, until) in changes.iter().zip(until) {
        let is_transient = until - change.since < TRANSIENT;
        if !is_transient && held.last().is_none_or(|last| last.value != change.value) {
            held.push(*change);
        }
    }
    held
}

/// The times at which a simulation is recorded for a comparison: those of the reference, other
/// communication points and, for modes, the middle between any two events, so that no value is
/// missed.
pub fn times(reference: &TimeSeries, events: &[f64], points: &[f64]) -> Vec<f64> {
    let mut times: Vec<f64> = instants(reference).into_iter().map(|(t, _)| t).collect();
    let end = end(reference);
    let middles = events.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    times.extend(middles.filter(|t| *t < end));
    times.extend(points);
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(f64, f64)]) -> TimeSeries {
        TimeSeries {
            names: vec!["y".to_owned()],
            time: rows.iter().map(|row| row.0).collect(),
            rows: rows.iter().map(|row| vec![row.1]).collect(),
        }
    }

    fn signal(result: &[(f64, f64)], reference: &[(f64, f64)]) -> Deviation {
        Deviation::compare("y", (&table(result), 0), (&table(reference), 0))
    }

    #[test]
    fn the_error_is_the_largest_one_over_the_range_with_its_time() {
        let found =
            signal(&[(0.0, 0.0), (1.0, 2.5), (2.0, 4.1)], &[(0.0, 0.0), (1.0, 2.0), (2.0, 4.0)]);
        assert_eq!((found.range, found.error, found.at), (Some(4.0), 0.125, 1.0));
        // Between its rows the result is linear; beyond its rows nothing is compared.
        let found = signal(&[(0.0, 0.0), (1.0, 2.0)], &[(0.0, 0.0), (0.5, 1.0), (5.0, 9.0)]);
        assert_eq!((found.range, found.error), (Some(9.0), 0.0));
    }

    #[test]
    fn the_error_of_a_constant_signal_is_relative_to_its_value_or_to_one() {
        assert_eq!(signal(&[(0.0, 0.5)], &[(0.0, 0.0), (1.0, 0.0)]).error, 0.5);
        assert_eq!(signal(&[(0.0, 9.0)], &[(0.0, 10.0), (1.0, 10.0)]).error, 0.1);
        assert_eq!(signal(&[(0.0, f64::NAN)], &[(0.0, 1.0)]).error, f64::INFINITY);
    }

    #[test]
    fn at_an_event_every_value_between_those_before_and_after_it_is_accepted() {
        let jump = [(0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (1.0, 1.0)];
        for value in [0.0, 0.3, 1.0] {
            assert_eq!(signal(&[(0.0, 0.0), (0.5, value), (1.0, 1.0)], &jump).error, 0.0);
        }
        assert_eq!(signal(&[(0.0, 0.0), (0.5, 1.25), (1.0, 1.0)], &jump).error, 0.25);
        // Both rows of a result must be in the range, not only a value between them.
        let twice = |before, after| {
            signal(&[(0.0, 0.0), (0.5, before), (0.5, after), (1.0, 1.0)], &jump).error
        };
        assert_eq!(twice(0.0, 1.0), 0.0);
        assert_eq!(twice(-0.5, 1.125), 0.5);
        assert_eq!(twice(-1.0, -0.25), 1.0);
        assert_eq!(twice(f64::NAN, 1.0), f64::INFINITY);
        // Rows around the event do not determine when the value jumps between them.
        let fine = [(0.0, 0.0), (0.4, 0.0), (0.5, 0.0), (0.5, 1.0), (0.6, 1.0), (1.0, 1.0)];
        assert_eq!(signal(&[(0.0, 0.0), (0.3, 0.0), (0.7, 1.0), (1.0, 1.0)], &fine).error, 0.0);
    }

    #[test]
    fn if_only_the_result_has_an_event_its_nearest_row_counts() {
        let ramp = [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)];
        let rows = |before, after| {
            signal(&[(0.0, 0.0), (0.5, before), (0.5, after), (1.0, 1.0)], &ramp).error
        };
        assert_eq!(rows(0.5, 3.0), 0.0);
        assert_eq!(rows(0.25, 1.0), 0.25);
        assert_eq!(rows(0.5, f64::NAN), f64::INFINITY);
    }

    #[test]
    fn the_value_of_a_mode_in_the_last_row_counts() {
        let modes = |result: &[(f64, f64)], reference: &[(f64, f64)]| {
            ModeComparison::compare("y", (&table(result), 0), (&table(reference), 0), None).apart()
        };
        let steady = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)];
        let other = [(0.0, 0.0), (1.0, 0.0), (2.0, 1.0)];
        assert_eq!(modes(&other, &steady), None);
        assert_eq!(modes(&steady, &other), None);
        assert_eq!(modes(&other, &other), Some(0.0));
        // At an event at the end, the values before and after it are both accepted.
        let event = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)];
        assert_eq!(modes(&steady, &event), Some(0.0));
        assert_eq!(modes(&other, &event), Some(0.0));
        // The reference between its rows, where the result ends, is not known.
        assert_eq!(modes(&[(0.0, 0.0), (1.5, 1.0)], &other), Some(0.0));
    }

    #[test]
    fn an_event_may_be_located_a_rounding_error_after_its_row() {
        let reference = table(&[(0.0, 0.0), (0.3, 1.0), (0.6, 0.0), (1.0, 0.0)]);
        let before = 0.6_f64.next_down();
        let result = table(&[(0.0, 0.0), (0.45, 1.0), (before, 0.0), (1.0, 0.0)]);
        let modes = ModeComparison::compare(
            "y",
            (&result, 0),
            (&reference, 0),
            Some(&[0.3_f64.next_up(), 0.6][..]),
        );
        assert!(modes.apart().is_some_and(|apart| apart < 1e-15), "{:?}", modes.apart());
    }

    #[test]
    fn modes_are_compared_by_order_and_instants_without_transient_ones() {
        let reference = table(&[(0.0, 0.0), (0.5, 2.0), (0.5004, 1.0), (2.0, 1.0)]);
        let modes = |rows: &[(f64, f64)]| {
            ModeComparison::compare("y", (&table(rows), 0), (&reference, 0), None)
        };
        let right = modes(&[(0.0, 0.0), (0.5006, 1.0), (2.0, 1.0)]);
        assert_eq!(right.changes(), 1);
        assert!((right.apart().unwrap() - 2e-4).abs() < 1e-12);
        assert_eq!(modes(&[(0.0, 0.0), (0.5, 2.0), (2.0, 2.0)]).apart(), None);
        assert_eq!(modes(&[(0.0, 0.0), (2.0, 0.0)]).apart(), None);
    }
}
