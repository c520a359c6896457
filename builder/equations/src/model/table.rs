//! Declares tables of plain numbers, which are in the model text or in a file of the folder of
//! resources.
//!
//! At build time the numbers in the file at that time are used; an FMU reads its own copy of the
//! file at instantiation.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::{env, fs};

use expressions::{Contents, LookupTable};
use kernels::rows::{Rows, TableShape};

use crate::model::Model;
use crate::vocabulary::error::Error;

impl Model {
    /// Sets the folder with the files of tables; the default is `resources` next to the manifest of
    /// the package that is being built.
    pub fn resources(&mut self, folder: impl Into<PathBuf>) {
        self.resources = Some(folder.into());
    }

    /// A table of numbers, row after row, with the abscissa first in each row. Messages contain
    /// `name`.
    ///
    /// # Errors
    /// If the numbers do not fit the shape; the message names the row.
    pub fn table_rows(
        &mut self,
        name: &str,
        numbers: Vec<f64>,
        shape: TableShape,
    ) -> Result<LookupTable, Error> {
        lookup_table(name, numbers, shape)
    }

    /// A table in a file of comma-separated values, in the folder of resources: a relative path
    /// without `..`, whose parts are separated by `/`. The number of columns is that of the file at
    /// build time; a file that replaces it later must have the same number.
    ///
    /// # Errors
    /// If the file cannot be read or does not fit the shape; the message names the line.
    pub fn table_file(
        &mut self,
        name: &str,
        file: &str,
        jumps: bool,
        periodic: bool,
    ) -> Result<LookupTable, Error> {
        let refuse = |reason: String| Error::File(format!("{name}: {file}: {reason}"));
        let outside = |part: &str| matches!(part, "" | "." | "..");
        if file.contains(['\\', ':']) || file.split('/').any(outside) {
            return Err(refuse("it must be a path inside the folder of resources".to_owned()));
        }
        let beside = || env::var("CARGO_MANIFEST_DIR").map(|at| Path::new(&at).join("resources"));
        let folder = self.resources.clone().or_else(|| beside().ok()).unwrap_or_default();
        let path = folder.join(file);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => Error::File(format!("{name}: {}", missing(&folder, file))),
            _ => refuse(format!("{}: {error}", path.display())),
        })?;
        let columns = Rows::columns_of(&text).unwrap_or(1);
        let shape = TableShape { columns, jumps, periodic };
        let rows = Rows::parse(&text, &shape).map_err(refuse)?;
        let (name, file) = (name.to_owned(), Some(file.to_owned()));
        Ok(LookupTable::new(Contents { name, file, shape, rows }))
    }
}

/// A table of numbers that belongs to no model yet; see [`Model::table_rows`].
///
/// # Errors
/// If the numbers do not fit the shape; the message names the row.
pub fn lookup_table(
    name: &str,
    numbers: Vec<f64>,
    shape: TableShape,
) -> Result<LookupTable, Error> {
    let rows = Rows::new(numbers, &shape)
        .map_err(|reason| Error::Definition(format!("{name}: {reason}")))?;
    Ok(LookupTable::new(Contents { name: name.to_owned(), file: None, shape, rows }))
}

/// The message about a file that is not in a folder. The file may be in the folder above, the
/// folder of a package, or belong to a model that a test simulates without the model's name.
fn missing(folder: &Path, file: &str) -> String {
    let above = folder.parent().map(|above| above.join(file)).filter(|path| path.is_file());
    let below = fs::read_dir(folder).into_iter().flatten().flatten();
    let with_file = below.filter(|model| model.path().join(file).is_file());
    let of_model = with_file.min_by_key(|model| model.file_name());
    let hint = match (above, of_model) {
        (Some(path), _) => format!("; {} belongs there", path.display()),
        (None, Some(model)) => {
            let (path, name) = (model.path().join(file), model.file_name());
            let (path, name) = (path.display(), name.display());
            format!("; {path} is that of a model, which MODELS.simulation(\"{name}\") simulates")
        }
        (None, None) => String::new(),
    };
    format!("there is no file {}{hint}", folder.join(file).display())
}
