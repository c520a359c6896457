//! `cargo xtask reference`: rewrites docs/validation.md and the figures quoted from published
//! results.

use anyhow::Result;

use crate::progress::ChoreProgress;
use crate::workspace;

/// Runs the chore.
pub fn run() -> Result<()> {
    let mut progress = ChoreProgress::new(1);
    let arguments = ["run", "--quiet", "--package", "coupler-tests", "--bin", "reference"];
    progress.command("comparison with the published curves", &mut workspace::cargo(&arguments))
}
