//! Runs the library test of an FMU in a process of its own, so that a crash is a finding.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use super::causes::{self, Observation};
use super::child::{self, ChildReport, FAULT, TIME_LIMIT, TestEnd};
use super::library_test::{self, TestMessage};
use fmus::child_process;
use fmus::error::{Error, FileContext};
use fmus::finding::{Finding, Severity};
use fmus::wording::excerpt;

/// The hidden subcommand of `fmu` that makes the library test.
pub const SUBCOMMAND: &str = "try-library";

/// A slow library test still reports something within this time.
const SILENCE_LIMIT: Duration = Duration::from_secs(60);

/// The beginnings of lines in the report: a stage, an observation, the end.
const STAGE: &str = "stage ";
const SEEN: &str = "seen ";
const DONE: &str = "done";

/// Makes the library test in this process and reports to a file, for the parent.
///
/// # Errors
/// If the report cannot be written.
pub fn report(path: &Path, report: &Path) -> Result<(), Error> {
    let mut file = File::create(report).attempt("write", report)?;
    // The parent reports an error if lines are missing.
    let mut out = |line: String| drop(writeln!(file, "{line}"));
    let mut report = |change| match change {
        TestMessage::Stage(severity, rule, stage) => {
            let line = serde_json::json!([severity, rule, stage]);
            out(format!("{STAGE}{line}"));
        }
        TestMessage::Seen(observation) => {
            let line = serde_json::json!(observation);
            out(format!("{SEEN}{line}"));
        }
    };
    child_process::follow_parent();
    match library_test::test(path, &mut report) {
        Ok(()) => {}
        Err(error) if error.is_of_machine() => out(format!("{FAULT}{error}")),
        Err(error) => {
            let text = format!("the library was not tried: {error}");
            report(TestMessage::Seen(Observation::of_file("D001", text)));
        }
    }
    out(DONE.to_owned());
    Ok(())
}

/// Makes the library test in a child of this process: the program `fmu`.
///
/// # Errors
/// If the child cannot be started.
pub(crate) fn test(program: &Path, path: &Path) -> Result<Vec<Finding>, Error> {
    let ChildReport { lines, printed, end } = child::run(program, SUBCOMMAND, path)?;
    let mut findings = understand(&lines, &end);
    if let Some(line) = printed.lines().find(|line| !line.trim().is_empty()) {
        let line = excerpt(line.trim());
        let text = format!("the library writes to the standard output: {line}");
        findings.push(Finding::warning("A021", text));
    }
    Ok(findings)
}

fn understand(lines: &str, end: &TestEnd) -> Vec<Finding> {
    let seen = lines.lines().filter_map(|l| serde_json::from_str(l.strip_prefix(SEEN)?).ok());
    let mut findings = causes::findings(&seen.collect::<Vec<Observation>>());
    if lines.lines().any(|l| l == DONE) && matches!(end, TestEnd::Own(status) if status.success()) {
        return findings;
    }
    let stage = lines.lines().filter_map(|l| l.strip_prefix(STAGE)).next_back().and_then(finding);
    let mut last = stage.unwrap_or_else(|| Finding::error("A006", "at the very beginning"));
    let end = match end {
        TestEnd::Own(status) => format!("the process ended with {status}"),
        TestEnd::Killed(silence) if *silence >= SILENCE_LIMIT => {
            format!("no answer for {} s; what comes later is not tried", silence.as_secs())
        }
        TestEnd::Killed(_) => {
            // A slow library is not a violation.
            (last.severity, last.rule) = (Severity::Warning, "A006".into());
            format!("the library test takes longer than {} s and ends here", TIME_LIMIT.as_secs())
        }
    };
    last.text = format!("{}: {end}", last.text);
    findings.push(last);
    findings
}

fn finding(line: &str) -> Option<Finding> {
    let (severity, rule, text) = serde_json::from_str::<(_, String, String)>(line).ok()?;
    Some(Finding::new(severity, rule.into(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(findings: &[Finding]) -> Vec<String> {
        findings.iter().map(|f| format!("{} {} {}", f.severity.name(), f.rule, f.text)).collect()
    }

    #[test]
    fn the_report_of_the_child_is_understood() {
        let lines = "stage [\"Error\",\"A006\",\"A\"]\n\
                    seen {\"severity\":\"Error\",\"rule\":\"A014\",\"fmu_type\":\"ME\",\
                    \"cause\":\"c\",\"text\":\"a \\\"b\\\"\"}\n\
                    stage [\"Error\",\"A028\",\"B\"]\n";
        let hung = texts(&understand(lines, &TestEnd::Killed(Duration::from_secs(70))));
        let end = "no answer for 70 s; what comes later is not tried";
        assert_eq!(hung, ["error A014 ME: a \"b\"".to_owned(), format!("error A028 B: {end}")]);
    }

    #[test]
    fn a_slow_library_is_no_error() {
        let lines = "stage [\"Error\",\"A028\",\"B\"]\n";
        let slow = texts(&understand(lines, &TestEnd::Killed(Duration::from_secs(1))));
        assert_eq!(
            slow,
            ["warning A006 B: the library test takes longer than 120 s and ends here"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn child_that_crashes_is_a_finding() {
        use std::os::unix::process::ExitStatusExt;
        use std::process::ExitStatus;
        let lines = "stage [\"Warning\",\"A048\",\"ME: fmi2Reset\"]\n";
        let findings = understand(lines, &TestEnd::Own(ExitStatus::from_raw(11)));
        assert_eq!(findings[0].severity, Severity::Warning);
        assert!(findings[0].text.starts_with("ME: fmi2Reset: the process ended with signal: 11"));
        let missing = test(Path::new("/no/such/program"), Path::new("x.fmu")).unwrap_err();
        assert!(missing.to_string().starts_with("cannot start /no/such/program: "), "{missing}");
    }
}
