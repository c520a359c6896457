//! `cargo xtask bless`: rewrites golden results and the pages that tests and chores write: those of
//! components, requirements, importers and the architecture.

use anyhow::Result;

use crate::progress::ChoreProgress;
use crate::{structure, test};

/// Runs the chore.
pub fn run() -> Result<()> {
    let mut progress = ChoreProgress::new(2 + test::STEPS);
    progress.step("the map of the architecture", structure::print)?;
    test::prepare(&mut progress)?;
    let mut tests = test::tests();
    tests.args(["--package", "coupler-tests"]);
    let written = ["--test", "together", "--"];
    let written =
        written.iter().chain(&["goldens::", "components::", "conformance::", "importers::"]);
    progress.command("what tests write", tests.args(written).env("COUPLER_BLESS", "1"))
}
