//! Models that are simulated without compilation, and FMUs that are built without a compiler.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmu_builder::archive::{Entry, pack};
use fmu_builder::csv::TimeSeries;

use crate::fixture::{entries, fmu, fmus, names, repository, succeed, succeeded};

/// The program with a folder for compiled libraries, and no other program on the path.
fn alone(folder: &Path, compiled: &Path, arguments: &[&str]) -> Command {
    let mut command = fmu(folder, arguments);
    for name in ["CARGO", "RUSTC", "CARGO_HOME", "RUSTUP_HOME"] {
        command.env_remove(name);
    }
    command.env("PATH", "").env("CARGO_TARGET_DIR", compiled);
    command
}

/// The folder for compiled libraries, with the player in it.
fn with_player() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("played");
    let out = folder.to_string_lossy().into_owned();
    succeed(repository(), &["build", "torque_source", "--interpreted", "--out", &out]);
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned()
}

#[test]
fn an_interpreted_run_writes_the_table_of_the_compiled_model() {
    let folder = tempfile::tempdir().unwrap();
    let ball = fmus().join("BouncingBall.fmu");
    let ball = ball.to_string_lossy();
    for fmu_type in ["--cs", "--me"] {
        let run = |model: &str, output: &str, more: &[&str]| {
            let run = ["run", model, fmu_type, "--set", "e=0.8", "--no-plot", "--output", output];
            succeed(folder.path(), &[&run[..], more].concat())
        };
        let message = run("bouncing_ball", "at_once.csv", &["--interpreted"]);
        assert!(message.contains("BouncingBall: ") && message.contains(" state"), "{message}");
        run(&ball, "compiled.csv", &[]);
        let table = |name| TimeSeries::read(&folder.path().join(name)).unwrap();
        let (ours, theirs) = (table("at_once.csv"), table("compiled.csv"));
        assert_eq!(ours.names, theirs.names);
        assert!(ours.time == theirs.time && ours.rows == theirs.rows, "{fmu_type}");
    }
    assert_eq!(names(folder.path()), ["at_once.csv", "compiled.csv"]);
}

#[test]
fn tables_of_a_model_are_read_in_an_interpreted_run() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "test_bench", "--interpreted", "--output", "t.csv", "--no-plot"];
    let message = succeed(folder.path(), &run);
    assert!(message.starts_with("TestBench: "), "{message}");
}

#[test]
fn an_fmu_of_a_tape_is_made_without_any_other_program() {
    let compiled = with_player();
    let folder = tempfile::tempdir().unwrap();
    let build = ["build", "bouncing_ball", "test_bench", "--interpreted", "--out", "."];
    succeeded(alone(folder.path(), &compiled, &build).output().unwrap());
    assert_eq!(names(folder.path()), ["BouncingBall.fmu", "TestBench.fmu"]);
    for name in names(folder.path()) {
        let message = succeed(folder.path(), &["check", &name]);
        let first = format!("{name}: no problems found\n{name}: runs on ");
        assert!(message.starts_with(&first), "{message}");
        succeed(folder.path(), &["run", &name, "--no-plot", "--output", "t.csv"]);
    }
    // Importers see the same description as that of the compiled FMU.
    let archive = std::fs::File::open(folder.path().join("BouncingBall.fmu")).unwrap();
    let mut archive = zip::ZipArchive::new(archive).unwrap();
    for entry in entries("BouncingBall.fmu") {
        let mut bytes = Vec::new();
        let mut same = archive.by_name(&entry.path).unwrap();
        std::io::copy(&mut same, &mut bytes).unwrap();
        let differs = entry.path.starts_with("binaries/") || entry.path.ends_with("license.txt");
        assert_eq!(bytes == entry.bytes, !differs, "{}", entry.path);
    }
}

#[test]
fn a_damaged_tape_is_reported_with_its_path_in_the_fmu() {
    with_player();
    let folder = tempfile::tempdir().unwrap();
    let played = Path::new(env!("CARGO_TARGET_TMPDIR")).join("played/TorqueSource.fmu");
    let archive = std::fs::File::open(played).unwrap();
    let mut archive = zip::ZipArchive::new(archive).unwrap();
    let files: Vec<Entry> = (0..archive.len())
        .map(|i| {
            let mut file = archive.by_index(i).unwrap();
            let name = file.name().unwrap().into_owned();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            if name.ends_with(".tape") {
                bytes.truncate(bytes.len() / 2);
            }
            Entry::new(name, bytes)
        })
        .collect();
    std::fs::write(folder.path().join("x.fmu"), pack(files).unwrap()).unwrap();
    let output = fmu(folder.path(), &["run", "x.fmu"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("fmu: x.fmu: resources/TorqueSource.tape: "), "{message}");
}

#[test]
fn an_fmu_cannot_be_interpreted() {
    let ball = fmus().join("BouncingBall.fmu");
    let run = ["run".as_ref(), ball.as_os_str(), "--interpreted".as_ref()];
    let output = fmu(repository(), &run).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        message.ends_with("BouncingBall.fmu is an FMU: only models can be interpreted\n"),
        "{message}"
    );
}
