//! The checkers that users of FMUs run find nothing.

use coupler_tests::Fmu;
use coupler_tests::program::{fmu as cargo_fmu, succeeds};
use coupler_tests::python::{both, program};

// FMI: C002, C062, C068
#[test]
fn fmpy_validate_reports_no_problems() {
    for fmu in Fmu::all() {
        let output = program("fmpy").arg("validate").arg(&fmu.path).output().expect("fmpy starts");
        let text = both(&output);
        assert!(output.status.success(), "{}: {text}", fmu.name());
        assert_eq!(text.trim(), "No problems found.", "{}", fmu.name());
    }
}

#[test]
fn fmutool_check_reports_compliance_and_no_semantic_error() {
    for fmu in Fmu::all() {
        let mut fmutool = program("fmutool");
        let output =
            fmutool.arg("-input").arg(&fmu.path).arg("-check").output().expect("it starts");
        let text = both(&output);
        assert!(output.status.success(), "{}: {text}", fmu.name());
        assert!(text.contains("seems to be compliant"), "{}: {text}", fmu.name());
        assert!(text.contains("No semantic error"), "{}: {text}", fmu.name());
        assert!(!text.contains("ERROR") && !text.contains("WARNING"), "{}: {text}", fmu.name());
    }
}

// FMI: A067, A074, C015, C016
#[test]
fn our_own_check_finds_no_problems() {
    for fmu in Fmu::all() {
        let text = succeeds(cargo_fmu().arg("check").arg(&fmu.path));
        assert!(text.contains("no problems found"), "{}: {text}", fmu.name());
    }
}
