//! Writes files either completely or not at all.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::error::{Error, FileContext};

/// Writes a file such that no other process ever reads an incomplete one; creates its folder.
///
/// # Errors
/// If the folder or the file cannot be written; an older file of the same name is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if path.is_dir() || path.file_name().is_none() {
        return Err(Error::Request(format!("cannot write {}: it is a folder", path.display())));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder).attempt("create", folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fmu-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = match builder.tempfile_in(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let (path, folder) = (path.display(), folder.display());
            let reason = format!("no file can be made in the folder {folder}");
            return Err(Error::Request(format!("cannot write {path}: {reason}")));
        }
        file => file.attempt("write", path)?,
    };
    file.write_all(bytes).attempt("write", path)?;
    file.persist(path).map_err(|e| e.error).attempt("write", path)?;
    Ok(())
}
