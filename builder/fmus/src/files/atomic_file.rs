//! Writes files either completely or not at all; devices and pipes are written to.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::vocabulary::error::{Error, FileContext};

/// Writes a file, and creates its folder. No other process ever reads an incomplete file. A
/// symbolic link stays, and the file at its end is written.
///
/// # Errors
/// If the folder or the file cannot be written; an older file of the same name is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if path.is_dir() || path.file_name().is_none() {
        return Err(Error::Request(format!("cannot write {}: it is a folder", path.display())));
    }
    if path.exists() && !path.is_file() {
        let mut device = OpenOptions::new().write(true).open(path).attempt("write", path)?;
        return device.write_all(bytes).attempt("write", path);
    }
    let target = followed(path)?;
    let path = target.as_path();
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

/// The file of a path: at the end of all symbolic links, if the path is a link.
fn followed(path: &Path) -> Result<PathBuf, Error> {
    /// More links than these are a circle.
    const MOST_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    let path = path.display();
    Err(Error::Request(format!("cannot write {path}: its symbolic links lead in a circle")))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, symlink};

    #[test]
    fn links_and_devices_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("below")).unwrap();
        for (link, to) in [("first", "second"), ("second", "below/file"), ("circle", "circle")] {
            symlink(to, at(link)).unwrap();
        }
        // The file does not exist at first.
        for text in ["one", "two"] {
            write(&at("first"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(at("below/file")).unwrap(), text);
        }
        assert!(["first", "second"].map(|link| at(link).is_symlink()) == [true; 2]);
        let refused = write(&at("circle"), b"text").unwrap_err().to_string();
        assert!(refused.ends_with("its symbolic links lead in a circle"), "{refused}");
        assert!(at("circle").is_symlink());
        write(Path::new("/dev/null"), b"text").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }
}
