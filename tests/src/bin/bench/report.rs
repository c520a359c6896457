//! The measurements as rows: as a table for the terminal, as JSON, and in docs/performance.md.

use std::fmt::Write as _;
use std::fs;

use coupler_tests::root;
use coupler_tests::runs::SolverWork;
use program::SolverCount;
use serde_json::{Value, json};

use crate::candidate::Candidate;
use crate::moving_inputs::MovingInputs;
use crate::rows::{Comparison, Measure};
use crate::{H, TOLERANCE};

/// A row of the table. Times are in ns unless noted.
pub struct Row {
    name: String,
    step: f64,
    evaluation: Option<f64>,
    work: Option<SolverWork>,
    /// Time of instantiation and initialization.
    start: Option<f64>,
    /// Size of the library in kB.
    size: Option<f64>,
    /// The value that was read last.
    last: Option<f64>,
    /// The number of parts of a chain, and the name of a part.
    parts: Option<(usize, &'static str)>,
    compared: Option<Compared>,
}

/// The ratio of a row to another one, and whether it is as small as the goal.
struct Compared {
    with: String,
    by: &'static str,
    ratio: f64,
    goal: f64,
}

impl Compared {
    fn reached(&self) -> bool {
        self.ratio <= self.goal
    }
}

/// The rows of the measured systems.
pub fn rows(candidates: &[Candidate]) -> Vec<Row> {
    let row = |candidate: &Candidate| Row {
        name: candidate.name.clone(),
        step: candidate.nanoseconds,
        evaluation: candidate.per_evaluation(),
        work: Some(candidate.work),
        start: Some(candidate.start),
        size: Some(candidate.library_size()),
        last: Some(candidate.last),
        parts: candidate.parts,
        compared: candidate.comparison.as_ref().and_then(|c| compared(candidate, c, candidates)),
    };
    candidates.iter().map(row).collect()
}

fn compared(own: &Candidate, comparison: &Comparison, all: &[Candidate]) -> Option<Compared> {
    let other = all.iter().find(|candidate| candidate.name == comparison.with)?;
    let (by, ratio) = match comparison.measure {
        Measure::Step => ("step", own.nanoseconds / other.nanoseconds),
        Measure::Evaluation => ("right-hand side", own.per_evaluation()? / other.per_evaluation()?),
    };
    let ratio = ratio / comparison.size;
    let by = if comparison.size > 1.0 { "right-hand side per part" } else { by };
    Some(Compared { with: comparison.with.clone(), by, ratio, goal: comparison.goal })
}

/// The row of a model whose inputs change before every step.
pub fn moving_inputs(model: &str, times: MovingInputs) -> [Row; 2] {
    let name = |what: &str| format!("{model}, {what} inputs");
    let row = |i: usize, what: &str| Row {
        name: name(what),
        step: times.step[i],
        evaluation: Some(times.evaluation[i]),
        work: None,
        start: None,
        size: None,
        last: None,
        parts: None,
        compared: None,
    };
    let [constant, changing] = times.evaluation;
    let compared = Compared {
        with: name("constant"),
        by: "right-hand side",
        ratio: changing / constant,
        goal: 1.5,
    };
    [row(0, "constant"), Row { compared: Some(compared), ..row(1, "changing") }]
}

/// The table for the terminal.
pub fn text(rows: &[Row], rounds: usize) -> String {
    let mut out = format!(
        "tolerance {TOLERANCE:e}, communication step {H} s, shortest of {rounds} runs\n\
         {:28} {:>9} {:>9} {:>6} {:>7} {:>6} {:>9} {:>9} {:>11}  ratio to (by; goal)\n",
        "", "ns/step", "ns/rhs", "steps", "rhs", "events", "start us", "lib. kB", "last value"
    );
    for row in rows {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or(String::new(), |value| format!("{value:.digits$}"))
        };
        let count =
            |count: SolverCount| row.work.map_or(String::new(), |work| work.of(count).to_string());
        let _ = write!(
            out,
            "{:28} {:>9.1} {:>9} {:>6} {:>7} {:>6} {:>9} {:>9} {:>11}",
            row.name,
            row.step,
            number(row.evaluation, 1),
            count(SolverCount::Steps),
            count(SolverCount::Evaluations),
            count(SolverCount::StateEvents),
            number(row.start.map(|start| start / 1e3), 1),
            number(row.size, 0),
            number(row.last, 6),
        );
        if let Some(c) = &row.compared {
            let message = if c.reached() { "reached" } else { "missed" };
            let _ = write!(out, "  {:.2} {} ({}; {:.2} {message})", c.ratio, c.with, c.by, c.goal);
        }
        if let (Some((parts, part)), Some(evaluation)) = (row.parts, row.evaluation) {
            let each = evaluation / parts as f64;
            let _ = write!(out, "; {each:.1} ns/rhs/{part}");
        }
        out.push('\n');
    }
    out
}

/// The same as JSON; times are in ns.
pub fn json(rows: &[Row], rounds: usize) -> Value {
    let row = |row: &Row| {
        let counts = row.work.map(|work| {
            let count = |count: SolverCount| (count.name().to_owned(), work.of(count).into());
            Value::Object(SolverCount::ALL.into_iter().map(count).collect())
        });
        let compared = row.compared.as_ref().map(|c| {
            json!({
                "with": c.with, "by": c.by, "ratio": c.ratio, "goal": c.goal,
                "reached": c.reached(),
            })
        });
        json!({
            "name": row.name,
            "step": row.step,
            "right_hand_side": row.evaluation,
            "start": row.start,
            "library_kB": row.size,
            "last_value": row.last,
            "parts": row.parts.map(|(parts, _)| parts),
            "counts": counts,
            "compared": compared,
        })
    };
    json!({
        "tolerance": TOLERANCE,
        "communication_step": H,
        "rounds": rounds,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

/// The table of docs/performance.md.
pub fn markdown(rows: &[Row]) -> String {
    let mut out =
        "| system | ns per step | ns per right-hand side | start in µs | ratio | goal |\n\
                   |---|---|---|---|---|---|\n"
            .to_owned();
    for row in rows {
        let evaluation = row.evaluation.map_or(String::new(), |e| format!("{e:.0}"));
        let start = row.start.map_or(String::new(), |start| format!("{:.0}", start / 1e3));
        let (ratio, goal) = row.compared.as_ref().map_or_else(Default::default, |c| {
            let goal = format!("{:.2}{}", c.goal, if c.reached() { "" } else { ", missed" });
            (format!("{:.2} to {} ({})", c.ratio, c.with, c.by), goal)
        });
        let _ = writeln!(
            out,
            "| {} | {:.0} | {evaluation} | {start} | {ratio} | {goal} |",
            row.name, row.step
        );
    }
    out
}

/// Writes a table into docs/performance.md, between the comments that name it.
pub fn write_page(name: &str, table: &str) {
    let path = root().join("docs/performance.md");
    let page = fs::read_to_string(&path).expect("docs/performance.md is read");
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let (before, rest) = page.split_once(&begin).expect("the page has a place for the table");
    let (_, after) = rest.split_once(&end).expect("the place for the table ends");
    let page = format!("{before}{begin}{table}{end}{after}");
    fs::write(&path, page).expect("docs/performance.md is written");
}
