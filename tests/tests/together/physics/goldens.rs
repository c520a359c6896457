//! Tests that the results of every model do not change: twenty rows each, which `cargo xtask bless`
//! rewrites.

use std::fs;
use std::path::PathBuf;

use coupler_tests::curves::{Columns, TimeSeries, distance, read};
use coupler_tests::fmu::{signals, starts};
use coupler_tests::runs::Run;
use coupler_tests::validation::played;
use coupler_tests::{Fmu, root, simulations};
use models::MODELS;

/// The tolerance of the simulations; results may differ by a hundred times as much.
const TOLERANCE: f64 = 1e-9;

/// The golden file of a model, by its FMI name.
fn file(model: &str) -> PathBuf {
    root().join(format!("tests/goldens/{model}.csv"))
}

/// Asserts that results agree with the golden file.
fn compare(model: &str, result: &TimeSeries) {
    let path = file(model);
    assert!(path.is_file(), "{}: `cargo xtask bless` writes it", path.display());
    let golden = read(&path);
    assert_eq!(golden.names, result.names, "{model}");
    for name in &golden.names {
        let apart = distance(&result.column(name), &golden.column(name));
        assert!(apart <= 100.0 * TOLERANCE, "{model}: {name} differs by {apart:e}");
    }
}

#[test]
fn results_of_all_models_on_the_tape_are_those_of_the_golden_files() {
    let bless = std::env::var_os("COUPLER_BLESS").is_some();
    for model in MODELS.models {
        let name = model.fmi_name();
        let description = played(&name).description;
        let mut simulation = simulations::named(&name);
        simulations::start(&mut simulation, Some(TOLERANCE), starts(&name));
        let stop = simulation.info().stop_time;
        let names = signals(&description);
        let result = simulations::table(&mut simulation, stop / 20.0, stop, &names);
        if bless {
            let note = format!("# {name} at tolerance {TOLERANCE:e}: `cargo xtask bless`.\n");
            fs::write(file(&name), note + &result.text()).expect("the golden file is written");
        } else {
            compare(&name, &result);
        }
    }
}

#[test]
fn results_of_every_fmu_are_those_of_the_golden_files() {
    if std::env::var_os("COUPLER_BLESS").is_some() {
        // The test of the tapes writes the golden files at the same time.
        return coupler_tests::skipped("the golden files are being written");
    }
    for fmu in Fmu::all() {
        let stop = fmu.stop_time();
        let run = Run { tolerance: Some(TOLERANCE), stop, h: stop / 20.0, ..Run::of(&fmu, 1.0) };
        compare(fmu.name(), &run.co_simulation(&fmu));
    }
}
