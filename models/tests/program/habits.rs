//! `fmu run` with FMUs that have habits of other exporters: it continues where other importers do,
//! and reports what was wrong.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fmu_builder::archive::{self, Entry};
use fmu_builder::csv::TimeSeries;
use tempfile::TempDir;

use crate::fixture::{fmu_in, repository, succeed};

const DESCRIPTION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="One" guid="{one}">
  <ModelExchange modelIdentifier="One"/>
  <CoSimulation modelIdentifier="One" canHandleVariableCommunicationStepSize="true"/>
  <LogCategories><Category name="logStatusDiscard"/></LogCategories>
  <DefaultExperiment stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="0" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="1"><Real derivative="1"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="2" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="logging" valueReference="3" causality="output"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1"/><Unknown index="4"/></Outputs>
    <Derivatives><Unknown index="2"/></Derivatives>
  </ModelStructure>
</fmiModelDescription>
"#;

/// A folder with the FMU `One.fmu`; its habits are macros of its source.
pub fn one(habits: &[&str]) -> TempDir {
    described(DESCRIPTION, habits)
}

/// [`one`] with another description.
fn described(description: &str, habits: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("one.so");
    let compiled = Command::new("cc")
        .args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"])
        .args(habits.iter().map(|habit| format!("-D{habit}")))
        .arg(repository().join("models/tests/program/hand_written.c"))
        .args(["-lm", "-o"])
        .arg(&library)
        .status();
    assert!(compiled.expect("a C compiler `cc` is needed").success());
    let platform = fmu_builder::platform::Platform::this_machine();
    let binary = format!("binaries/{}/{}", platform.folder(), platform.file("One"));
    let entries = vec![
        Entry::new("modelDescription.xml", description),
        Entry::new(binary, std::fs::read(library).unwrap()),
    ];
    archive::write(&folder.path().join("One.fmu"), entries).unwrap();
    folder
}

const RUN: [&str; 5] = ["run", "One.fmu", "--no-plot", "--output", "x.csv"];

fn table(folder: &Path) -> TimeSeries {
    TimeSeries::read(&folder.join("x.csv")).unwrap()
}

#[test]
fn an_unknown_status_is_ignored_with_a_note() {
    let folder = one(&["LOGGING=-1431655766"]);
    for fmu_type in ["--cs", "--me"] {
        let message = succeed(folder.path(), &[&RUN[..], &[fmu_type, "--set", "u=1"]].concat());
        let note = "note: fmi2SetDebugLogging returned -1431655766, which is not a status of FMI\n";
        assert!(message.contains(note), "{fmu_type}: {message}");
        let end = table(folder.path()).rows.pop().unwrap();
        assert!((end[0] - 1.0).abs() < 1e-9, "{fmu_type}: {end:?}");
    }
    let message = succeed(one(&[]).path(), &RUN);
    assert!(!message.contains("note:"), "{message}");
}

#[test]
fn a_run_continues_without_logging_if_it_cannot_be_switched_on() {
    for (code, status) in [("3", "fmi2Error"), ("4", "fmi2Fatal")] {
        let folder = one(&[&format!("LOGGING={code}")]);
        for fmu_type in ["--cs", "--me"] {
            let message = succeed(folder.path(), &[&RUN[..], &[fmu_type]].concat());
            let note = format!("note: fmi2SetDebugLogging returned {status}; the run continues");
            assert!(message.contains(&note), "{fmu_type}: {message}");
            assert_eq!(table(folder.path()).rows[0][1], 0.0, "another instance, without logging");
        }
    }
}

#[test]
fn the_categories_that_explain_a_failure_are_logged() {
    for (category, logged) in [("logStatusDiscard", 1.0), ("logError", 1.0), ("logEvents", 0.0)] {
        let folder = described(&DESCRIPTION.replace("logStatusDiscard", category), &[]);
        succeed(folder.path(), &RUN);
        assert_eq!(table(folder.path()).rows[0][1], logged, "{category}");
    }
}

#[test]
fn an_fmu_of_neither_type_is_refused_with_the_reason() {
    let without = |text: &str, element: &str| {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with(element));
        lines.collect::<Vec<_>>().join("\n")
    };
    let one_type = without(DESCRIPTION, "<ModelExchange");
    for (description, sentence) in [
        (&one_type, "fmu: One.fmu: it is not an FMU for Model Exchange; use --cs\n"),
        (
            &without(&one_type, "<CoSimulation"),
            "fmu: One.fmu: it is an FMU neither for Model Exchange nor for Co-Simulation\n",
        ),
    ] {
        let output = fmu_in(described(description, &[]).path(), &[&RUN[..], &["--me"]].concat());
        assert_eq!(String::from_utf8(output.stderr).unwrap(), sentence);
    }
}

#[test]
fn a_description_without_derivatives_has_no_states_and_a_run_reports_that() {
    let listed = "<Derivatives><Unknown index=\"2\"/></Derivatives>";
    let folder = described(&DESCRIPTION.replacen(listed, "", 1), &[]);
    let note = "note: der(x) is not listed below Derivatives, so there are no states\n";
    let message = |fmu_type| succeed(folder.path(), &[&RUN[..], &[fmu_type]].concat());
    assert!(message("--me").contains(note));
    assert!(!message("--cs").contains("note: "));
}

#[test]
fn a_library_may_lack_functions_that_no_flag_promises() {
    let folder = one(&["LEAN"]);
    for fmu_type in ["--cs", "--me"] {
        succeed(folder.path(), &[&RUN[..], &[fmu_type]].concat());
    }
    let findings = fmu_in(folder.path(), &["check", "--no-run", "One.fmu"]).stdout;
    let findings = String::from_utf8(findings).unwrap();
    assert!(findings.contains("does not export 9 of 44: fmi2GetFMUstate"), "{findings}");
}

#[test]
fn a_run_without_progress_ends_soon_with_the_message_of_the_fmu() {
    let folder = one(&["DEAD=0.5"]);
    let begin = Instant::now();
    let output = fmu_in(folder.path(), &[&RUN[..], &["--me"]].concat());
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    for part in ["at t = 0.4999", " s: the lever is at its end; even a step of", "too long"] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert!(*table(folder.path()).time.last().unwrap() < 0.5);
}

#[test]
fn the_first_step_stays_in_the_range_of_the_model() {
    // It rises to 100 within 0.4 ms; a step of 0.1 s, as long as the output step, would end far
    // outside.
    let folder = one(&["RATE=1e4", "RANGE=1e3"]);
    succeed(folder.path(), &[&RUN[..], &["--me", "--set", "u=1e6", "--stop", "0.1"]].concat());
    let end = table(folder.path()).rows.pop().unwrap();
    assert!((end[0] - 100.0).abs() < 1e-3, "{end:?}");
}

#[test]
fn a_library_that_crashes_after_the_end_does_not_spoil_the_results() {
    let folder = one(&["CRASH"]);
    let message = succeed(folder.path(), &[&RUN[..], &["--set", "u=1"]].concat());
    assert!(message.contains("at 1 s:"), "{message}");
    assert_eq!(table(folder.path()).time.len(), 11);
}

#[test]
fn a_step_that_cannot_be_completed_is_repeated_with_a_shorter_length() {
    let folder = one(&["END=0.55"]);
    let output = fmu_in(folder.path(), &[&RUN[..], &["--me", "--set", "u=1"]].concat());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("at t = 0.5499") && message.contains("the lever is at its end"),
        "{message}"
    );
}
