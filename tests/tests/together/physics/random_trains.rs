//! Tests that results of random drive trains depend neither on the integrator nor on the steps.

use coupler_tests::curves::TimeSeries;
use coupler_tests::runs::Run;
use coupler_tests::{FmuType, own, simulations};
use mechanics::Assembly;

#[path = "../../../../models/mechanics/tests/mechanics/common/random_trains.rs"]
#[allow(dead_code, reason = "these tests use a part of the file")]
mod texts;

/// Tolerance of all runs.
const TOLERANCE: f64 = 1e-8;

/// Maximum difference of curves, relative to their range or to 1 rad or 1 rad/s.
const DIFFERENCE: f64 = 1e-4;

/// The largest difference at the times of the reference, whose step is `times` as long, and its
/// place.
fn difference(table: &TimeSeries, reference: &TimeSeries, times: usize) -> (f64, String) {
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

/// The differences that are too large for the drive train of a seed.
fn wrong(seed: u64) -> Vec<String> {
    let train =
        own::traced(&format!("train{seed}"), |m: &mut Assembly| drop(texts::train(m, seed)));
    let mut simulation = simulations::of(&train);
    let info = simulation.info();
    let states: Vec<&str> = info.states.iter().map(|state| state.name).collect();
    let [reference, half, fifth] = [0.1, 0.05, 0.02].map(|h| {
        simulations::start(&mut simulation, Some(TOLERANCE), &[]);
        simulations::table(&mut simulation, h, info.stop_time, &states)
    });
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = own::interpreted(&train, folder.path());
    let run = Run { tolerance: Some(TOLERANCE), record: &states, ..Run::of(&fmu, 0.1) };
    let others = [
        ("steps of 0.05 s", half, 2),
        ("steps of 0.02 s", fifth, 5),
        ("CVode", run.fmpy(&fmu, FmuType::ModelExchange), 1),
    ];
    let compared =
        others.iter().map(|(what, table, times)| (what, difference(table, &reference, *times)));
    let far = compared.filter(|(_, (part, _))| part.is_nan() || *part > DIFFERENCE);
    far.map(|(what, (part, place))| format!("seed {seed}, {what}: {part:.1e}, {place}")).collect()
}

/// The environment variable `COUPLER_SEEDS` can set other seeds, such as `0..200`.
#[test]
fn random_drive_trains_give_the_same_curves_for_three_communication_steps_and_in_cvode() {
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
