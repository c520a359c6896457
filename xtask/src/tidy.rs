//! `cargo xtask tidy`: the habits of the source text that no compiler checks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A file longer than this many lines is a question to answer, not an error.
const LONG_FILE: usize = 600;

/// Checks every file that is, or could be, under version control.
pub fn run() -> Result<()> {
    let mut findings = Vec::new();
    for path in files()? {
        let Ok(text) = fs::read_to_string(crate::root().join(&path)) else { continue };
        findings.extend(forbidden(&path, &text));
        if path.extension().is_some_and(|extension| extension == "rs") {
            findings.extend(opening(&path, &text));
            findings.extend(printing(&path, &text));
            let lines = text.lines().count();
            if lines > LONG_FILE {
                eprintln!("note: {} has {lines} lines", path.display());
            }
        }
    }
    if !findings.is_empty() {
        bail!("{} findings\n{}", findings.len(), findings.join("\n"));
    }
    Ok(())
}

fn files() -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(crate::root())
        .output()
        .context("`git` cannot be started")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(PathBuf::from).collect())
}

/// Every Rust file opens with one sentence that says what it is for.
fn opening(path: &Path, text: &str) -> Option<String> {
    let docs: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let first: String = docs.iter().take_while(|line| !line.trim().is_empty()).copied().collect();
    let sentence = first.trim();
    let good = sentence.ends_with('.') && !sentence.trim_end_matches('.').contains(". ");
    (!good).then(|| format!("{}: does not open with one `//!` sentence", path.display()))
}

/// Text that must not be anywhere; written in parts, so that this file has none of it.
fn forbidden(path: &Path, text: &str) -> Vec<String> {
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
        concat!("/wo", "rk/"),
        concat!("art", "ifactory"),
        concat!("un", "implemented!"),
    ];
    let lines = text.lines().enumerate();
    lines
        .filter_map(|(number, line)| {
            let word = words.iter().find(|word| line.contains(**word))?;
            Some(format!("{}:{}: contains `{word}`", path.display(), number + 1))
        })
        .collect()
}

/// Libraries print nothing; programs, build scripts, chores and tests may.
fn printing(path: &Path, text: &str) -> Vec<String> {
    let name = path.to_string_lossy();
    let may_print = ["xtask/", "tests/", "builder/src/main.rs", "build.rs"]
        .iter()
        .any(|part| name.starts_with(part) || name.ends_with(part));
    // What follows the first test module of a file is not part of the library.
    let library = text.split("#[cfg(test)]").next().unwrap_or_default();
    if may_print || name.contains("/tests/") || name.contains("/src/bin/") {
        return Vec::new();
    }
    ["println!(", "print!("]
        .iter()
        .filter(|word| library.lines().any(|l| l.trim_start().starts_with(**word)))
        .map(|word| format!("{name}: a library may not use `{word}..)`"))
        .collect()
}
