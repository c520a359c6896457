//! Tables of plain numbers in the model text, or in a file of the folder of resources.
//!
//! A node of the graph contains its table, as a constant contains its value. At build time the
//! numbers in the file at that time are used; an FMU reads its own copy of the file at
//! instantiation.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kernels::rows::{Rows, Shape};

/// A table, which is identified by its identity and not by its numbers.
#[derive(Clone, Debug)]
pub struct Table(Arc<Contents>);

/// The contents of a table.
#[derive(Debug)]
pub struct Contents {
    /// Its name, for messages.
    pub name: String,
    /// The file in the folder of resources, unless the numbers are part of the model text.
    pub file: Option<String>,
    /// How the numbers are laid out.
    pub shape: Shape,
    /// The numbers at build time.
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
    /// A table with an identity of its own.
    pub fn new(contents: Contents) -> Table {
        Table(Arc::new(contents))
    }

    /// Its contents.
    pub fn contents(&self) -> &Contents {
        &self.0
    }

    /// The number of columns, including the abscissa.
    pub fn columns(&self) -> usize {
        self.0.shape.columns
    }

    /// All numbers at build time, row after row.
    pub fn numbers(&self) -> &[f64] {
        self.0.rows.numbers()
    }
}
