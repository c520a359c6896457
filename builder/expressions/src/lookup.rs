//! Lookups in tables of plain numbers, as expressions.
//!
//! A lookup is piecewise constant. It has two steps, the search for the row and the access to the
//! entry, so that a table over time searches for its row at events only.

use crate::fold;
use crate::graph::{self, Lookup, Node};
use crate::ops::{Ex, select};
use crate::table::LookupTable;

impl LookupTable {
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

    /// The number in a column and a row, both counted from 0. For rows beyond the ends, the first
    /// or the last row is used. No event.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn entry(&self, column: usize, row: impl Into<Ex>) -> Ex {
        assert!(column < self.columns(), "{}: there is no column {column}", self.contents().name);
        self.lookup(Lookup::Entry(column as u32), row.into())
    }

    /// The value at `x` on the line through the points before and after `x`; `count` points are
    /// before `x` (see [`LookupTable::count`]). Beyond the ends, the line passes through the
    /// outermost two points.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn line(&self, column: usize, count: Ex, x: Ex) -> Ex {
        let (x0, y0) = (self.entry(0, count - 1.0), self.entry(column, count - 1.0));
        y0 + self.slope(column, count) * (x - x0)
    }

    /// [`LookupTable::line`], constant beyond the ends.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn line_held(&self, column: usize, count: Ex, x: Ex) -> Ex {
        let (x0, y0) = (self.entry(0, count - 1.0), self.entry(column, count - 1.0));
        let inside = count.ge(1.0) & count.lt(self.rows());
        y0 + select(inside, self.slope(column, count), 0.0) * (x - x0)
    }

    /// The slope after `count` points; zero beyond a jump at an end.
    fn slope(&self, column: usize, count: Ex) -> Ex {
        let first = (count - 1.0).min(self.rows() - 2.0).max(0.0);
        let rise = |column| self.entry(column, first + 1.0) - self.entry(column, first);
        let run = rise(0);
        select(run.gt(0.0), rise(column) / run, 0.0)
    }

    /// `value` if `x` is between the first and the last abscissa; otherwise the evaluation fails,
    /// and the failure names the table.
    pub fn guard(&self, x: impl Into<Ex>, value: impl Into<Ex>) -> Ex {
        Ex(graph::intern(Node::Guard(self.clone(), x.into().0, value.into().0)))
    }
}
