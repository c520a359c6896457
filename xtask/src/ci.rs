//! `cargo xtask ci`: what a change must pass besides the tests.

use anyhow::Result;

use crate::progress::Progress;
use crate::{edges, rust_importer, tidy, venv};

/// Runs the chore, the quick checks first.
pub fn run() -> Result<()> {
    let mut progress = Progress::new(9);
    progress.command("formatting", &mut crate::cargo(&["fmt", "--all", "--check"]))?;
    progress.command("formatting of the importer", &mut rust_importer::format())?;
    progress.step("boundaries", edges::run)?;
    progress.step("tidiness", tidy::run)?;
    // Tests build the packages and use them (tests/tests/together/packages.rs).
    let publish =
        ["publish", "--workspace", "--dry-run", "--no-verify", "--allow-dirty", "--quiet"];
    progress.command("packages for a registry", &mut crate::cargo(&publish))?;
    let deny = ["--", "--deny", "warnings"];
    let mut lints = crate::cargo(&["clippy", "--workspace", "--all-targets"]);
    progress.command("lints", lints.args(deny))?;
    let venv = progress.step("virtual environment", venv::ensure)?;
    let mut lints = rust_importer::cargo("clippy", &venv)?;
    progress.command("lints of the importer", lints.args(deny))?;
    progress.command(
        "documentation",
        crate::cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"])
            .env("RUSTDOCFLAGS", "--deny warnings"),
    )
}
