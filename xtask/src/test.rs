//! `cargo xtask test`: the virtual environment, every FMU, then every test.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::progress::Progress;
use crate::{fmus, venv};

/// Runs the chore; the arguments go to `cargo test`.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut progress = Progress::new(3);
    let venv = progress.step("virtual environment", venv::ensure)?;
    progress.command("FMUs of all models", &mut fmus::build_all())?;
    progress.command("tests", tests(&venv, &["--workspace"])?.args(arguments))
}

/// `cargo test` of packages with what the tests need; `rust-fmi` adds the importer that needs
/// libclang.
pub fn tests(venv: &Path, packages: &[&str]) -> Result<Command> {
    let mut command = crate::cargo(&["test", "--features", "coupler-tests/rust-fmi"]);
    command.args(packages);
    command.envs(venv::bindgen(venv)?);
    match compliance_checker() {
        Some(checker) => {
            eprintln!("FMU Compliance Checker: {}", checker.display());
            command.env("FMUCHECK", checker);
        }
        None => eprintln!(
            "FMU Compliance Checker: not found (no fmuCheck on PATH, no FMUCHECK): it is not run"
        ),
    }
    Ok(command)
}

/// The official checker: what `FMUCHECK` names, else the first one on PATH.
fn compliance_checker() -> Option<PathBuf> {
    if let Some(named) = env::var_os("FMUCHECK") {
        return Some(named.into());
    }
    let path = env::var_os("PATH")?;
    let names = ["fmuCheck", "fmuCheck.linux64", "fmuCheck.darwin64"];
    env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}
