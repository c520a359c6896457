//! `cargo xtask reference`: rewrites docs/validation.md and the figures quoted from published
//! results.

use anyhow::Result;

use crate::progress::Progress;
use crate::{fmus, venv};

/// Runs the chore.
pub fn run() -> Result<()> {
    let mut progress = Progress::new(3);
    progress.step("virtual environment (headers of FMI)", venv::ensure)?;
    progress.command("FMUs of all models", &mut fmus::build_all())?;
    let arguments = ["run", "--quiet", "--package", "coupler-tests", "--bin", "reference"];
    progress.command("comparison with the published curves", &mut crate::cargo(&arguments))
}
