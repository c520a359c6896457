//! `cargo xtask bless`: rewrites what the tests write: golden results, the pages of requirements
//! and importers.

use anyhow::Result;

use crate::progress::Progress;
use crate::{fmus, test, venv};

/// Runs the chore.
pub fn run() -> Result<()> {
    let mut progress = Progress::new(2 + fmus::STEPS);
    let venv = progress.step("virtual environment", venv::ensure)?;
    fmus::build_all(&mut progress)?;
    let mut tests = test::tests(&venv, &["--package", "coupler-tests"])?;
    let written = ["--test", "goldens", "--test", "conformance", "--test", "importers"];
    progress.command("what tests write", tests.args(written).env("COUPLER_BLESS", "1"))
}
