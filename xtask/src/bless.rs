//! `cargo xtask bless`: rewrites the files that tests and chores write, which are golden results,
//! the list of public items, the pages of components, requirements, importers and the architecture,
//! and the plot of the tutorial.

use anyhow::Result;

use crate::progress::ChoreProgress;
use crate::{structure, surface, test};

/// Runs the chore.
pub fn run() -> Result<()> {
    let mut progress = ChoreProgress::new(3 + test::STEPS);
    progress.step("the map of the architecture", structure::print)?;
    progress.step("public items", surface::write)?;
    test::prepare(&mut progress)?;
    let mut tests = test::tests();
    tests.args(["--package", "coupler-tests"]);
    tests.args(["--test", "together", "--"]);
    tests.args(["goldens::", "components::", "conformance::", "importers::", "tutorial::"]);
    progress.command("what tests write", tests.env("COUPLER_BLESS", "1"))
}
