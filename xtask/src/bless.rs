//! `cargo xtask bless`: rewrites the files that tests write, which are golden results and the pages
//! of components, requirements and importers.

use anyhow::Result;

use crate::progress::ChoreProgress;
use crate::test;

/// Runs the chore.
pub fn run() -> Result<()> {
    let mut progress = ChoreProgress::new(1 + test::STEPS);
    test::prepare(&mut progress)?;
    let mut tests = test::tests();
    tests.args(["--package", "coupler-tests"]);
    let written = ["--test", "together", "--"];
    let written =
        written.iter().chain(&["goldens::", "components::", "conformance::", "importers::"]);
    progress.command("what tests write", tests.args(written).env("COUPLER_BLESS", "1"))
}
