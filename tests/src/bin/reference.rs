//! Writes docs/validation.md and the quoted figures: `cargo xtask reference` runs it.

use std::fmt::Write;
use std::fs;
use std::process::ExitCode;

use coupler_tests::curves::{Columns, TimeSeries};
use coupler_tests::mechanisms::SECTION;
use coupler_tests::published::{PUBLISHED, PublishedExample, reference_folder};
use coupler_tests::root;
use coupler_tests::runs::SolverWork;
use coupler_tests::stop_impact::section;
use coupler_tests::validation::{PublishedComparison, compare, modes, played, tolerance, work};
use fmu_builder::compare::{ModeComparison, TRANSIENT, events, instants};
use program::SolverCount;

/// The tolerance of the second simulation of each model: the remaining difference is not due to the
/// FMU.
const STRICT: f64 = 1e-9;

const INTRODUCTION: &str = "\
# Validation

This page compares models that are examples of the Modelica Standard Library with the results that the Modelica
Association publishes. `cargo xtask reference` writes it. Tests make the same comparison with the numbers in
`tests/figures`, which are quoted from these results, and with the whole curves if the environment variable
`COUPLER_REFERENCE` names their folder. `fmu compare FMU REFERENCE.csv` makes this comparison for any FMU and any
reference.

* Each model runs in Co-Simulation with a communication point at every published time.
* *Error* is the largest difference over all published times, divided by the signal's range (largest minus
  smallest published value). A constant signal has no range; its error is absolute, or relative to its value if
  this is larger than one.
* If the reference has two rows for the same time (an event), every value between those of the two rows is correct.
  If the result also has two rows there, both must be between them. If only the result has two rows, the closer
  one counts.
* *Modes* are the columns of modes of friction elements (`mode`, `startForward`, `startBackward`): result and
  reference must contain the same values in the same order. The two events of one transition (an element starts,
  then moves) are separated by microseconds, which depend on the tool's hysteresis. A value that remains for less
  than 1 ms is therefore not compared. The value in the last row is always compared, unless there is an event at
  this time. *Apart* is the largest difference between the instants at which a mode changes.
* The column *at 1e-9* is the error of a second run of the same model with the tolerance 1e-9. The published results
  were computed with the tolerance 1e-6, so an error that remains in this column is due to them.

Numbers may differ in their last digits between machines.
";

fn main() -> ExitCode {
    let Some(folder) = reference_folder() else {
        eprintln!("COUPLER_REFERENCE must name the folder of the published curves");
        return ExitCode::FAILURE;
    };
    let mut all = Vec::new();
    for published in PUBLISHED {
        let curves = published.curves(&folder);
        let fmu = played(published.model);
        fs::write(published.figures_path(), quote(published, &curves, &modes(&fmu, &curves)))
            .expect("the figures are written");
        let usual = tolerance(&fmu);
        let comparisons = [usual, STRICT].map(|t| compare(&fmu, &curves, t));
        all.push((published, work(&fmu, usual, curves.end()), comparisons));
    }
    let path = root().join("docs/validation.md");
    fs::write(&path, document(&all)).expect("the document is written");
    println!("{}", path.display());
    ExitCode::SUCCESS
}

/// Quotes figures: the beginning, some rows far from events, and the changes of modes.
fn quote(published: &PublishedExample, curves: &TimeSeries, modes: &[&str]) -> String {
    const ROWS: usize = 13;
    let (end, events) = (curves.end(), events(curves));
    let far = |t: f64| t == end || events.iter().all(|event| (t - event).abs() > TRANSIENT);
    let candidates: Vec<f64> = curves.time.iter().copied().filter(|t| far(*t)).collect();
    let mut times = vec![curves.time[0]];
    for k in 1..=ROWS {
        let goal = end * k as f64 / ROWS as f64;
        let off = |t: &f64| (t - goal).abs();
        times.extend(candidates.iter().min_by(|a, b| off(a).total_cmp(&off(b))));
    }
    for name in modes {
        times
            .extend(ModeComparison::held(curves, curves.index(name)).iter().map(|held| held.since));
    }
    let mut figures = TimeSeries { names: curves.names.clone(), ..TimeSeries::default() };
    for (t, rows) in instants(curves).into_iter().filter(|(t, _)| times.contains(t)) {
        // At an event, the values before and after it.
        let mut both = vec![&curves.rows[rows.start], &curves.rows[rows.end - 1]];
        both.dedup();
        for row in both {
            figures.time.push(t);
            figures.rows.push(row.clone());
        }
    }
    let source = "Modelica Association reference results, Modelica Standard Library 4.x";
    format!("# {source}: {}.\n{}", published.title(), figures.text())
}

type Compared<'a> = (&'a PublishedExample, SolverWork, [PublishedComparison; 2]);

/// The page: a table of the models, then the signals of each, then what is compared otherwise.
fn document(all: &[Compared]) -> String {
    let mut text = format!("{INTRODUCTION}\n## Models\n\n");
    text += "| model | tolerance | steps | right-hand sides | state events | largest error | at 1e-9 | \
             changes of modes | apart in s |\n|---|---|---|---|---|---|---|---|---|\n";
    for (published, work, [usual, strict]) in all {
        let worst = |c: &PublishedComparison| c.signals.iter().map(|s| s.error).fold(0.0, f64::max);
        let modes = usual.modes.iter().filter(|m| !published.open.contains(&&*m.name));
        let changes: usize = modes.clone().map(ModeComparison::changes).sum();
        let apart: Option<Vec<f64>> = modes.map(ModeComparison::apart).collect();
        let apart = match apart {
            Some(apart) if apart.is_empty() => String::new(),
            Some(apart) => format!("{:.1e}", apart.into_iter().fold(0.0, f64::max)),
            None => "other modes".to_owned(),
        };
        let changes = if apart.is_empty() { String::new() } else { changes.to_string() };
        let _ = writeln!(
            text,
            "| {} | {:e} | {} | {} | {} | {:.1e} | {:.1e} | {changes} | {apart} |",
            published.model,
            usual.tolerance,
            work.of(SolverCount::Steps),
            work.of(SolverCount::Evaluations),
            work.of(SolverCount::StateEvents),
            worst(usual),
            worst(strict),
        );
    }
    text += "\n## Signals\n";
    all.iter().for_each(|compared| signals(&mut text, compared));
    text + SECTION + &section()
}

/// The signals of one model.
fn signals(text: &mut String, (published, _, [usual, strict]): &Compared) {
    let _ = write!(text, "\n### {}\n\n`{}`.", published.model, published.title());
    if !published.note.is_empty() {
        let _ = write!(text, " {}", published.note);
    }
    *text += "\n\n| signal | range | error | at 1e-9 |\n|---|---|---|---|\n";
    for (signal, strict) in usual.signals.iter().zip(&strict.signals) {
        let range = signal.range.map_or("constant".to_owned(), four_digits);
        let (name, error, strict) = (&signal.name, signal.error, strict.error);
        let _ = writeln!(text, "| `{name}` | {range} | {error:.1e} | {strict:.1e} |");
    }
}

/// A number to four digits.
fn four_digits(v: f64) -> String {
    format!("{v:.3e}").parse().map_or_else(|_| v.to_string(), |rounded: f64| rounded.to_string())
}
