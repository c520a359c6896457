//! The results of every model stay what they were: twenty rows each, rewritten by `cargo xtask
//! bless`.

use std::fs;

use coupler_tests::curves::{Columns, distance, read};
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, root};

/// The tolerance of the simulations; results may move by a hundred times as much.
const TOLERANCE: f64 = 1e-9;

#[test]
fn results_are_those_of_the_golden_files() {
    let bless = std::env::var_os("COUPLER_BLESS").is_some();
    for fmu in Fmu::all() {
        let stop = fmu.stop_time();
        let run = Run { tolerance: Some(TOLERANCE), stop, h: stop / 20.0, ..Run::of(&fmu, 1.0) };
        let result = run.co_simulation(&fmu);
        let path = root().join(format!("tests/goldens/{}.csv", fmu.name()));
        if bless {
            let note =
                format!("# {} at tolerance {TOLERANCE:e}: `cargo xtask bless`.\n", fmu.name());
            fs::write(&path, note + &result.text()).expect("the golden file is written");
            continue;
        }
        assert!(path.is_file(), "{}: `cargo xtask bless` writes it", path.display());
        let golden = read(&path);
        assert_eq!(golden.names, result.names, "{}", fmu.name());
        for name in &golden.names {
            let apart = distance(&result.column(name), &golden.column(name));
            assert!(apart <= 100.0 * TOLERANCE, "{}: {name} moved by {apart:e}", fmu.name());
        }
    }
}
