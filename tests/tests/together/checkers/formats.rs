//! Tests of `fmu check` as a part of other programs: its formats, its baseline and its exit codes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use coupler_tests::fmu_program::fmu;
use coupler_tests::python::both;
use coupler_tests::root;
use serde_json::Value;

use super::faulty::{DESCRIPTION, faulty};

/// The result of `fmu check` in a folder.
fn check(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = fmu();
    command.current_dir(folder).arg("check").args(arguments);
    command.output().expect("the program starts")
}

/// A folder with FMUs that are sound, break rules, and are no archive.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (fault, name) in [("NONE", "Good.fmu"), ("VERSION", "Bad.fmu"), ("RESTART", "Odd.fmu")] {
        let made = faulty(folder.path(), fault, DESCRIPTION);
        fs::rename(made, folder.path().join(name)).expect("it is renamed");
    }
    fs::write(folder.path().join("text.fmu"), "a text").expect("it is written");
    folder
}

/// The text of a block in the page on checks, in a language, that contains some words.
fn block(language: &str, words: &str) -> String {
    let page = fs::read_to_string(root().join("docs/checking.md")).expect("the page");
    let begin = format!("```{language}\n");
    let blocks = page.split(&begin).skip(1);
    let texts = blocks.filter_map(|rest| rest.split("\n```").next());
    let mut texts = texts.into_iter();
    texts.find(|text| text.contains(words)).expect("the block").to_owned()
}

const ALL: [&str; 4] = ["Good.fmu", "Bad.fmu", "Odd.fmu", "text.fmu"];

#[test]
fn one_run_checks_many_files_in_each_format() {
    let folder = folder();
    let result = |format| {
        let output = check(folder.path(), &[&["--format", format], &ALL[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", both(&output));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            errors.trim(),
            "fmu: Bad.fmu: 1 error; text.fmu: it is not an FMU: it is not a ZIP archive"
        );
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let json: Value = serde_json::from_str(&result("json")).expect("JSON");
    let rules = |file: &Value| {
        let findings = file["findings"].as_array().expect("findings");
        findings.iter().map(|f| f["rule"].as_str().expect("a rule").to_owned()).collect::<Vec<_>>()
    };
    let all: Vec<_> = json["files"].as_array().expect("files").iter().map(rules).collect();
    assert_eq!(all, [&[][..], &["A010"], &["A072"], &["D001"]]);
    let one = &json["files"][1]["findings"][0];
    assert_eq!(one["text"], "Model Exchange and Co-Simulation: fmi2GetVersion returned `1.0`");
    assert_eq!((&one["severity"], &one["fix"]), (&"error".into(), &"return `2.0`".into()));
    let sarif: Value = serde_json::from_str(&result("sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(3));
    let junit = result("junit");
    let counts = "<testsuites name=\"fmu check\" tests=\"4\" failures=\"2\" errors=\"0\">";
    assert!(junit.contains(counts), "{junit}");
}

#[test]
fn a_baseline_accepts_what_is_known_and_says_what_no_longer_occurs() {
    let folder = folder();
    let found = &ALL[..3];
    let written = check(folder.path(), &[&["--write-baseline", "known.json"], found].concat());
    assert!(written.status.success(), "{}", both(&written));
    assert!(both(&written).contains("fmu: known.json: accepts 2 findings"), "{}", both(&written));
    let again = check(folder.path(), &[&["--strict", "--baseline", "known.json"], found].concat());
    assert!(again.status.success(), "{}", both(&again));
    let text = both(&again);
    assert!(text.contains("Bad.fmu: no problems found (1 accepted)") && !text.contains("A010"));
    // A file that is damaged, and a new finding, are not accepted.
    fs::copy(folder.path().join("Bad.fmu"), folder.path().join("Good.fmu")).expect("a copy");
    fs::copy(folder.path().join("text.fmu"), folder.path().join("Odd.fmu")).expect("a copy");
    let other = check(folder.path(), &[&["--baseline", "known.json"], found].concat());
    let text = both(&other);
    assert_eq!(other.status.code(), Some(1), "{text}");
    assert!(
        text.contains("fmu: Good.fmu: 1 error; Odd.fmu: it is not an FMU: it is not a ZIP archive"),
        "{text}"
    );
    assert!(!text.contains("no longer occurs"), "of a damaged file nothing is known: {text}");
    let missing = check(folder.path(), &["--baseline", "other.json", "Good.fmu"]);
    let text = both(&missing);
    assert!(missing.status.code() == Some(1) && text.contains("cannot read other.json"), "{text}");
}

/// Runs a line of a pipeline in a folder, with the program `fmu` on the path.
#[cfg(unix)]
fn in_shell(folder: &Path, line: &str) -> Output {
    let program = fmu().get_program().to_owned();
    let programs = Path::new(&program).parent().expect("it is in a folder").display().to_string();
    let path = std::env::var("PATH").expect("a path");
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{programs}:{path}"))
        .env("GITHUB_ACTION_PATH", root().join("actions/check-fmus"))
        .env("FOLDER", "fmus")
        .env("LIMIT", "1e-3")
        .output()
        .expect("a shell")
}

#[cfg(unix)]
#[test]
fn the_pipelines_of_the_page_fail_for_new_findings_and_changed_results() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmus = folder.path().join("fmus");
    fs::create_dir(&fmus).expect("a folder");
    let made = faulty(folder.path(), "NONE", DESCRIPTION);
    let pump = fmus.join("My pump.fmu");
    fs::rename(made, &pump).expect("it is renamed");
    std::os::unix::fs::symlink(root(), folder.path().join("coupler")).expect("a link");
    let lines = [("sarif", "fmus.sarif", "$FOLDER"), ("junit", "fmus.xml", "coupler/actions")];
    let lines = lines.map(|(format, report, words)| {
        let text = block("yaml", words);
        let line = text.lines().find(|line| line.contains(report) && line.contains("sh "));
        let line = line.expect("the line that calls the script").trim();
        (format, report, line.trim_start_matches("- ").to_owned())
    });
    let run_all = |success: bool, words: &str| {
        for (format, report, line) in &lines {
            let output = in_shell(folder.path(), line);
            assert_eq!(output.status.success(), success, "{line}: {}", both(&output));
            let written = fs::read_to_string(folder.path().join(report)).expect("a report");
            assert!(written.contains(if *format == "sarif" { "2.1.0" } else { "<testsuite " }));
            assert!(both(&output).contains(words) || written.contains(words), "{}", both(&output));
        }
    };
    run_all(true, "");
    // A table of results beside the FMU, which a new version changes.
    let table = fmus.join("My pump.csv");
    let mut run = fmu();
    run.arg("run").arg(&pump).arg("--no-plot").arg("--output").arg(&table);
    assert!(run.output().expect("the program starts").status.success());
    run_all(true, "");
    let results = fs::read_to_string(&table).expect("the table");
    let last = results.trim_end().lines().next_back().expect("a row");
    let wrong = last.replacen(',', ",1", 1);
    fs::write(&table, results.replace(last, &wrong)).expect("it is written");
    run_all(false, "compared with");
    fs::remove_file(&table).expect("it is removed");
    // A fault that is new, and accepted afterwards.
    fs::rename(faulty(folder.path(), "VERSION", DESCRIPTION), &pump).expect("it is renamed");
    run_all(false, "A010");
    let accepted = check(&fmus, &["--write-baseline", "baseline.json", "My pump.fmu"]);
    assert!(accepted.status.success(), "{}", both(&accepted));
    run_all(true, "A010");
}
