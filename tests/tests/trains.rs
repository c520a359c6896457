//! Random drive trains as FMUs: what they compute does not depend on who integrates, nor on the
//! steps.

use coupler_tests::crate_text::CrateText;
use coupler_tests::curves::Table;
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, Kind, root};
use std::path::Path;

const BUILD: &str = "//! Writes the equations.\n\
    #[path = \"src/model.rs\"]\nmod model;\n\
    fn main() {\n    mechanics::build(model::train);\n}\n";

/// Tolerance of all runs.
const TOLERANCE: f64 = 1e-8;

/// How much curves may differ, as a part of their range or of 1 rad or 1 rad/s.
const DIFFERENCE: f64 = 1e-4;

/// Builds the drive train of a seed in a folder.
fn build(seed: u64, folder: &Path) -> Fmu {
    let trains = root().join("models/mechanics/tests/common/trains.rs");
    let model = format!(
        "//! A random drive train.\n\nuse mechanics::prelude::*;\n\n\
         #[path = {trains:?}]\nmod trains;\n\n\
         /// The model.\npub fn train(m: &mut Assembly) {{\n    trains::train(m, {seed});\n}}\n"
    );
    let export = "//! A random drive train.\n\nfmu_runtime::export!();\n";
    CrateText { package: "train", build: BUILD, export, model: &model }.build(folder)
}

/// The largest difference at the times of the reference, whose step is this many times longer, and
/// where it is.
fn difference(table: &Table, reference: &Table, times: usize) -> (f64, String) {
    let mut largest = (0.0, String::new());
    for (k, name) in reference.names.iter().enumerate() {
        let values = reference.rows.iter().map(|row| row[k]);
        let high = values.clone().fold(f64::NEG_INFINITY, f64::max);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        for (i, value) in values.enumerate() {
            let part = (table.rows[i * times][k] - value).abs() / (high - low).max(1.0);
            if part.is_nan() || part > largest.0 {
                largest = (part, format!("{name} at {} s", reference.time[i]));
            }
        }
    }
    largest
}

/// What is wrong with the drive train of a seed.
fn wrong(seed: u64) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = build(seed, folder.path());
    let states = fmu.states();
    let run = |h: f64| Run { tolerance: Some(TOLERANCE), h, record: &states, ..Run::of(&fmu, h) };
    let reference = run(0.1).co_simulation(&fmu);
    let others = [
        ("steps of 0.05 s", run(0.05).co_simulation(&fmu), 2),
        ("steps of 0.02 s", run(0.02).co_simulation(&fmu), 5),
        ("CVode", run(0.1).fmpy(&fmu, Kind::ModelExchange), 1),
    ];
    let compared =
        others.iter().map(|(what, table, times)| (what, difference(table, &reference, *times)));
    let far = compared.filter(|(_, (part, _))| part.is_nan() || *part > DIFFERENCE);
    far.map(|(what, (part, place))| format!("seed {seed}, {what}: {part:.1e}, {place}")).collect()
}

/// Each takes about 8 s to build. Others may be given by the environment variable `COUPLER_SEEDS`, as
/// in `0..200`.
#[test]
fn random_drive_trains_do_the_same_in_three_communication_steps_and_in_cvode() {
    let text = std::env::var("COUPLER_SEEDS").unwrap_or_else(|_| "0..6".to_owned());
    let (first, end) = text.split_once("..").expect("COUPLER_SEEDS is like 0..200");
    let number = |text: &str| text.parse::<u64>().expect("COUPLER_SEEDS is like 0..200");
    let mut found = Vec::new();
    for seed in number(first)..number(end) {
        let wrong = wrong(seed);
        wrong.iter().for_each(|wrong| eprintln!("{wrong}"));
        found.extend(wrong);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
