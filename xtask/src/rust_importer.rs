//! Builds the program for the Rust importer `fmi`, a workspace of its own, in
//! `target/rust_importer`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::workspace;
use anyhow::{Context, Result};

/// The path of its manifest.
const MANIFEST: &str = "tests/rust_importer/Cargo.toml";

/// A command of cargo for the program, with the environment that its build needs.
pub fn cargo(command: &str, venv: &Path) -> Result<Command> {
    let mut cargo = workspace::cargo(&[command, "--locked", "--manifest-path", MANIFEST]);
    cargo.arg("--target-dir").arg(workspace::target().join("rust_importer")).envs(bindgen(venv)?);
    Ok(cargo)
}

/// The command that checks its format.
pub fn format() -> Command {
    workspace::cargo(&["fmt", "--check", "--manifest-path", MANIFEST])
}

/// The environment variables for bindgen, which the build of the crate `fmi` needs: with them it
/// finds libclang (a package of the virtual environment) and the C compiler's own headers.
fn bindgen(venv: &Path) -> Result<[(&'static str, String); 2]> {
    let library = fs::read_dir(venv.join("lib"))?
        .flatten()
        .map(|entry| entry.path().join("site-packages/clang/native"))
        .find(|path| path.is_dir())
        .context("the virtual environment lacks libclang")?;
    let output = Command::new("cc")
        .arg("-print-file-name=include")
        .output()
        .context("a C compiler is needed and `cc` was not found")?;
    let include = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok([
        ("LIBCLANG_PATH", library.display().to_string()),
        ("BINDGEN_EXTRA_CLANG_ARGS", format!("-I{include}")),
    ])
}
