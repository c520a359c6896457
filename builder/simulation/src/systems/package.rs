//! The archive of a system: its description, its FMUs and other resources.

use std::fs;
use std::path::{Component, Path, PathBuf};

use fmus::archive::Entry;
use fmus::archive::unpack;
use fmus::error::{Error, FileContext, of_system};
use tempfile::TempDir;

use super::structure::{self, DESCRIPTION, ParameterSet, Structure};

/// The extension of archives.
pub const EXTENSION: &str = "ssp";

/// Whether a path is that of an archive of a system.
pub fn is_package(path: &Path) -> bool {
    path.extension().is_some_and(|of| of.eq_ignore_ascii_case(EXTENSION))
}

/// An unpacked archive of a system.
#[derive(Debug)]
pub struct Package {
    /// The archive.
    pub path: PathBuf,
    /// Its description.
    pub structure: Structure,
    folder: TempDir,
}

impl Package {
    /// Opens and unpacks an archive.
    ///
    /// # Errors
    /// If the file is not an archive with the description of a system.
    pub fn open(path: &Path) -> Result<Package, Error> {
        let mut archive = unpack::open(path)?;
        let folder = tempfile::Builder::new().prefix("ssp-").tempdir();
        let folder = folder.attempt("create", &std::env::temp_dir())?;
        unpack::unpack(path, &mut archive, folder.path())?;
        let fail = |reason: String| Error::Content { path: path.to_owned(), reason };
        let file = folder.path().join(DESCRIPTION);
        if !file.is_file() {
            return Err(fail(format!(
                "it is not the archive of a system: it has no {DESCRIPTION}"
            )));
        }
        let text = text(&file).map_err(|reason| fail(format!("{DESCRIPTION}: {reason}")))?;
        let structure = structure::structure(&text)
            .map_err(|reason| fail(format!("{DESCRIPTION}: {reason}")))?;
        Ok(Package { path: path.to_owned(), structure, folder })
    }

    /// The unpacked file that the description names.
    ///
    /// # Errors
    /// One sentence if it is not a file of the archive.
    pub fn file(&self, source: &str) -> Result<PathBuf, String> {
        let relative = Path::new(source);
        let is_inside = relative.components().all(|c| matches!(c, Component::Normal(_)));
        if !is_inside || source.contains(':') {
            return Err(format!("`{source}` is not the path of a file in the archive"));
        }
        let path = self.folder.path().join(relative);
        match path.is_file() {
            true => Ok(path),
            false => Err(format!("the archive has no file {source}")),
        }
    }

    /// The set of parameters in a file of the archive.
    ///
    /// # Errors
    /// One sentence if there is no such file, or if it is not a set of parameters.
    pub fn parameter_set(&self, source: &str) -> Result<ParameterSet, String> {
        let text = text(&self.file(source)?).map_err(|reason| format!("{source}: {reason}"))?;
        structure::parameter_set(&text).map_err(|reason| format!("{source}: {reason}"))
    }
}

fn text(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|e| format!("it cannot be read: {}", of_system(&e)))?;
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

/// The files of an archive: the description, and resources whose paths the description names.
pub fn entries(structure: &Structure, resources: Vec<Entry>) -> Vec<Entry> {
    let description = Entry::new(DESCRIPTION, structure.text());
    std::iter::once(description).chain(resources).collect()
}
