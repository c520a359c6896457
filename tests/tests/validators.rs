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

// FMI: A004, A005, A006, A009, A010, A012, A013, A014, A017, A018, A019, A020, A021
// FMI: A026, A028, A029, A031, A032, A034, A036, A040, A045, A047, A048, A049, A050
// FMI: A051, A053, A055, A056, A057, A058, A062, A063, A066, A067, A068, A069, A071, A072
// FMI: A073, A074, A075, A076, A077, A079, A081, A082, A083, A084, A085, A086, A087, A088, A089
// FMI: A090, A093, A094, A095, A096, B002, B004, B011, B012, B014, B015, B017, B019, B021
// FMI: B024, B029, B030, B035, C001, C002, C003, C004, C006, C007, C008, C009, C010, C011
// FMI: C012, C013, C014, C015, C016, C017, C018, C019, C020, C021, C022, C023, C025, C026
// FMI: C027, C028, C029, C030, C031, C032, C033, C034, C035, C036, C037, C038, C039, C040
// FMI: C041, C042, C043, C044, C045, C046, C047, C048, C049, C050, C053, C054, C056, C057
// FMI: C058, C059, C062, C063, C064, C065, C066, C067, C068, C069, C072, C073, C074, C075
// FMI: C076, C077, C078, C079, D001, D002, D003, D004, D005, D006, D007, D008, D009, D010
// FMI: D012, D013, D014, D015, D016, D017, D018, D019, D020, D021, D022, D024
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
