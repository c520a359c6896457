//! The error of results against the work that they need: the FMU's own solver next to solvers that
//! drive the same FMU in Model Exchange.
//!
//! `tests/python/accuracy.py` simulates. The work of a solver at a given error follows by
//! interpolation in the logarithms of both.

use std::fmt::Write as _;

use coupler_tests::python::script;
use coupler_tests::{Fmu, own, target};
use fmu_builder::models::{Traced, camel_case};
use models::MODELS;
use serde_json::{Value, json};

use crate::{Options, report};

/// The models: smooth ones, then ones with events.
const MODELS_COMPARED: [&str; 10] = [
    "Pendulum",
    "DoublePendulum",
    "Fourbar1",
    "Fourbar2",
    "Engine1a",
    "TumblingBody",
    "PointGravity",
    "ThreeSprings",
    "CoupledClutches",
    "RotationalFriction",
];

/// Relative tolerances, so many that every solver reaches each of [`LEVELS`].
const TOLERANCES: [f64; 11] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12];

/// The errors at which the work of two solvers is compared.
const LEVELS: [f64; 3] = [1e-4, 1e-6, 1e-8];

/// Points at which errors are measured.
const POINTS: usize = 40;

/// The solvers in Model Exchange, as the script names them.
const OTHERS: [&str; 3] = ["DOP853", "CVode, Adams", "CVode, BDF"];

/// The FMU's own solver, as the script names it.
const OWN: &str = "Co-Simulation";

/// Errors below this multiple of the distance of two references are not compared.
const ABOVE_FLOOR: f64 = 3.0;

/// A simulation: its tolerance, its number of right-hand sides, its error.
#[derive(Clone, Copy, Debug)]
struct Point {
    tolerance: f64,
    work: f64,
    error: f64,
}

/// The results of a model.
struct Compared {
    model: String,
    /// The distance of two references, relative to the range of each output.
    floor: f64,
    own: Vec<Point>,
    others: Vec<(&'static str, Vec<Point>)>,
}

/// Measures and reports; false if there is nothing to measure.
pub fn run(options: &Options) -> bool {
    let wanted = |name: &str| match options.names.is_empty() {
        true => MODELS_COMPARED.contains(&name),
        false => options.names.iter().any(|n| n == name),
    };
    let traced: Vec<Traced> = MODELS
        .models
        .iter()
        .filter(|model| wanted(&camel_case(model.name)))
        .map(|model| MODELS.trace(model).unwrap_or_else(|error| panic!("{error}")))
        .collect();
    if traced.is_empty() {
        return false;
    }
    // Tapes compute the same bits as compiled libraries, and are built faster.
    let folder = target().join("bench/played");
    let fmus: Vec<Fmu> = traced.iter().map(|model| own::interpreted(model, &folder)).collect();
    let mut results = Vec::new();
    for (i, fmu) in fmus.iter().enumerate() {
        eprintln!("{} of {}: {}", i + 1, fmus.len(), fmu.name());
        results.push(compare(fmu));
    }
    if options.has("--page") {
        report::write_page("accuracy", &markdown(&results));
    }
    if options.has("--json") {
        println!("{:#}", Value::from_iter(results.iter().map(Compared::json)));
    } else {
        results.iter().for_each(|result| print!("{}", result.text()));
        print!("{}", markdown(&results));
    }
    true
}

/// Runs the script for an FMU.
fn compare(fmu: &Fmu) -> Compared {
    let signals = fmu.signals();
    let is_output = |name: &&&str| fmu.variable(name).causality == "output";
    let outputs: Vec<&str> = signals.iter().filter(is_output).copied().collect();
    let starts: serde_json::Map<String, Value> =
        fmu.starts().iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let job = json!({
        "fmu": fmu.path,
        "stop": fmu.stop_time(),
        "points": POINTS,
        "tolerances": TOLERANCES,
        "starts": starts,
        "outputs": if outputs.is_empty() { signals } else { outputs },
    });
    let answer = script("accuracy.py", &[&job.to_string()]);
    // Messages of the FMU come first.
    let answer = answer.lines().last().unwrap_or_default();
    let answer: Value = serde_json::from_str(answer).expect("the script prints JSON");
    let points =
        |solver: &str| answer[solver].as_array().expect("a list").iter().map(point).collect();
    Compared {
        model: fmu.name().to_owned(),
        floor: answer["floor"].as_f64().expect("a number"),
        own: points(OWN),
        others: OTHERS.into_iter().map(|solver| (solver, points(solver))).collect(),
    }
}

fn point(value: &Value) -> Point {
    let number = |i: usize| value[i].as_f64().expect("a number");
    Point { tolerance: number(0), work: number(1), error: number(2) }
}

impl Compared {
    /// The ratio of the own work to the work of another solver at each of [`LEVELS`]; `None` where
    /// one of the solvers does not reach the error, or where the references are too uncertain.
    fn ratios(&self, others: &[Point]) -> [Option<f64>; LEVELS.len()] {
        LEVELS.map(|error| {
            let certain = error > ABOVE_FLOOR * self.floor;
            let ratio = work_at(&self.own, error)? / work_at(others, error)?;
            certain.then_some(ratio)
        })
    }

    fn text(&self) -> String {
        let mut out = format!("{} (references differ by {:.1e})\n", self.model, self.floor);
        let row = |name: &str, points: &[Point], ratios: &str| {
            let point = |p: &Point| format!("{} {:.1e}", p.work, p.error);
            let points: Vec<String> = points.iter().map(point).collect();
            format!("  {name:13} {} {ratios}\n", points.join(", "))
        };
        out.push_str(&row(OWN, &self.own, ""));
        for (name, points) in &self.others {
            out.push_str(&row(name, points, &format!("({})", cell(&self.ratios(points)))));
        }
        out
    }

    fn json(&self) -> Value {
        let list = |points: &[Point]| -> Value {
            let point = |p: &Point| json!({ "tolerance": p.tolerance, "right_hand_sides": p.work, "error": p.error });
            points.iter().map(point).collect()
        };
        let others: serde_json::Map<String, Value> = self
            .others
            .iter()
            .map(|(name, points)| {
                let value = json!({ "points": list(points), "ratios": self.ratios(points) });
                ((*name).to_owned(), value)
            })
            .collect();
        json!({
            "model": self.model, "floor": self.floor, "levels": LEVELS,
            "own": list(&self.own), "others": others,
        })
    }
}

/// Ratios at each of [`LEVELS`], as a cell of a table.
fn cell(ratios: &[Option<f64>]) -> String {
    let text = |ratio: &Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
    ratios.iter().map(text).collect::<Vec<String>>().join(" / ")
}

/// The work of a solver with an error, by interpolation in the logarithms of both between
/// simulations with neighbouring errors; `None` outside of its errors.
fn work_at(points: &[Point], error: f64) -> Option<f64> {
    let mut sorted: Vec<Point> = points.iter().copied().filter(|p| p.error > 0.0).collect();
    sorted.sort_by(|a, b| a.error.total_cmp(&b.error));
    let pair = sorted.windows(2).find(|w| w[0].error <= error && error <= w[1].error)?;
    let [small, large] = [pair[0], pair[1]];
    let span = (large.error / small.error).ln();
    let share = if span > 0.0 { (error / small.error).ln() / span } else { 0.0 };
    Some((small.work.ln() + share * (large.work / small.work).ln()).exp())
}

/// The table of docs/performance.md: the ratios of work, and their geometric means.
fn markdown(results: &[Compared]) -> String {
    let levels = LEVELS.map(|level| format!("{level:e}")).join(" / ");
    let mut out = format!("| model, errors {levels} | {} |\n|---|", OTHERS.join(" | "));
    out.push_str(&"---|".repeat(OTHERS.len()));
    out.push('\n');
    let mut all = [[(); LEVELS.len()]; OTHERS.len()].map(|row| row.map(|()| Vec::new()));
    for result in results {
        let _ = write!(out, "| {} |", result.model);
        for ((_, points), all) in result.others.iter().zip(&mut all) {
            let ratios = result.ratios(points);
            let _ = write!(out, " {} |", cell(&ratios));
            all.iter_mut().zip(ratios).for_each(|(all, ratio)| all.extend(ratio));
        }
        out.push('\n');
    }
    out.push_str("| geometric mean |");
    for row in &all {
        let mean = |ratios: &Vec<f64>| {
            let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
            (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
        };
        let _ = write!(out, " {} |", cell(&row.iter().map(mean).collect::<Vec<_>>()));
    }
    out.push('\n');
    out
}
