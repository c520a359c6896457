//! Labels that distinguish files.

use std::path::{Path, PathBuf, absolute};

/// A label for each file: its name without the extension, preceded by as many folders as
/// distinguish it from other files of this name.
#[must_use]
pub fn labels(files: &[PathBuf]) -> Vec<String> {
    let stem = |file: &Path| file.file_stem().unwrap_or_default().to_owned();
    let label = |file: &PathBuf| {
        let same = |other: &&PathBuf| *other != file && stem(other) == stem(file);
        let others: Vec<&PathBuf> = files.iter().filter(same).collect();
        let depths = 0..full(file).ancestors().count();
        let distinguishes = |depth: &usize| {
            others.iter().all(|other| ending(other, *depth) != ending(file, *depth))
        };
        let depth = depths.into_iter().find(distinguishes);
        // Files of the same name in one folder differ in their extension.
        depth.map_or_else(|| file.display().to_string(), |depth| ending(file, depth))
    };
    files.iter().map(label).collect()
}

/// The file with all folders above it, as far as they can be found.
fn full(file: &Path) -> PathBuf {
    absolute(file).unwrap_or_else(|_| file.to_owned())
}

/// The name of a file without its extension, with a number of folders before it.
fn ending(file: &Path, folders: usize) -> String {
    let full = full(file).with_extension("");
    let parts: Vec<_> = full.iter().map(|part| part.to_string_lossy()).collect();
    parts[parts.len().saturating_sub(folders + 1)..].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_the_folders_that_distinguish_files() {
        let check = |files: &[&str], expected: &[&str]| {
            let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
            assert_eq!(labels(&files), expected);
        };
        check(&["x/a.csv", "y/b.csv"], &["a", "b"]);
        check(&["x/a.csv", "y/a.csv", "y/b.csv"], &["x/a", "y/a", "b"]);
        check(&["1/x/a.csv", "2/x/a.csv"], &["1/x/a", "2/x/a"]);
        check(&["x/a.csv", "x/a.txt"], &["x/a.csv", "x/a.txt"]);
    }
}
