//! Runs `fmu` on untrusted files within limits: little memory, little time, and no file left
//! behind.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::fixture::names;

/// The memory that a run may use, in kB, and its time, in s.
const MEMORY: u64 = 2 << 20;
const TIME: &str = "60";

/// A folder in which `fmu` works, and a folder for its temporary files.
pub struct Cage {
    folder: TempDir,
}

impl Cage {
    pub fn new() -> Cage {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        fs::create_dir(folder.path().join("temporary")).unwrap();
        Cage { folder }
    }

    /// The folder in which `fmu` works.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Writes a file into that folder.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.work().join(name), bytes).unwrap();
    }

    /// Runs `fmu`. Asserts that the program ends by itself in time, with the exit code 0 or 1 and
    /// at most one sentence, and leaves no new files.
    pub fn run(&self, arguments: &[&str]) -> Verdict {
        let before = everything(self.folder.path());
        let mut command = Command::new("sh");
        command
            .args([
                "-c",
                r#"ulimit -v "$0"; ulimit -c 0; time=$1; shift; exec timeout "$time" "$@""#,
            ])
            .arg(MEMORY.to_string())
            .args([TIME, env!("CARGO_BIN_EXE_fmu")])
            .args(arguments)
            .current_dir(self.work())
            .env("TMPDIR", self.folder.path().join("temporary"))
            .process_group(0);
        let verdict = Verdict::of(command.output().unwrap());
        assert_eq!(everything(self.folder.path()), before, "{arguments:?}: {verdict:?}");
        verdict
    }

    /// What `fmu` does with the file `x.fmu`: a check without a run of the library, a check with a
    /// run, an inspection and a simulation. Returns the four verdicts.
    pub fn everything_with(&self, bytes: &[u8]) -> [Verdict; 4] {
        let [check, run] = self.check_and_run(bytes);
        let others = [&["check", "--no-run", "x.fmu"][..], &["inspect", "x.fmu"]];
        let [static_check, inspect] = others.map(|arguments| self.run(arguments));
        [static_check, check, inspect, run]
    }

    /// Writes the file `x.fmu`, checks it with a run of its library, and simulates it.
    pub fn check_and_run(&self, bytes: &[u8]) -> [Verdict; 2] {
        self.write("x.fmu", bytes);
        // A complete table is the only new file that is allowed.
        self.write("x.csv", b"");
        let run = ["run", "x.fmu", "--stop", "0.01", "--no-plot", "--output", "x.csv"];
        [&["check", "x.fmu"][..], &run].map(|arguments| self.run(arguments))
    }
}

/// How a run of `fmu` ended.
#[derive(Debug)]
pub struct Verdict {
    pub success: bool,
    pub findings: String,
    /// The sentence on its standard error, without `fmu: `; empty if it succeeded.
    pub sentence: String,
}

impl Verdict {
    fn of(output: Output) -> Verdict {
        let message = String::from_utf8(output.stderr).unwrap();
        let findings = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {message}", output.status);
        let success = output.status.success();
        assert_eq!(message.lines().count(), usize::from(!success), "{message}");
        assert!(message.len() < 2000, "the sentence is too long: {} bytes", message.len());
        let sentence = match success {
            true => String::new(),
            false => message.trim_end().strip_prefix("fmu: ").expect("a sentence").to_owned(),
        };
        Verdict { success, findings, sentence }
    }
}

/// The paths of all files and folders below a folder.
fn everything(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            all.extend(everything(&path).into_iter().map(|inner| format!("{name}/{inner}")));
        }
        all.push(name);
    }
    all
}
