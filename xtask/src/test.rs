//! `cargo xtask test`: the virtual environment, every FMU, then every test.

use std::process::Command;

use anyhow::Result;

use crate::progress::Progress;
use crate::{fmus, installed, rust_importer, venv, workspace};

/// How many steps [`prepare`] takes.
pub const STEPS: usize = 2 + fmus::STEPS;

/// Runs the chore; the arguments go to `cargo test`.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut progress = Progress::new(1 + STEPS);
    prepare(&mut progress)?;
    progress.command("tests", tests().arg("--workspace").args(arguments))
}

/// Makes what the tests need.
pub fn prepare(progress: &mut Progress) -> Result<()> {
    let venv = progress.step("virtual environment", venv::ensure)?;
    let mut importer = rust_importer::cargo("build", &venv)?;
    progress.command("importer of Rust", importer.arg("--quiet"))?;
    fmus::build_all(progress)
}

/// `cargo test`.
pub fn tests() -> Command {
    let mut command = workspace::cargo(&["test"]);
    installed::tell_compliance_checker(&mut command);
    command
}
