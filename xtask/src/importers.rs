//! `cargo xtask importers`: every FMU in the importers and checkers that are installed.

use anyhow::Result;

use crate::progress::Progress;
use crate::{fmus, installed, venv};

/// Runs the chore for the models named, or for all.
pub fn run(models: &[String]) -> Result<()> {
    let mut progress = Progress::new(3);
    progress.step("virtual environment (headers of FMI)", venv::ensure)?;
    progress.command("FMUs of all models", &mut fmus::build_all())?;
    let mut importers = crate::cargo(&["run", "--quiet", "--package", "coupler-tests"]);
    importers.args(["--bin", "importers", "--"]).args(models);
    installed::tell_all(&mut importers);
    progress.command("importers", &mut importers)
}
