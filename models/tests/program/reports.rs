//! The output and the exit code of `fmu check`.

use std::fs;

use fmu_builder::archive::{Entry, pack};
use tempfile::TempDir;

use crate::fixture::fmu_in;

/// A description of the independent variable and of `faults` variables with a start value where
/// none is allowed.
fn description(faults: usize) -> String {
    let faulty: String = (0..faults)
        .map(|k| {
            format!(
                "<ScalarVariable name=\"v{k}\" valueReference=\"{k}\"><Real start=\"0\"/>\
                 </ScalarVariable>"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><fmiModelDescription fmiVersion=\"2.0\" \
         modelName=\"A\" guid=\"b\"><CoSimulation modelIdentifier=\"A\"><SourceFiles>\
         <File name=\"a.c\"/></SourceFiles></CoSimulation><DefaultExperiment startTime=\"0\" \
         stopTime=\"1\" tolerance=\"1e-4\" stepSize=\"0.1\"/><ModelVariables><ScalarVariable \
         name=\"t\" valueReference=\"99\" causality=\"independent\"><Real/></ScalarVariable>\
         {faulty}</ModelVariables><ModelStructure/></fmiModelDescription>"
    )
}

/// A folder with an FMU of sources, without faults or with many faults of one rule.
fn folder_with_faults(faults: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let entries = vec![
        Entry::new("modelDescription.xml", description(faults)),
        Entry::new("sources/a.c", "int a;\n"),
        Entry::new("documentation/licenses/license.txt", "MIT"),
    ];
    fs::write(folder.path().join("a.fmu"), pack(entries).unwrap()).unwrap();
    folder
}

/// The exit code of a check, and the lines on standard output and standard error.
fn check(folder: &TempDir, options: &[&str]) -> (Option<i32>, Vec<String>) {
    let arguments = [&["check", "--no-run", "a.fmu"], options].concat();
    let output = fmu_in(folder.path(), &arguments);
    let message = [output.stdout, output.stderr].concat();
    let lines = String::from_utf8(message).unwrap().lines().map(str::to_owned).collect();
    (output.status.code(), lines)
}

#[test]
fn a_note_refuses_an_fmu_only_with_the_option_strict() {
    let folder = folder_with_faults(0);
    let note = "note D014 documentation/index.html is missing; fix: add the file";
    assert_eq!(check(&folder, &[]), (Some(0), [note, "a.fmu: 1 note"].map(str::to_owned).into()));
    let strict = [note, "fmu: a.fmu: 1 note"].map(str::to_owned);
    assert_eq!(check(&folder, &["--strict"]), (Some(1), strict.into()));
    let (code, lines) = check(&folder, &["--format", "json"]);
    assert!(code == Some(0) && lines.concat().contains("\"severity\": \"note\""), "{lines:?}");
    assert_eq!(check(&folder, &["--format", "json", "--strict"]).0, Some(1));
}

#[test]
fn a_rule_broken_in_many_places_is_counted() {
    let folder = folder_with_faults(50);
    let (code, lines) = check(&folder, &[]);
    let of_rule = |lines: &[String]| lines.iter().filter(|l| l.starts_with("error C043")).count();
    assert_eq!((code, of_rule(&lines)), (Some(1), 3));
    assert_eq!(lines[2], "error C043 48 more of this rule: see --all");
    assert_eq!(lines.last().map(String::as_str), Some("fmu: a.fmu: 50 errors, 1 note"));
    assert_eq!(of_rule(&check(&folder, &["--all"]).1), 50);
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_missing_library_is_reported_with_the_names_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let entries = vec![
        Entry::new("modelDescription.xml", description(0)),
        Entry::new("binaries/linux64/libA.so", ""),
        Entry::new("binaries/win64/A.dll", ""),
    ];
    fs::write(folder.path().join("a.fmu"), pack(entries).unwrap()).unwrap();
    let (_, lines) = check(&folder, &[]);
    let missing = "error D008 binaries/linux64/A.so is missing; there is libA.so";
    assert!(lines.iter().any(|line| line.starts_with(missing)), "{lines:?}");
    let message = String::from_utf8(fmu_in(folder.path(), &["run", "a.fmu"]).stderr).unwrap();
    let reason = "it has no library linux64/A.so (there is linux64/libA.so, win64/A.dll)";
    assert!(message.contains(reason), "{message}");
}
