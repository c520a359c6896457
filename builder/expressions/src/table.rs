//! The tables of plain numbers that nodes of the graph read.
//!
//! A node contains its table, as a constant contains its value. If the numbers are in a file, those
//! at build time are used at build time; an FMU reads its own copy of the file at instantiation.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kernels::rows::{Rows, TableShape};

/// A table. Two tables with the same numbers are different tables unless one is a clone of the
/// other.
#[derive(Clone, Debug)]
pub struct LookupTable(Arc<Contents>);

/// The contents of a table.
#[derive(Debug)]
pub struct Contents {
    /// Its name, for messages.
    pub name: String,
    /// The file in the folder of resources, unless the numbers are part of the model text.
    pub file: Option<String>,
    /// How the numbers are laid out.
    pub shape: TableShape,
    /// The numbers at build time.
    pub rows: Rows,
}

impl PartialEq for LookupTable {
    fn eq(&self, other: &LookupTable) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for LookupTable {}

impl Hash for LookupTable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl LookupTable {
    /// A table with an identity of its own.
    pub fn new(contents: Contents) -> LookupTable {
        LookupTable(Arc::new(contents))
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
