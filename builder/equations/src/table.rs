//! Tables of plain numbers, written in the model text or read from a file beside it.
//!
//! A node of the graph carries its table, as a constant carries its value. The numbers of a file
//! are those at build time for everything that happens then; an FMU reads its own copy again when
//! it is instantiated.

use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use kernels::rows::{Rows, Shape};

use crate::error::Error;
use crate::fold;
use crate::graph::{self, Lookup, Node};
use crate::model::Model;
use crate::ops::{Ex, select};

/// A table: known by its identity, not by its numbers.
#[derive(Clone, Debug)]
pub struct Table(Arc<Contents>);

/// What a table consists of.
#[derive(Debug)]
pub(crate) struct Contents {
    pub name: String,
    /// The file in the folder of resources, unless the numbers are part of the model text.
    pub file: Option<String>,
    pub shape: Shape,
    pub rows: Rows,
}

impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Table {}

impl Hash for Table {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl Table {
    pub(crate) fn contents(&self) -> &Contents {
        &self.0
    }

    /// The number of columns, the abscissa included.
    pub fn columns(&self) -> usize {
        self.0.shape.columns
    }

    /// All numbers at build time, row after row.
    pub fn numbers(&self) -> &[f64] {
        self.0.rows.numbers()
    }

    fn lookup(&self, lookup: Lookup, argument: Ex) -> Ex {
        Ex(fold::lookup(lookup, self, argument.0))
    }

    /// The number of rows.
    pub fn rows(&self) -> Ex {
        self.count(f64::INFINITY)
    }

    /// The number of rows whose abscissa is at most `x`. No event.
    pub fn count(&self, x: impl Into<Ex>) -> Ex {
        self.lookup(Lookup::Count, x.into())
    }

    /// The number in a column and a row, both counted from 0; beyond the ends that of the first or
    /// the last row. No event.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn entry(&self, column: usize, row: impl Into<Ex>) -> Ex {
        assert!(column < self.columns(), "{}: there is no column {column}", self.0.name);
        self.lookup(Lookup::Entry(column as u32), row.into())
    }

    /// The value at `x` on the line through the points around place `count` (what
    /// [`Table::count`] gives): beyond the ends through the two points there.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn line(&self, column: usize, count: Ex, x: Ex) -> Ex {
        let (x0, y0) = (self.entry(0, count - 1.0), self.entry(column, count - 1.0));
        y0 + self.slope(column, count) * (x - x0)
    }

    /// [`Table::line`] that beyond the ends holds the values there.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn line_held(&self, column: usize, count: Ex, x: Ex) -> Ex {
        let (x0, y0) = (self.entry(0, count - 1.0), self.entry(column, count - 1.0));
        let inside = count.ge(1.0) & count.lt(self.rows());
        y0 + select(inside, self.slope(column, count), 0.0) * (x - x0)
    }

    /// The slope at a place; zero beyond a jump at an end.
    fn slope(&self, column: usize, count: Ex) -> Ex {
        let first = (count - 1.0).min(self.rows() - 2.0).max(0.0);
        let rise = |column| self.entry(column, first + 1.0) - self.entry(column, first);
        let run = rise(0);
        select(run.gt(0.0), rise(column) / run, 0.0)
    }

    /// `value`, as long as `x` is between the first and the last abscissa; else the evaluation
    /// fails, and the failure names the table.
    pub fn guard(&self, x: impl Into<Ex>, value: impl Into<Ex>) -> Ex {
        Ex(graph::intern(Node::Guard(self.clone(), x.into().0, value.into().0)))
    }
}

impl Model {
    /// Sets the folder in which files of tables are looked for; unless set it is `resources` beside
    /// the manifest of the package that is being built.
    pub fn resources(&mut self, folder: impl Into<PathBuf>) {
        self.resources = Some(folder.into());
    }

    /// A table of numbers, row after row, the abscissae first. `name` is for messages.
    ///
    /// # Errors
    /// The numbers do not fit the shape: which row.
    pub fn table_rows(
        &mut self,
        name: &str,
        numbers: Vec<f64>,
        shape: Shape,
    ) -> Result<Table, Error> {
        let rows = Rows::new(numbers, &shape)
            .map_err(|reason| Error::Definition(format!("{name}: {reason}")))?;
        Ok(Table(Arc::new(Contents { name: name.to_owned(), file: None, shape, rows })))
    }

    /// A table in a file of comma-separated values, in the folder of resources: a relative path
    /// without `..`, whose parts are separated by `/`. The number of columns is that of the file
    /// now, and a file put in its place later must have as many.
    ///
    /// # Errors
    /// The file cannot be read or does not fit the shape: which line.
    pub fn table_file(
        &mut self,
        name: &str,
        file: &str,
        jumps: bool,
        periodic: bool,
    ) -> Result<Table, Error> {
        let refuse = |reason: String| Error::File(format!("{name}: {file}: {reason}"));
        let outside = |part: &str| matches!(part, "" | "." | "..");
        if file.contains(['\\', ':']) || file.split('/').any(outside) {
            return Err(refuse("it must be a path inside the folder of resources".to_owned()));
        }
        let beside = || env::var("CARGO_MANIFEST_DIR").map(|at| Path::new(&at).join("resources"));
        let folder = self.resources.clone().or_else(|| beside().ok()).unwrap_or_default();
        let path = folder.join(file);
        let text = fs::read_to_string(&path)
            .map_err(|error| refuse(format!("{}: {error}", path.display())))?;
        let columns = Rows::columns_of(&text).unwrap_or(1);
        let shape = Shape { columns, jumps, periodic };
        let rows = Rows::parse(&text, &shape).map_err(refuse)?;
        let (name, file) = (name.to_owned(), Some(file.to_owned()));
        Ok(Table(Arc::new(Contents { name, file, shape, rows })))
    }
}
