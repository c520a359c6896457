//! Compares a table, or an FMU that is simulated for it, with a reference.

use super::measure::{Deviation, ModeComparison, times};
use fmus::csv::{TimeSeries, number};
use fmus::error::Error;
use fmus::fmi::FmuType;
use fmus::fmu::Fmu;
use fmus::model_description::Base;
use simulation::run::{self, Options, Overrides};

/// The comparison of a result with a reference.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Real columns, the worst first.
    pub signals: Vec<Deviation>,
    /// Integer and Boolean columns.
    pub modes: Vec<ModeComparison>,
    /// The result, at the times at which it was compared or as it was given.
    pub result: TimeSeries,
    /// Whether the result has all columns of the reference, at all its times.
    pub complete: bool,
    /// Messages about what was not compared.
    pub notes: Vec<String>,
}

impl Compared {
    /// Whether a signal differs by more than a fraction of its range, a mode differs in its values,
    /// or something could not be compared.
    pub fn exceeds(&self, limit: f64) -> bool {
        !self.complete
            || self.signals.iter().any(|signal| signal.error > limit)
            || self.modes.iter().any(|modes| modes.apart().is_none())
    }

    fn new(
        result: TimeSeries,
        reference: &TimeSeries,
        is_mode: impl Fn(&str) -> bool,
        events: Option<&[f64]>,
        mut notes: Vec<String>,
    ) -> Result<Compared, Error> {
        let (mut signals, mut modes, mut missing) = (Vec::new(), Vec::new(), Vec::new());
        for (theirs, name) in reference.names.iter().enumerate() {
            let Some(ours) = result.names.iter().position(|n| n == name) else {
                missing.push(name.as_str());
                continue;
            };
            let (ours, theirs) = ((&result, ours), (reference, theirs));
            if is_mode(name) {
                modes.push(ModeComparison::compare(name, ours, theirs, events));
            } else {
                signals.push(Deviation::compare(name, ours, theirs));
            }
        }
        if signals.is_empty() && modes.is_empty() {
            let names = reference.names.join(", ");
            return Err(Error::Request(format!(
                "the result has none of the columns of the reference: {names}"
            )));
        }
        let mut complete = missing.is_empty();
        if !complete {
            notes.push(format!("not in the result: {}", missing.join(", ")));
        }
        let ends = |table: &TimeSeries| table.time.first().copied().zip(table.time.last().copied());
        if let (Some(ours), Some(theirs)) = (ends(&result), ends(reference))
            && (ours.0 > theirs.0 || ours.1 < theirs.1)
        {
            let [covered, wanted] =
                [ours, theirs].map(|(from, to)| format!("{} s to {} s", number(from), number(to)));
            let what = format!("the result covers {covered} only, the reference {wanted}");
            if ours.1 < theirs.0 || theirs.1 < ours.0 {
                return Err(Error::Request(format!("{what}: there is nothing to compare")));
            }
            complete = false;
            notes.push(what);
        }
        signals.sort_by(|a, b| b.error.total_cmp(&a.error));
        Ok(Compared { signals, modes, result, complete, notes })
    }
}

/// Compares two tables. Columns that have only whole numbers in both tables are modes.
///
/// # Errors
/// If they have no column or no time in common.
pub fn tables(result: TimeSeries, reference: &TimeSeries) -> Result<Compared, Error> {
    let whole = |table: &TimeSeries, name: &str| {
        let index = table.names.iter().position(|n| n == name);
        index.is_some_and(|index| table.rows.iter().all(|row| row[index].fract() == 0.0))
    };
    let modes: Vec<String> =
        reference.names.iter().filter(|n| whole(reference, n)).cloned().collect();
    let modes: Vec<String> = modes.into_iter().filter(|name| whole(&result, name)).collect();
    Compared::new(result, reference, |name| modes.iter().any(|n| n == name), None, Vec::new())
}

/// Simulates an FMU with a communication point at each time of a reference, and at the times in s
/// that the options may name, and compares. Without other options, the experiment is as long as the
/// reference.
///
/// # Errors
/// If the FMU cannot be simulated to the end, or has no variable of the reference.
pub fn fmu(
    fmu: &Fmu,
    reference: &TimeSeries,
    options: &Options<'_>,
    progress: &mut dyn FnMut(f64),
) -> Result<Compared, Error> {
    let description = &fmu.description;
    let is_known = |name: &&String| {
        description.variable(name).is_some_and(|variable| variable.base != Base::String)
    };
    let names: Vec<String> = reference.names.iter().filter(is_known).cloned().collect();
    if names.is_empty() {
        let (model, names) = (&description.model_name, reference.names.join(", "));
        return Err(Error::Request(format!(
            "{model} has none of the variables of the reference: {names}"
        )));
    }
    let is_mode =
        |name: &str| description.variable(name).is_some_and(|variable| variable.base != Base::Real);
    let simulate = |rows: &[f64], events, progress: &mut dyn FnMut(f64)| {
        let mut options = Options { variables: Some(&names), events, ..options.clone() };
        options.overrides = overrides(reference, &options.overrides);
        // An FMU with a fixed step size makes its own steps; between them the result is linear.
        options.rows = any_step(fmu, options.fmu_type).then_some(rows);
        let mut outcome = run::simulate(fmu, &options, progress)?;
        outcome.failure.take().map_or(Ok(outcome), Err)
    };
    let has_modes = names.iter().any(|name| is_mode(name));
    let points = options.rows.unwrap_or_default();
    let mut rows = times(reference, &[], points);
    let mut events = None;
    if has_modes {
        let logged = simulate(&rows, true, &mut |_| ())?.events;
        let mut found: Vec<f64> = logged.iter().map(|event| event.time).collect();
        found.dedup();
        rows = times(reference, &found, points);
        // An FMU that does not log events may nevertheless have some.
        events = Some(found).filter(|found| !found.is_empty());
    }
    let outcome = simulate(&rows, false, progress)?;
    Compared::new(outcome.table, reference, is_mode, events.as_deref(), outcome.notes)
}

/// The experiment, by default from the first to the last time of the reference.
fn overrides(reference: &TimeSeries, overrides: &Overrides) -> Overrides {
    let start = overrides.start.or(reference.time.first().copied());
    let stop = overrides.stop.or(reference.time.last().copied());
    Overrides { start, stop, ..*overrides }
}

fn any_step(fmu: &Fmu, fmu_type: Option<FmuType>) -> bool {
    let co_simulation = fmu.description.co_simulation.as_ref();
    let co_simulation = co_simulation.filter(|_| fmu_type != Some(FmuType::ModelExchange));
    co_simulation.is_none_or(|cs| cs.flag("canHandleVariableCommunicationStepSize"))
}
