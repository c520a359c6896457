//! `cargo xtask ci`: the checks that a change must pass besides the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::progress::{ChoreProgress, execute};
use crate::{
    deny, drawings, links, rust_importer, sentences, structure, surface, tidy, venv, workspace,
};

/// Runs the chore, the quick checks first.
pub fn run() -> Result<()> {
    let mut progress = ChoreProgress::new(14 + deny::STEPS);
    progress.command("formatting", &mut workspace::cargo(&["fmt", "--all", "--check"]))?;
    progress.step("formatting of the models", format_models)?;
    progress.command("formatting of the importer", &mut rust_importer::format())?;
    progress.step("tidiness", tidy::run)?;
    progress.step("sentences", sentences::check)?;
    progress.step("links of pages", links::run)?;
    progress.step("drawings", drawings::check)?;
    progress.step("structure", structure::run)?;
    progress.step("public items", surface::run)?;
    // Tests build the packages and use them (tests/tests/together/documents/packages.rs).
    let publish =
        ["publish", "--workspace", "--dry-run", "--no-verify", "--allow-dirty", "--quiet"];
    progress.command("packages for a registry", &mut workspace::cargo(&publish))?;
    let venv = progress.step("virtual environment", venv::ensure)?;
    deny::run(&mut progress, &venv)?;
    let strict = ["--", "--deny", "warnings"];
    let mut lints = workspace::cargo(&["clippy", "--workspace", "--all-targets"]);
    progress.command("lints", lints.args(strict))?;
    let mut lints = rust_importer::cargo("clippy", &venv)?;
    progress.command("lints of the importer", lints.args(strict))?;
    progress.command(
        "documentation",
        workspace::cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"])
            .env("RUSTDOCFLAGS", "--deny warnings"),
    )
}

/// Checks the format of the model texts, which `cargo fmt` does not find because `models!` names
/// them.
fn format_models() -> Result<()> {
    let mut rustfmt = Command::new(std::env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into()));
    let texts = rust_files(&workspace::root().join("models/src"))?;
    execute(rustfmt.arg("--check").args(texts).current_dir(workspace::root()))
}

/// The Rust files in a folder and its subfolders.
fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}
