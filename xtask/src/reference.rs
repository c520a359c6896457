//! `cargo xtask reference`: rewrites docs/validation.md and the figures quoted from published
//! results.

use anyhow::Result;

use crate::progress::Progress;
use crate::{fmus, venv};

/// Runs the chore.
pub fn run() -> Result<()> {
    let mut progress = Progress::new(2 + fmus::STEPS);
    progress.step("virtual environment (headers of FMI)", venv::ensure)?;
    fmus::build_all(&mut progress)?;
    let arguments = ["run", "--quiet", "--package", "coupler-tests", "--bin", "reference"];
    progress.command("comparison with the published curves", &mut crate::cargo(&arguments))
}
