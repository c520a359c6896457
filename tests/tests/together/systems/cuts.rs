//! Tests that cut models converge to the whole models.

use coupler_tests::curves::{TimeSeries, read};
use coupler_tests::fmu_program::{fmu, succeeds};
use std::path::Path;

/// Models with a flange, a place to cut them, and the communication step in s.
const CUTS: &[(&str, &str, f64)] = &[("drivetrain", "shaft", 1e-3)];

/// The largest error of motions of the parts, relative to their range in the whole model.
fn error(folder: &Path, system: &str, whole: &str, h: f64) -> f64 {
    let run = |file: &str, csv: &str| -> TimeSeries {
        let csv = folder.join(csv);
        let mut command = fmu();
        command.args(["run", file, "--tolerance", "1e-9", "--no-plot", "--step", &h.to_string()]);
        succeeds(command.arg("--output").arg(&csv));
        read(&csv)
    };
    let (parts, whole) = (run(system, "parts.csv"), run(whole, "whole.csv"));
    let mut worst: f64 = 0.0;
    for (k, name) in whole.names.iter().enumerate() {
        let end = format!(".{name}");
        let Some(column) = parts.names.iter().position(|n| n.ends_with(&end)) else { continue };
        let values = whole.rows.iter().map(|row| row[k]);
        let range = values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min);
        for (own, other) in parts.rows.iter().zip(&whole.rows) {
            worst = worst.max((own[column] - other[k]).abs() / range.max(1e-9));
        }
    }
    worst
}

#[test]
fn joined_parts_converge_to_the_whole_model() {
    for (model, at, step) in CUTS {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().display().to_string();
        let text = succeeds(fmu().args(["cut", model, "--at", at, "--out", &out]));
        let file = |end: &str| {
            let line = text.lines().find(|line| line.ends_with(end)).expect("a file");
            let name = Path::new(line).file_name().expect("a name").to_string_lossy().into_owned();
            format!("{out}/{name}")
        };
        let (system, whole) = (file(".ssp"), file(".fmu"));
        let errors = [*step, step / 4.0].map(|h| error(folder.path(), &system, &whole, h));
        let converges = errors[1] < 0.5 * errors[0] || errors[1] < 1e-7;
        assert!(converges && errors[1] < 1e-2, "{model} at {at}: {errors:?}");
    }
}
