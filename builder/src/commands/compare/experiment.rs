//! Simulates an experiment that an FMU contains, and compares with its known result.

use super::against::{self, Compared};
use super::measure::{Deviation, instants};
use check::reference_test::{Comparison, ReferenceRun, SignalDeviation};
use fmus::csv::TimeSeries;
use fmus::error::{Error, FileContext};
use fmus::fmu::Fmu;
use fmus::wording::rounded;
use simulation::run::{Options, Overrides, RunPlan};

/// The number of communication steps up to which all are made; a longer experiment has its
/// communication points at the times of the known result only, so that all rows fit into memory.
const MAX_STEPS: usize = 1_000_000;

/// Communication points that are closer than this, relative to the step, are one.
const SAME: f64 = 1e-9;

/// Simulates an FMU with the settings, the inputs and the parameters of an experiment, and compares
/// its result with the known one.
///
/// # Errors
/// If the simulation is not possible, or fails.
pub fn experiment(fmu: &Fmu, run: &ReferenceRun) -> Result<Comparison, Error> {
    let overrides = Overrides {
        start: run.start,
        // Without a stop time, the experiment ends with its result.
        stop: run.stop.or(fmu.description.experiment.stop_time).or(run
            .reference
            .time
            .last()
            .copied()),
        step: run.step,
        tolerance: run.tolerance,
    };
    let plan = RunPlan::of(&fmu.description, &overrides)?;
    let overrides = Overrides { start: Some(plan.start), stop: Some(plan.stop), ..overrides };
    let points = points(&plan, &run.reference);
    let place = std::env::temp_dir();
    let folder = tempfile::tempdir().attempt("make a folder in", &place)?;
    let file = folder.path().join("inputs.csv");
    let input =
        run.inputs.as_ref().map(|inputs| inputs.write(&file).map(|()| &*file)).transpose()?;
    let options =
        Options { overrides, set: &run.set, input, rows: Some(&points), ..Options::default() };
    let compared = against::fmu(fmu, &run.reference, &options, &mut |_| ())?;
    let gaps = if compared.complete { Vec::new() } else { compared.notes.clone() };
    let signals = deviations(&compared, &run.reference, plan.stop - plan.start);
    Ok(Comparison { signals, gaps, result: compared.result })
}

/// The communication points of an experiment that are not already times of the known result.
fn points(plan: &RunPlan, reference: &TimeSeries) -> Vec<f64> {
    let near = SAME * plan.step;
    let is_new = |point: &f64| {
        let next = reference.time.partition_point(|t| *t < point - near);
        reference.time.get(next).is_none_or(|t| *t > point + near)
    };
    if plan.steps > MAX_STEPS {
        return [plan.start, plan.stop].into_iter().filter(is_new).collect();
    }
    (0..=plan.steps).map(|index| plan.point(index)).filter(is_new).collect()
}

/// The deviations of all signals of an experiment that takes some time in s.
fn deviations(compared: &Compared, reference: &TimeSeries, duration: f64) -> Vec<SignalDeviation> {
    let value = |Deviation { name, range, error, at }: &Deviation| {
        let of = if range.is_some() { "its range" } else { "its value" };
        let what = format!("deviates by {} of {of} at {} s", rounded(*error, 2), rounded(*at, 6));
        SignalDeviation { name: name.clone(), error: *error, what }
    };
    let mode = |name: &str| {
        let column =
            |table: &TimeSeries| table.names.iter().position(|known| known == name).unwrap_or(0);
        let (theirs, ours) = (column(reference), column(&compared.result));
        let (late, at) = lateness((&compared.result, ours), (reference, theirs));
        let [late_by, at] = [rounded(late, 2), rounded(at, 6)];
        let what = match late.is_finite() {
            true => format!("takes its value at {at} s only {late_by} s earlier or later"),
            false => format!("never takes its value at {at} s"),
        };
        SignalDeviation { name: name.to_owned(), error: late / duration, what }
    };
    let modes = compared.modes.iter().map(|modes| mode(&modes.name));
    compared.signals.iter().map(value).chain(modes).collect()
}

/// For a signal of whole numbers, the time in s by which the result takes a value of the reference
/// earlier or later than one row of the reference, at most, and the time of that row. Between two
/// rows the reference may have had further values.
fn lateness(
    (result, ours): (&TimeSeries, usize),
    (reference, theirs): (&TimeSeries, usize),
) -> (f64, f64) {
    let rows = instants(reference);
    let mut worst = (0.0, 0.0);
    for (index, (t, same)) in rows.iter().enumerate() {
        let before = index.checked_sub(1).map_or(0.0, |before| t - rows[before].0);
        let after = rows.get(index + 1).map_or(0.0, |next| next.0 - t);
        for row in same.clone() {
            let value = reference.rows[row][theirs];
            let late = distance(result, ours, *t, value) - before.max(after);
            if late > worst.0 {
                worst = (late, *t);
            }
        }
    }
    worst
}

/// The time in s from an instant to the nearest row with a value; infinite if there is none.
fn distance(table: &TimeSeries, column: usize, t: f64, value: f64) -> f64 {
    let place = table.time.partition_point(|time| *time < t);
    let has_value = |row: &usize| table.rows[*row][column] == value;
    let after = (place..table.time.len()).find(has_value);
    let before = (0..place).rev().find(has_value);
    let apart = [after, before].into_iter().flatten().map(|row| (table.time[row] - t).abs());
    apart.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(f64, f64)]) -> TimeSeries {
        TimeSeries {
            names: vec!["m".to_owned()],
            time: rows.iter().map(|row| row.0).collect(),
            rows: rows.iter().map(|row| vec![row.1]).collect(),
        }
    }

    #[test]
    fn a_mode_may_change_a_row_earlier_or_later_but_must_take_all_values() {
        let reference = table(&[(0.0, 0.0), (0.1, 0.0), (0.2, 1.0), (0.3, 2.0), (0.4, 2.0)]);
        let late = |rows: &[(f64, f64)]| lateness((&table(rows), 0), (&reference, 0));
        let alike = [(0.0, 0.0), (0.1, 0.0), (0.2, 0.0), (0.25, 1.0), (0.3, 2.0), (0.4, 2.0)];
        assert_eq!(late(&alike).0, 0.0);
        let (time, at) = late(&[(0.0, 0.0), (0.1, 1.0), (0.4, 2.0)]);
        assert_eq!(time, 0.0, "{at}");
        let (time, at) =
            late(&[(0.0, 0.0), (0.1, 0.0), (0.2, 0.0), (0.3, 0.0), (0.6, 1.0), (0.9, 2.0)]);
        assert!((time - 0.5).abs() < 1e-12 && at == 0.3, "{time} {at}");
        let (time, at) = late(&[(0.0, 0.0), (0.2, 2.0), (0.4, 2.0)]);
        assert_eq!((time, at), (f64::INFINITY, 0.2));
    }

    #[test]
    fn communication_points_are_those_of_the_experiment_and_of_the_result() {
        let plan = RunPlan { start: 0.0, stop: 0.4, step: 0.1, tolerance: None, steps: 4 };
        let reference = table(&[(0.1, 0.0), (0.15, 0.0), (0.1 * 3.0, 0.0)]);
        assert_eq!(points(&plan, &reference), [0.0, 0.2, 0.4]);
        let long = RunPlan { steps: MAX_STEPS + 1, ..plan };
        assert_eq!(points(&long, &reference), [0.0, 0.4]);
    }
}
