//! `cargo xtask ci`: what a change must pass besides the tests.

use anyhow::Result;

use crate::progress::Progress;
use crate::{edges, tidy, venv};

/// Runs the chore, the quick checks first.
pub fn run() -> Result<()> {
    let mut progress = Progress::new(6);
    progress.command("formatting", &mut crate::cargo(&["fmt", "--all", "--check"]))?;
    progress.step("boundaries", edges::run)?;
    progress.step("tidiness", tidy::run)?;
    let venv = progress.step("virtual environment", venv::ensure)?;
    let lints = ["clippy", "--workspace", "--all-targets", "--features", "coupler-tests/rust-fmi"];
    progress.command(
        "lints",
        crate::cargo(&lints).args(["--", "--deny", "warnings"]).envs(venv::bindgen(&venv)?),
    )?;
    progress.command(
        "documentation",
        crate::cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"])
            .env("RUSTDOCFLAGS", "--deny warnings"),
    )
}
