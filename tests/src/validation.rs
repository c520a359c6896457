//! How far an FMU is from published results: the one comparison of the tests and of the report.

use fmu_builder::compare::{Modes, Signal, times};
use fmu_builder::read::Base;

use crate::curves::{Columns, Table};
use crate::harness::Instantiation;
use crate::runs::Work;
use crate::{Fmu, Harness, Kind};

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

/// The largest error that is right for a signal if `limit` is that of signals that move.
pub fn limit_of(signal: &Signal, limit: f64) -> f64 {
    if signal.range.is_some() { limit } else { CONSTANT_LIMIT }
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
    let seen = if modes.is_empty() { &[][..] } else { &events };
    let result = sample(fmu, tolerance, &times(reference, seen), &reference.names);
    let pair = |name: &str| ((&result, result.index(name)), (reference, reference.index(name)));
    let is_mode = |name: &&String| modes.contains(&name.as_str());
    let signal = |name: &String| {
        let (ours, theirs) = pair(name);
        Signal::compare(name, ours, theirs)
    };
    let mode = |name: &&str| {
        let (ours, theirs) = pair(name);
        Modes::compare(name, ours, theirs, Some(&events))
    };
    Comparison {
        tolerance,
        work,
        signals: reference.names.iter().filter(|name| !is_mode(name)).map(signal).collect(),
        modes: modes.iter().map(mode).collect(),
    }
}

/// Simulates in one communication step; gives the work and the instants of the events in s.
pub fn simulate(fmu: &Fmu, tolerance: f64, stop: f64) -> (Work, Vec<f64>) {
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
