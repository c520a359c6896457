//! Tests that cut models converge to the whole models.

use std::path::Path;

use coupler_tests::curves::{TimeSeries, read};
use coupler_tests::fmu_program::{fmu, succeeds};

/// A model with flanges: its name, a place to cut it, the communication step and the end in s.
type Case = (&'static str, &'static str, f64, f64);

/// Drive trains: springs, dampers, gears, backlash, clutches and brakes in the parts.
const DRIVE_TRAINS: &[Case] = &[
    ("first", "spring", 1e-3, 0.3),
    ("first_grounded", "inertia1.flange_b", 1e-3, 0.3),
    ("backlash", "springDamper", 1e-3, 0.5),
    ("lossy_gear_demo1", "torque1.flange", 1e-3, 0.3),
    ("lossy_gear_demo2", "gear.flange_b", 1e-3, 0.3),
    ("coupled_clutches", "torque.flange", 1e-3, 1.0),
    ("test_bench", "shaft", 5e-3, 3.0),
    ("rotational_eddy_current_brake", "eddyCurrentTorque", 1e-3, 0.5),
    ("one_way_clutch", "torque.flange", 1e-3, 0.5),
    ("rotational_friction", "torque.flange", 1e-3, 0.5),
    ("servo_drive", "backlash", 5e-4, 0.2),
    ("bridge_drive", "load.flange_b", 1e-3, 0.2),
    ("dcpm_start", "dcpm.flange", 1e-3, 0.3),
    ("gear_constraint", "inertia1.flange_b", 1e-3, 0.5),
    ("bevel_gear1d", "torque1.flange", 1e-3, 0.3),
];

/// Trains of masses, and vehicles.
const TRAINS_OF_MASSES: &[Case] = &[
    ("oscillator", "spring1", 1e-4, 0.2),
    ("damper", "damper2.flange_a", 1e-3, 0.5),
    ("elasto_gap", "rod1.flange_a", 1e-3, 0.3),
    ("translational_eddy_current_brake", "eddyCurrentForce", 1e-3, 0.5),
    ("sign_convention", "force1.flange", 1e-2, 1.0),
    ("brake", "mass1.flange_b", 1e-3, 0.5),
    ("translational_friction", "stop2.flange_a", 1e-3, 0.5),
    ("vehicle", "torque.flange", 1e-2, 4.0),
];

/// The largest error of continuous outputs of the parts, relative to their range in the whole
/// model.
fn error(folder: &Path, files: [&str; 2], h: f64, stop: f64) -> f64 {
    let [parts, whole] = [0, 1].map(|k| -> TimeSeries {
        let csv = folder.join(["parts.csv", "whole.csv"][k]);
        let mut command = fmu();
        command.args(["run", files[k], "--tolerance", "1e-9", "--no-plot"]);
        command.args(["--step", &h.to_string(), "--stop", &stop.to_string()]);
        succeeds(command.arg("--output").arg(&csv));
        read(&csv)
    });
    let mut worst: f64 = 0.0;
    let mut compared = 0;
    for (k, name) in whole.names.iter().enumerate() {
        let ends = [format!("part_a.{name}"), format!("part_b.{name}")];
        let Some(column) = parts.names.iter().position(|n| ends.contains(n)) else { continue };
        if !is_motion(name) {
            continue;
        }
        let values = whole.rows.iter().map(|row| row[k]);
        let range = values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min);
        compared += 1;
        for (own, other) in parts.rows.iter().zip(&whole.rows) {
            let apart = (own[column] - other[k]).abs() / range.max(1e-6);
            worst = if apart.is_finite() { worst.max(apart) } else { f64::INFINITY };
        }
    }
    assert!(compared > 0, "{files:?}: no motion is an output");
    worst
}

/// Whether an output is a position or a speed, by its name: these are continuous, while a torque
/// may jump at a row.
fn is_motion(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    ["phi", "w", "s", "v"].iter().any(|word| {
        let rest = last.strip_prefix(word);
        rest.is_some_and(|rest| rest.chars().next().is_none_or(|c| c == '_' || c.is_numeric()))
    })
}

/// Cuts models, and checks that errors fall with the step.
fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for (model, at, step, stop) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().display().to_string();
        let text = succeeds(fmu().args(["cut", model, "--at", at, "--out", &out]));
        let file = |end: &str| {
            let line = text.lines().find(|line| line.ends_with(end)).expect("a file");
            let name = Path::new(line).file_name().expect("a name").to_string_lossy().into_owned();
            format!("{out}/{name}")
        };
        let (system, whole) = (file(".ssp"), file(".fmu"));
        println!("{model} at {at}");
        let errors = [*step, step / 4.0].map(|h| error(folder.path(), [&system, &whole], h, *stop));
        let converges = errors[1] < 0.5 * errors[0] || errors[1] < 1e-7;
        if !(converges && errors[1] < 1e-2) {
            wrong.push(format!("{model} at {at}: {errors:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cut_drive_trains_converge_to_the_whole_models() {
    check(DRIVE_TRAINS);
}

#[test]
fn cut_trains_of_masses_converge_to_the_whole_models() {
    check(TRAINS_OF_MASSES);
}
