//! `cargo xtask test`: the virtual environment, every FMU, then every test.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::progress::Progress;
use crate::{fmus, installed, venv};

/// Runs the chore; the arguments go to `cargo test`.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut progress = Progress::new(2 + fmus::STEPS);
    let venv = progress.step("virtual environment", venv::ensure)?;
    fmus::build_all(&mut progress)?;
    progress.command("tests", tests(&venv, &["--workspace"])?.args(arguments))
}

/// `cargo test` of packages with what the tests need; `rust-fmi` adds the importer that needs
/// libclang.
pub fn tests(venv: &Path, packages: &[&str]) -> Result<Command> {
    let mut command = crate::cargo(&["test", "--features", "coupler-tests/rust-fmi"]);
    command.args(packages);
    command.envs(venv::bindgen(venv)?);
    installed::tell_compliance_checker(&mut command);
    Ok(command)
}
