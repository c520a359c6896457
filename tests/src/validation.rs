//! How far an FMU is from published results: the one comparison of the tests and of the report.

use fmu_builder::read::Base;

use crate::curves::{Table, largest, range};
use crate::harness::Instantiation;
use crate::runs::Work;
use crate::{Fmu, Harness, Kind};

/// A mode held for less than this time in s is one in passing: between two events of the same
/// transition, whose distance depends on the hysteresis of the tool. Published rows nearer than
/// this to an event are not quoted.
pub const PASSING: f64 = 1e-3;

/// A signal whose values differ by less than this, in units of the largest or of one, is constant.
const CONSTANT: f64 = 1e-9;

/// The largest error of a constant signal, in units of its value or of one: the relative and
/// absolute tolerance of the published simulations.
const CONSTANT_LIMIT: f64 = 1e-6;

/// An FMU beside published results.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Relative tolerance of the simulation.
    pub tolerance: f64,
    /// The work it took.
    pub work: Work,
    /// Real columns.
    pub signals: Vec<Signal>,
    /// Integer and Boolean columns.
    pub modes: Vec<Modes>,
}

/// A Real column.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// The largest less the smallest published value; `None` if the signal is constant.
    pub range: Option<f64>,
    /// The largest error over the range; of a constant signal over its value or one.
    pub error: f64,
}

impl Signal {
    fn compare(name: &str, result: &Table, reference: &Table) -> Signal {
        let published = reference.column(name);
        let size = largest(published.iter().map(|v| v.abs())).max(1.0);
        let range = Some(range(&published)).filter(|range| *range > CONSTANT * size);
        let column = result.index(name);
        let errors = reference.instants().into_iter().map(|(t, rows)| {
            // At an event every value from that before to that after it is right.
            let (low, high) = bounds(&published[rows]);
            let ours = result.row_at(t)[column];
            (low - ours).max(ours - high).max(if ours.is_nan() { f64::NAN } else { 0.0 })
        });
        let error = largest(errors) / range.unwrap_or(size);
        Signal { name: name.to_owned(), range, error }
    }

    /// The largest error that is right if `limit` is that of signals that are not constant.
    pub fn limit(&self, limit: f64) -> f64 {
        if self.range.is_some() { limit } else { CONSTANT_LIMIT }
    }
}

fn bounds(values: &[f64]) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    values.iter().fold(start, |(low, high), v| (low.min(*v), high.max(*v)))
}

/// A value of a mode and the instant in s from which on it is held.
type Held = (f64, f64);

/// An Integer or Boolean column: the values that it holds one after the other.
#[derive(Clone, Debug)]
pub struct Modes {
    /// Its name.
    pub name: String,
    /// What is published.
    pub published: Vec<Held>,
    /// What the FMU does.
    pub ours: Vec<Held>,
}

impl Modes {
    /// The values that a published column holds.
    pub fn published(reference: &Table, name: &str) -> Vec<Held> {
        let values = reference.column(name);
        held(reference.time.iter().copied().zip(values), reference.end())
    }

    fn compare(name: &str, result: &Table, events: &[f64], reference: &Table) -> Modes {
        // A value that is sampled came with the last event before.
        let came = |t: f64| events.iter().copied().take_while(|e| *e <= t).last().unwrap_or(0.0);
        let times = result.time.iter().map(|t| came(*t));
        let ours = held(times.zip(result.column(name)), reference.end());
        let published = Modes::published(reference, name);
        Modes { name: name.to_owned(), published, ours }
    }

    /// The largest difference in s of the instants; `None` if the values or their order differ.
    pub fn apart(&self) -> Option<f64> {
        let values = |held: &[Held]| held.iter().map(|(_, value)| *value).collect::<Vec<f64>>();
        let same = values(&self.published) == values(&self.ours);
        let pairs = self.published.iter().zip(&self.ours);
        same.then(|| largest(pairs.map(|((theirs, _), (ours, _))| (theirs - ours).abs())))
    }

    /// How often the published value changes.
    pub fn changes(&self) -> usize {
        self.published.len().saturating_sub(1)
    }
}

/// The values that a column holds, without those in passing.
fn held(rows: impl Iterator<Item = Held>, end: f64) -> Vec<Held> {
    let mut changes: Vec<Held> = Vec::new();
    for (t, value) in rows {
        if changes.last().is_none_or(|(_, last)| *last != value) {
            changes.push((t, value));
        }
    }
    let until = changes.iter().skip(1).map(|(t, _)| *t).chain([end]);
    let mut held: Vec<Held> = Vec::new();
    for ((t, value), until) in changes.iter().zip(until) {
        if until - t >= PASSING && held.last().is_none_or(|(_, last)| last != value) {
            held.push((*t, *value));
        }
    }
    held
}

/// The published columns that are not Real in the FMU: modes.
pub fn modes<'a>(fmu: &Fmu, reference: &'a Table) -> Vec<&'a str> {
    let names = reference.names.iter().map(String::as_str);
    names.filter(|name| fmu.variable(name).base != Base::Real).collect()
}

/// Simulates an FMU and compares it with published results, whole curves or quoted figures.
pub fn compare(fmu: &Fmu, reference: &Table, tolerance: f64) -> Comparison {
    let (work, events) = simulate(fmu, tolerance, reference.end());
    let modes = modes(fmu, reference);
    let mut times: Vec<f64> = reference.instants().iter().map(|(t, _)| *t).collect();
    if !modes.is_empty() {
        // Between any two events, so that no value goes unseen.
        times.extend(events.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])));
        times.sort_by(f64::total_cmp);
        times.dedup();
    }
    let result = sample(fmu, tolerance, &times, &reference.names);
    let is_mode = |name: &&String| modes.contains(&name.as_str());
    let signals = reference.names.iter().filter(|name| !is_mode(name));
    Comparison {
        tolerance,
        work,
        signals: signals.map(|name| Signal::compare(name, &result, reference)).collect(),
        modes: modes.iter().map(|name| Modes::compare(name, &result, &events, reference)).collect(),
    }
}

/// Simulates in one communication step; gives the work and the instants of the events in s.
fn simulate(fmu: &Fmu, tolerance: f64, stop: f64) -> (Work, Vec<f64>) {
    let harness = Harness::new(fmu);
    let with = Instantiation { logging: true, ..Instantiation::of(fmu) };
    let instance = harness.try_instantiate(fmu, &with).expect("the FMU starts");
    instance.start(Some(tolerance), fmu.starts()).step(0.0, stop);
    instance.then("terminate");
    let log = harness.log();
    let instant = |text: &str| text.strip_prefix("t=")?.split(' ').next()?.parse().ok();
    let mut events: Vec<f64> = log.iter().filter_map(|message| instant(&message.text)).collect();
    events.dedup();
    (Work::logged(&log).expect("the FMU says at its end what work it took"), events)
}

/// Simulates with a communication point at each time.
fn sample(fmu: &Fmu, tolerance: f64, time: &[f64], names: &[String]) -> Table {
    let harness = Harness::new(fmu);
    let instance = harness.instantiate(fmu, Kind::CoSimulation);
    instance.start(Some(tolerance), fmu.starts());
    let columns: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut table = Table { names: names.to_vec(), ..Table::default() };
    let mut now = 0.0;
    for t in time {
        if *t > now {
            instance.step(now, t - now);
            now = *t;
        }
        table.time.push(*t);
        table.rows.push(instance.values(&columns));
    }
    table
}
