//! Tests that the files of systems are valid, and that other programs simulate them.

use coupler_tests::fmu_program::{fmu, succeeds};
use coupler_tests::python::script;

use super::sentences::DRIVE;

#[test]
fn systems_are_valid_and_fmpy_and_libcosim_simulate_them_as_we_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let model = format!("{out}/drive.json");
    std::fs::write(&model, DRIVE).expect("a model");
    succeeds(fmu().args(["cut", &model, "--at", "shaft", "--out", &out]));
    let (path, csv) = (format!("{out}/Drive.ssp"), format!("{out}/ours.csv"));
    let mut run = fmu();
    run.args(["run", &path, "--order", "0", "--correct", "false", "--step", "0.001"]);
    run.args(["--stop", "0.2", "--no-plot", "--output", &csv]);
    succeeds(&mut run);
    let log = script("systems.py", &[&path, &csv, "0.001", "0.2"]);
    assert!(log.contains("FMPy agrees") && log.contains("libcosim agrees"), "{log}");
}
