//! Runs the library test of an FMU in a process of its own, so that a crash is a finding.

use std::env;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::causes::{self, Observation};
use super::library_test::{self, TestMessage};
use fmus::child_process::{self, Family};
use fmus::error::{Error, FileContext};
use fmus::finding::{Finding, Severity};
use fmus::wording::excerpt;

/// The hidden subcommand of `fmu` that makes the library test.
pub const SUBCOMMAND: &str = "try-library";

/// A library test that takes longer is ended, whatever the reason.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A slow library test still reports something within this time.
const SILENCE_LIMIT: Duration = Duration::from_secs(60);

/// Time for which the output of the child is read after the child has ended.
const DRAIN_TIME: Duration = Duration::from_secs(1);

/// Maximum size of a child's output that is read, in bytes.
const MAX_OUTPUT: u64 = 1 << 26;

/// The beginnings of lines in the report: a stage, an observation, the end.
const STAGE: &str = "stage ";
const SEEN: &str = "seen ";
/// A fault of the machine, after which nothing can be said about the FMU.
const FAULT: &str = "fault ";
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
    // Files that a crashed child leaves are deleted with this folder.
    let place = env::temp_dir();
    let folder = tempfile::Builder::new().prefix("fmu-test-").tempdir_in(&place);
    let folder = folder.attempt("make a folder in", &place)?;
    let report = folder.path().join("report");
    let path = std::path::absolute(path).attempt("find", path)?;
    // Files that the library writes to its current folder are also in it.
    let mut command = Command::new(program);
    command
        .current_dir(folder.path())
        .arg(SUBCOMMAND)
        .args([&path, &report])
        .envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path())))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut processes = Family::spawn(&mut command).attempt("start", program)?;
    let child = processes.first();
    // The pipe is open as long as this process runs.
    let _lifeline = child.stdin.take();
    let output = child.stdout.take().map(ChildOutput::read);
    let begin = Instant::now();
    let (mut length, mut change) = (0, begin);
    let end = loop {
        let now = fs::metadata(&report).map_or(0, |data| data.len());
        if now != length {
            (length, change) = (now, Instant::now());
        }
        let has_ended = processes.has_ended();
        if !has_ended && begin.elapsed() < TIME_LIMIT {
            thread::sleep(Duration::from_millis(5));
            continue;
        }
        // A process that the library has started ends too.
        match processes.end() {
            Some(status) if has_ended => break TestEnd::Own(status),
            _ => break TestEnd::Killed(change.elapsed()),
        }
    };
    let printed = output.map(ChildOutput::so_far).unwrap_or_default();
    let lines = fs::read(&report).unwrap_or_default();
    let lines = String::from_utf8_lossy(&lines);
    // On a full disk, the report is not complete.
    let probe = folder.path().join("probe");
    fs::write(&probe, [0; 1 << 16]).attempt("write", &probe)?;
    if let Some(fault) = lines.lines().find_map(|line| line.strip_prefix(FAULT)) {
        return Err(Error::Request(format!(
            "{}: the library was not tried: {fault}",
            path.display()
        )));
    }
    let mut findings = understand(&lines, &end);
    if let Some(line) = printed.lines().find(|line| !line.trim().is_empty()) {
        let line = excerpt(line.trim());
        let text = format!("the library writes to the standard output: {line}");
        findings.push(Finding::warning("A021", text));
    }
    Ok(findings)
}

/// The output of a child.
struct ChildOutput {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl ChildOutput {
    fn read(pipe: impl Read + Send + 'static) -> ChildOutput {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let (mut pipe, mut block) = (pipe.take(MAX_OUTPUT), [0; 4096]);
            while let Ok(n @ 1..) = pipe.read(&mut block) {
                shared.lock().unwrap_or_else(PoisonError::into_inner).extend(&block[..n]);
            }
        });
        ChildOutput { bytes, reader }
    }

    /// The output up to the child's end. A process that the library has started may keep the pipe
    /// open; its end is not awaited.
    fn so_far(self) -> String {
        let end = Instant::now();
        while !self.reader.is_finished() && end.elapsed() < DRAIN_TIME {
            thread::sleep(Duration::from_millis(5));
        }
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// How a library test ended.
enum TestEnd {
    Own(ExitStatus),
    /// It was ended after it had reported nothing for this time.
    Killed(Duration),
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
        let lines = "stage [\"Warning\",\"A048\",\"ME: fmi2Reset\"]\n";
        let findings = understand(lines, &TestEnd::Own(ExitStatus::from_raw(11)));
        assert_eq!(findings[0].severity, Severity::Warning);
        assert!(findings[0].text.starts_with("ME: fmi2Reset: the process ended with signal: 11"));
        let missing = test(Path::new("/no/such/program"), Path::new("x.fmu")).unwrap_err();
        assert!(missing.to_string().starts_with("cannot start /no/such/program: "), "{missing}");
    }
}
