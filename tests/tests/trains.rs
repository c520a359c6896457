//! Random drive trains as FMUs: what they compute does not depend on who integrates, nor on the
//! steps.

use coupler_tests::curves::Table;
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, Kind, own};
use mechanics::Assembly;

#[path = "../../models/mechanics/tests/common/trains.rs"]
#[allow(dead_code, reason = "a train knows more than is asked here")]
mod trains;

/// Tolerance of all runs.
const TOLERANCE: f64 = 1e-8;

/// How much curves may differ, as a part of their range or of 1 rad or 1 rad/s.
const DIFFERENCE: f64 = 1e-4;

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
fn wrong(seed: u64, fmu: &Fmu) -> Vec<String> {
    let states = fmu.states();
    let run = |h: f64| Run { tolerance: Some(TOLERANCE), h, record: &states, ..Run::of(fmu, h) };
    let reference = run(0.1).co_simulation(fmu);
    let others = [
        ("steps of 0.05 s", run(0.05).co_simulation(fmu), 2),
        ("steps of 0.02 s", run(0.02).co_simulation(fmu), 5),
        ("CVode", run(0.1).fmpy(fmu, Kind::ModelExchange), 1),
    ];
    let compared =
        others.iter().map(|(what, table, times)| (what, difference(table, &reference, *times)));
    let far = compared.filter(|(_, (part, _))| part.is_nan() || *part > DIFFERENCE);
    far.map(|(what, (part, place))| format!("seed {seed}, {what}: {part:.1e}, {place}")).collect()
}

/// Other seeds may be given by the environment variable `COUPLER_SEEDS`, as in `0..200`.
#[test]
fn random_drive_trains_do_the_same_in_three_communication_steps_and_in_cvode() {
    let text = std::env::var("COUPLER_SEEDS").unwrap_or_else(|_| "0..6".to_owned());
    let (first, end) = text.split_once("..").expect("COUPLER_SEEDS is like 0..200");
    let number = |text: &str| text.parse::<u64>().expect("COUPLER_SEEDS is like 0..200");
    let seeds = number(first)..number(end);
    let train = |seed: u64| {
        let name = format!("train{seed}");
        let text = |m: &mut Assembly| drop(trains::train(m, seed));
        let program = own::program(&name, text);
        (name, program)
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmus = own::compiled_all(seeds.clone().map(train).collect(), folder.path());
    let mut found = Vec::new();
    for (seed, fmu) in seeds.zip(&fmus) {
        let wrong = wrong(seed, fmu);
        wrong.iter().for_each(|wrong| eprintln!("{wrong}"));
        found.extend(wrong);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
