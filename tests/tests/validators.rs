//! The checkers that users of FMUs run find nothing.

use std::fs::File;
use std::io::Read;
use std::process::Command;

use coupler_tests::Fmu;
use coupler_tests::program::{fmu as cargo_fmu, succeeds};
use coupler_tests::python::{both, script};
use fmu_builder::archive::{self, Entry};

/// What a checker of the script finds in every FMU.
fn found(checker: &str) -> Vec<(Fmu, String)> {
    let fmus = Fmu::all();
    let paths: Vec<String> = fmus.iter().map(|fmu| fmu.path.display().to_string()).collect();
    let mut arguments = vec![checker];
    arguments.extend(paths.iter().map(String::as_str));
    let text = script("validate.py", &arguments);
    assert_eq!(text.lines().count(), fmus.len(), "{checker}: {text}");
    fmus.into_iter().zip(text.lines().map(str::to_owned)).collect()
}

// FMI: C002, C062, C068
#[test]
fn fmpy_validate_reports_no_problems() {
    for (fmu, problems) in found("fmpy") {
        assert_eq!(problems, "[]", "{}", fmu.name());
    }
}

// FMI: C002
#[test]
fn fmutool_check_reports_compliance_and_no_semantic_error() {
    for (fmu, problems) in found("fmutool") {
        assert_eq!(problems, "[]", "{}", fmu.name());
    }
}

#[test]
fn these_checkers_notice_what_is_wrong() {
    let fmu = Fmu::named("Oscillator");
    let mut whole = zip::ZipArchive::new(File::open(&fmu.path).expect("the FMU")).expect("a zip");
    let mut text = String::new();
    let mut description = whole.by_name("modelDescription.xml").expect("a description");
    description.read_to_string(&mut text).expect("text");
    let library = std::fs::read(fmu.library()).expect("the library");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let broken = folder.path().join("broken.fmu");
    let text = text.replacen(" causality=", " casuality=", 1);
    let entries = vec![
        Entry::new("modelDescription.xml", text),
        Entry::new(format!("binaries/linux64/{}.so", fmu.name()), library),
    ];
    archive::write(&broken, entries).expect("it is written");
    for checker in ["fmpy", "fmutool"] {
        let text = script("validate.py", &[checker, &broken.display().to_string()]);
        assert_ne!(text.trim(), "[]", "{checker}");
    }
}

// FMI: fmu check, A074
#[test]
fn our_own_check_finds_no_problems() {
    for fmu in Fmu::all() {
        let text = succeeds(cargo_fmu().arg("check").arg(&fmu.path));
        assert!(text.contains("no problems found"), "{}: {text}", fmu.name());
    }
}

/// What the FMU Compliance Checker complains of: lines of these levels, and counts in its summary
/// that are not the three zeros.
fn complaints(text: &str) -> Vec<&str> {
    let counts = |line: &&str| line.trim_end().to_lowercase().ends_with("(s)");
    let bad = |line: &&str| {
        ["[WARNING]", "[ERROR]", "[FATAL]"].iter().any(|level| line.contains(level))
            || counts(line) && !line.trim_start().starts_with("0 ")
    };
    let mut found: Vec<&str> = text.lines().filter(bad).collect();
    if text.lines().filter(counts).count() != 3 {
        found.push("no summary of three counts");
    }
    found
}

#[test]
fn complaints_of_the_compliance_checker_are_heard() {
    let clean = "[INFO][FMUCHK] all is well\nFMU reported:\n\t0 warning(s) and error(s)\n\
                 Checker reported:\n\t0 Warning(s)\n\t0 Error(s)\n";
    assert!(complaints(clean).is_empty());
    assert_eq!(complaints(&clean.replace("0 Error", "1 Error")), ["\t1 Error(s)"]);
    assert_eq!(complaints(&clean.replace("[INFO]", "[WARNING]")).len(), 1);
    assert_eq!(complaints("").len(), 1);
}

// `cargo xtask test` names the checker by `FMUCHECK`, where there is one, and says so otherwise.
#[test]
fn the_compliance_checker_has_nothing_to_say() {
    let Some(checker) = std::env::var_os("FMUCHECK") else { return };
    for fmu in Fmu::all() {
        let h = format!("{}", fmu.stop_time() / 100.0);
        for options in [&["-k", "xml"][..], &["-k", "cs", "-h", &h], &["-k", "me", "-h", &h]] {
            let mut command = Command::new(&checker);
            command.args(["-l", "5"]).args(options).args(["-o", "/dev/null"]).arg(&fmu.path);
            let text = both(&command.output().expect("the checker starts"));
            let found = complaints(&text);
            assert!(found.is_empty(), "{} {options:?}: {found:?}", fmu.name());
        }
    }
}
