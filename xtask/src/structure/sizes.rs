//! The sizes of crates.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Maximum number of lines of Rust in the folder `src` of a crate.
const MOST_LINES: usize = 20_000;

/// A message about a folder `src` that is too large.
pub fn check(name: &str, folder: &Path) -> Result<Option<String>> {
    Ok(excess(name, lines(folder)?))
}

fn excess(name: &str, lines: usize) -> Option<String> {
    (lines > MOST_LINES).then(|| format!("{name}: {lines} lines are more than {MOST_LINES}"))
}

/// The number of lines of Rust in a folder.
fn lines(folder: &Path) -> Result<usize> {
    let mut sum = 0;
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            sum += lines(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            sum += text.lines().count();
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_crate_with_too_many_lines_is_refused() {
        assert_eq!(excess("whole", MOST_LINES), None);
        let message = excess("whole", MOST_LINES + 1).unwrap();
        assert_eq!(message, "whole: 20001 lines are more than 20000");
    }

    #[test]
    fn lines_of_rust_in_all_folders_count() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        for (name, text) in [("a.rs", "1\n2\n"), ("inner/b.rs", "3\n"), ("inner/c.txt", "4\n")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        assert_eq!(lines(folder.path()).unwrap(), 3);
    }
}
