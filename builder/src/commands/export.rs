//! Writes a model to a file in the language of a front end.

use std::fs;
use std::path::{Path, PathBuf};

use fmus::atomic_file;
use fmus::error::{Error, FileContext};

/// Writes the text of a file, and copies the resources of the model with this name to the folder
/// `resources/NAME` beside it; returns the paths of all files.
///
/// # Errors
/// If a file cannot be written.
pub fn write(
    (name, resources): (&str, &Path),
    text: &str,
    output: &Path,
) -> Result<Vec<PathBuf>, Error> {
    atomic_file::write(output, text.as_bytes())?;
    let mut written = vec![output.to_owned()];
    let beside = output.parent().unwrap_or(Path::new("")).join("resources").join(name);
    if resources.is_dir() && resources != beside {
        copy(resources, &beside, &mut written)?;
    }
    Ok(written)
}

/// Copies the content of a folder.
fn copy(from: &Path, to: &Path, written: &mut Vec<PathBuf>) -> Result<(), Error> {
    fs::create_dir_all(to).attempt("create", to)?;
    let entries = fs::read_dir(from).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = entries.attempt("read", from)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to, written)?;
        } else {
            let bytes = fs::read(&from).attempt("read", &from)?;
            atomic_file::write(&to, &bytes)?;
            written.push(to);
        }
    }
    Ok(())
}
