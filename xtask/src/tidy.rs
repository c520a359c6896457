//! `cargo xtask tidy`: checks conventions of the source text that no compiler checks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace;
use anyhow::{Context, Result, bail};

/// Number of lines above which a file is reported; this is a note, not an error.
const LONG_FILE: usize = 600;

/// Maximum width of a comment, which is that of code; rustfmt does not wrap comments.
const WIDTH: usize = 100;

/// Checks every file that is, or could be, under version control.
pub fn run() -> Result<()> {
    let mut findings = Vec::new();
    for path in files()? {
        findings.extend(naming(&path));
        let Ok(text) = fs::read_to_string(workspace::root().join(&path)) else { continue };
        findings.extend(forbidden(&path, &text));
        if path.extension().is_some_and(|extension| extension == "rs") {
            findings.extend(opening(&path, &text));
            findings.extend(printing(&path, &text));
            findings.extend(wide_comments(&path, &text));
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

/// Every file that is, or could be, under version control.
pub fn files() -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(workspace::root())
        .output()
        .context("`git` cannot be started")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(PathBuf::from).collect())
}

/// Checks that a Rust file begins with one sentence about its purpose.
fn opening(path: &Path, text: &str) -> Option<String> {
    let docs: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let first: String = docs.iter().take_while(|line| !line.trim().is_empty()).copied().collect();
    let sentence = first.trim();
    let good = sentence.ends_with('.') && !sentence.trim_end_matches('.').contains(". ");
    (!good).then(|| format!("{}: does not open with one `//!` sentence", path.display()))
}

/// Refuses file names that do not describe the content.
fn naming(path: &Path) -> Option<String> {
    let name = path.to_string_lossy().to_lowercase();
    let parts: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let word = ["manager", "util"].into_iter().find(|w| parts.iter().any(|p| p.starts_with(w)))?;
    Some(format!("{}: a file may not be named `{word}`", path.display()))
}

fn wide_comments(path: &Path, text: &str) -> Vec<String> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| line.trim_start().starts_with("//") && line.chars().count() > WIDTH)
        .map(|(number, _)| {
            format!("{}:{}: a comment over {WIDTH} columns", path.display(), number + 1)
        })
        .collect()
}

/// Finds texts that must not occur anywhere. The texts are written in parts here, because this file
/// must not contain them either.
fn forbidden(path: &Path, text: &str) -> Vec<String> {
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("SPEED", "_TABLE"),
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

/// Checks that libraries print nothing; build scripts, chores and tests may print.
fn printing(path: &Path, text: &str) -> Vec<String> {
    let name = path.to_string_lossy();
    let may_print = ["xtask/", "tests/", "build.rs"]
        .iter()
        .any(|part| name.starts_with(part) || name.ends_with(part));
    // The text after the first test module of a file is not part of the library.
    let library = text.split("#[cfg(test)]").next().unwrap_or_default();
    if may_print || ["/tests/", "/benches/", "/src/bin/"].iter().any(|part| name.contains(part)) {
        return Vec::new();
    }
    let code = |line: &&str| !line.trim_start().starts_with("//");
    let mut found = Vec::new();
    for line in library.lines().filter(code) {
        // The longer names come first, because they contain the others.
        let words = ["eprintln!(", "println!(", "eprint!(", "print!(", "dbg!("];
        found.extend(words.into_iter().find(|word| line.contains(word)));
    }
    found.iter().map(|word| format!("{name}: a library may not use `{word}..)`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_no_wider_than_code() {
        let path = Path::new("a.rs");
        let fits = format!("    // {}", "é".repeat(WIDTH - 7));
        assert!(wide_comments(path, &fits).is_empty());
        assert_eq!(wide_comments(path, &format!("fn f() {{}}\n{fits}é")).len(), 1);
        assert!(wide_comments(path, &format!("let a = \"{fits}\";")).is_empty(), "no comment");
    }

    #[test]
    fn a_file_opens_with_one_sentence() {
        let opens = |text: &str| opening(Path::new("a.rs"), text).is_none();
        assert!(opens("//! Reads a table, also one of `a.csv`.\n//!\n//! Two. More.\nfn f() {}"));
        assert!(opens("//! One sentence on two\n//! lines.\n"));
        for bad in ["//! One. Two.\n", "//! no full stop\n", "fn f() {}", "//! One.\n//! Two.\n"] {
            assert!(!opens(bad), "{bad}");
        }
    }

    #[test]
    fn a_file_is_named_after_its_content() {
        for bad in ["src/state_manager.rs", "src/utils/mod.rs", "tests/Util.py"] {
            assert!(naming(Path::new(bad)).is_some(), "{bad}");
        }
        assert!(naming(Path::new("docs/distribution.md")).is_none());
    }

    #[test]
    fn libraries_do_not_print_and_chores_do() {
        let text = "fn f() {\n    if true { eprintln!(\"x\") }\n    let a = dbg!(1);\n}\n";
        assert_eq!(printing(Path::new("kernels/src/lib.rs"), text).len(), 2);
        assert!(printing(Path::new("xtask/src/main.rs"), text).is_empty());
        assert!(printing(Path::new("kernels/benches/solve.rs"), text).is_empty());
        let after = format!("/// Says `println!(..)`.\nfn g() {{}}\n#[cfg(test)]\n{text}");
        assert!(printing(Path::new("kernels/src/lib.rs"), &after).is_empty());
    }

    #[test]
    fn placeholders_are_found_with_their_line() {
        let text = ["fine", concat!("# TO", "DO"), concat!("SPEED", "_TABLE")].join("\n");
        let found = forbidden(Path::new("README.md"), &text);
        assert!(found.len() == 2 && found[1].starts_with("README.md:3:"), "{found:?}");
    }
}
