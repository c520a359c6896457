//! `cargo xtask test`: the virtual environment, every FMU, then every test.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::progress::Progress;
use crate::{fmus, venv};

/// Runs the chore; the arguments go to `cargo test`.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut progress = Progress::new(3);
    let venv = progress.step("virtual environment", venv::ensure)?;
    progress.command("FMUs of all models", &mut fmus::build_all())?;
    progress.command("tests", tests(&venv)?.args(arguments))
}

/// `cargo test` with what the tests need; `rust-fmi` adds the importer that needs libclang.
pub fn tests(venv: &Path) -> Result<Command> {
    let mut command =
        crate::cargo(&["test", "--workspace", "--features", "coupler-tests/rust-fmi"]);
    command.envs(venv::bindgen(venv)?);
    Ok(command)
}
