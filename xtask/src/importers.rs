//! `cargo xtask importers`: runs every FMU in the importers and checkers that are installed.

use anyhow::Result;

use crate::progress::ChoreProgress;
use crate::{fmus, installed, venv, workspace};

/// Runs the chore for the named models, or for all.
pub fn run(models: &[String]) -> Result<()> {
    let mut progress = ChoreProgress::new(2 + fmus::STEPS);
    progress.step("virtual environment (headers of FMI)", venv::ensure)?;
    fmus::build_all(&mut progress)?;
    let mut importers = workspace::cargo(&["run", "--quiet", "--package", "coupler-tests"]);
    importers.args(["--bin", "importers", "--"]).args(models);
    installed::pass_all(&mut importers);
    progress.command("importers", &mut importers)
}
