//! `cargo xtask bless`: rewrites the golden results of the tests.

use anyhow::Result;

use crate::progress::Progress;
use crate::{fmus, venv};

/// Runs the chore.
pub fn run() -> Result<()> {
    let mut progress = Progress::new(3);
    progress.step("virtual environment (headers of FMI)", venv::ensure)?;
    progress.command("FMUs of all models", &mut fmus::build_all())?;
    progress.command(
        "golden results",
        crate::cargo(&["test", "--package", "coupler-tests", "--test", "goldens"])
            .env("COUPLER_BLESS", "1"),
    )
}
