//! Runs the trial of an FMU in a process of its own, so that a crash is a finding.

use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::Finding;
use super::trial::{self, News};
use crate::error::Error;

/// The hidden subcommand of `fmu` that makes the trial.
pub const SUBCOMMAND: &str = "try-library";

/// A trial that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A child that says more, in bytes, is not listened to.
const MOST_SAID: u64 = 1 << 26;

/// What the child says before a stage, and before a finding.
const STAGE: &str = "stage ";
const FINDING: &str = "finding ";
const DONE: &str = "done";

/// Makes the trial in this process and reports on the standard output, for the parent.
///
/// # Errors
/// The file is not an FMU.
pub fn report(path: &Path, out: &mut dyn FnMut(&str)) -> Result<(), Error> {
    trial::trial(path, &mut |news| match news {
        News::Stage(stage) => out(&format!("{STAGE}{stage}")),
        News::Found(finding) => {
            let line = serde_json::json!([finding.severity, finding.rule, finding.text]);
            out(&format!("{FINDING}{line}"));
        }
    })?;
    out(DONE);
    Ok(())
}

/// Makes the trial in a child of this process: the program `fmu`.
pub(super) fn trial(program: &Path, path: &Path) -> Vec<Finding> {
    // What a child that crashes leaves behind goes with this folder.
    let folder = match tempfile::Builder::new().prefix("fmu-trial-").tempdir() {
        Ok(folder) => folder,
        Err(e) => return vec![Finding::error("A006", format!("the trial did not start: {e}"))],
    };
    let child = Command::new(program)
        .arg(SUBCOMMAND)
        .arg(path)
        .envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path())))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(e) => return vec![Finding::error("A006", format!("the trial did not start: {e}"))],
    };
    let mut pipe = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        // What arrived before a failure still tells how far the trial came.
        let _ = pipe.as_mut().map(|p| p.take(MOST_SAID).read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let begin = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if begin.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(5)),
            _ => {
                // It may have ended by itself in the meantime.
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let said = reader.join().unwrap_or_default();
    understand(&said, status)
}

fn understand(said: &str, status: Option<ExitStatus>) -> Vec<Finding> {
    let findings = said.lines().filter_map(|l| l.strip_prefix(FINDING));
    let mut findings: Vec<Finding> = findings.filter_map(finding).collect();
    if said.lines().any(|l| l == DONE) && status.is_some_and(|s| s.success()) {
        return findings;
    }
    let stage = said.lines().filter_map(|l| l.strip_prefix(STAGE)).next_back();
    let stage = stage.unwrap_or("at the very beginning");
    findings.push(Finding::error(
        "A006",
        match status {
            None => format!("{stage}: no answer after {} s", PATIENCE.as_secs()),
            Some(status) => format!("{stage}: the process ended with {status}"),
        },
    ));
    findings
}

fn finding(line: &str) -> Option<Finding> {
    let (severity, rule, text) = serde_json::from_str::<(_, String, String)>(line).ok()?;
    Some(Finding { severity, rule: rule.into(), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_child_says_is_understood() {
        let said = "stage A\nfinding [\"Error\",\"A014\",\"ME: a \\\"b\\\"\"]\nstage B\n";
        let rules = |findings: Vec<Finding>| -> Vec<String> {
            findings.into_iter().map(|f| format!("{} {}", f.rule, f.text)).collect()
        };
        let hung = rules(understand(said, None));
        assert_eq!(hung, ["A014 ME: a \"b\"", "A006 B: no answer after 120 s"]);
    }

    #[cfg(unix)]
    #[test]
    fn child_that_crashes_is_a_finding() {
        use std::os::unix::process::ExitStatusExt;
        let findings = understand("stage ME: fmi2Reset\n", Some(ExitStatus::from_raw(11)));
        assert!(findings[0].text.starts_with("ME: fmi2Reset: the process ended with signal: 11"));
        let missing = trial(Path::new("/no/such/program"), Path::new("x.fmu"));
        assert!(missing[0].text.starts_with("the trial did not start"));
    }
}
