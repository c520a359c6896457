//! Tests that the checkers of FMU users find nothing.

use std::fs::File;
use std::io::Read;
use std::process::Command;
use std::time::Duration;

use coupler_tests::curves::of_columns;
use coupler_tests::fmu_program::{fmu as cargo_fmu, succeeds, within};
use coupler_tests::installed::{EXPECTED, Tool, WAYS};
use coupler_tests::python::script;
use coupler_tests::{Fmu, skipped};
use fmu_builder::archive::{self, Entry};

/// The findings of a checker of the script in every FMU.
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
fn these_checkers_notice_faults() {
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

#[test]
fn complaints_of_the_compliance_checker_are_counted() {
    let clean = "[INFO][FMUCHK] all is well\nFMU reported:\n\t0 warning(s) and error(s)\n\
                 Checker reported:\n\t0 Warning(s)\n\t0 Error(s)\n";
    let complaints = |text: &str| Tool::FmuCheck.complaints(text);
    assert!(complaints(clean).is_empty());
    assert_eq!(complaints(&clean.replace("0 Error", "1 Error")), ["\t1 Error(s)"]);
    assert_eq!(complaints(&clean.replace("[INFO]", "[WARNING]")).len(), 1);
    assert_eq!(complaints("").len(), 1);
}

#[test]
fn complaints_of_other_programs_are_counted() {
    let count = |tool: Tool, text: &str| tool.complaints(text).len();
    assert_eq!(count(Tool::Fmusim, ""), 0);
    assert_eq!(count(Tool::Fmusim, "[Error] no consistent set of relations\n"), 1);
    assert_eq!(count(Tool::OmSimulator, "info:    Result file: r.csv\nerror:   [doStep] no\n"), 1);
    assert_eq!(count(Tool::VdmCheck, "No errors found.\n"), 0);
    assert_eq!(count(Tool::VdmCheck, "2.2.7 Variables[1] is wrong\nErrors found.\n"), 2);
}

#[test]
fn expected_complaints_are_of_models_and_ways_that_exist() {
    let fmus = Fmu::all();
    for expected in EXPECTED {
        assert!(fmus.iter().any(|fmu| fmu.name() == expected.model), "{}", expected.model);
        for name in expected.ways {
            assert!(WAYS.iter().any(|way| way.name == *name), "{name}");
        }
    }
}

#[test]
fn a_program_that_does_not_end_is_ended() {
    let limit = Duration::from_millis(50);
    assert!(within(Command::new("sleep").arg("60"), limit).is_none());
    let output = within(Command::new("echo").arg("done"), Duration::from_secs(60));
    assert_eq!(output.expect("it ends").stdout, b"done\n");
}

#[test]
fn columns_of_results_are_found_among_texts() {
    let text = "\"time\",\"a[1,2]\",\"name\",b\n0,1,\"x, y\",2\n1, 3, z, nan\n";
    let table = of_columns(text, &["b", "a[1,2]"]).expect("both are there");
    assert_eq!(table.time, [0.0, 1.0]);
    assert_eq!(table.rows[0], [2.0, 1.0]);
    assert!(table.rows[1][0].is_nan());
    assert!(of_columns(text, &["c"]).is_none());
    assert!(of_columns(text, &["name"]).is_none());
}

// `cargo xtask test` sets `FMUCHECK` to the path of the checker, if there is one.
#[test]
fn the_compliance_checker_reports_exactly_what_is_expected() {
    let Some(checker) = Tool::FmuCheck.program() else {
        return skipped("the FMU Compliance Checker is not installed (FMUCHECK names it)");
    };
    for fmu in Fmu::all() {
        let ways = WAYS.iter().filter(|way| way.tool == Tool::FmuCheck && way.suits(&fmu));
        for way in ways {
            let (model, name) = (fmu.name(), way.name);
            let found = way.run(&checker, &fmu).complaints;
            let expected = way.expected(model).is_some();
            assert_eq!(!found.is_empty(), expected, "{model} in {name}: {found:?}");
        }
    }
}
