//! Tables of plain numbers, which are checked once and then constant during a simulation.
//!
//! The first column holds the abscissae, which ascend. A lookup has two parts: [`Rows::count`]
//! finds the row of an abscissa, and [`Rows::entry`] reads a number in a row. The first part can be
//! restricted to events. Both are piecewise constant functions of their argument alone.

use std::borrow::Cow;

use crate::Scalar;
use crate::limits::Number;
use crate::newton::{Failure, FailureKind, TableRange};

/// The distance by which an argument may lie outside a table because of rounding, relative to
/// `max(1, |argument|)`.
const SLACK: f64 = 1e-9;

/// The requirements on a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableShape {
    /// Numbers in a row, the abscissa included.
    pub columns: usize,
    /// Whether two neighbouring abscissae may be equal: a jump.
    pub jumps: bool,
    /// Whether the table repeats itself: the last abscissa is larger than the first.
    pub periodic: bool,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    columns: usize,
    numbers: Cow<'static, [f64]>,
}

impl Rows {
    /// A table of numbers, row after row.
    ///
    /// # Errors
    /// A message that names the row which does not fit the shape.
    pub fn new(
        numbers: impl Into<Cow<'static, [f64]>>,
        shape: &TableShape,
    ) -> Result<Rows, String> {
        let numbers = numbers.into();
        if shape.columns == 0 || numbers.len() % shape.columns != 0 {
            let (n, columns) = (numbers.len(), shape.columns);
            return Err(format!("{n} numbers cannot form rows of {columns}"));
        }
        check(&numbers, shape, |row| format!("row {}", row + 1))?;
        Ok(Rows { columns: shape.columns, numbers })
    }

    /// Reads a table from comma-separated text: a row of numbers per line. Empty lines and text
    /// after a `#` are ignored; the first line may be a header.
    ///
    /// # Errors
    /// A message with the line and the value that is wrong.
    pub fn parse(text: &str, shape: &TableShape) -> Result<Rows, String> {
        let mut numbers = Vec::new();
        let mut lines = Vec::new();
        for (number, cells) in content(text) {
            let values = cells.iter().map(|cell| cell.parse::<f64>());
            if lines.is_empty() && numbers.is_empty() && values.clone().all(|v| v.is_err()) {
                // This is the header; a second one would be a mistake.
                lines.push(number);
                continue;
            }
            if let Some(reason) = no_row(&cells, lines.is_empty()) {
                return Err(format!("line {number}: {reason}"));
            }
            if cells.len() != shape.columns {
                let (n, columns) = (cells.len(), shape.columns);
                return Err(format!("line {number}: it has {n} values, not {columns}"));
            }
            for (value, cell) in values.zip(&cells) {
                let value = value.map_err(|_| format!("line {number}: {cell:?} is not a number"));
                numbers.push(value?);
            }
            lines.push(number);
        }
        let rows = numbers.len() / shape.columns.max(1);
        let header = lines.len() - rows;
        check(&numbers, shape, |row| format!("line {}", lines[header + row]))?;
        Ok(Rows { columns: shape.columns, numbers: numbers.into() })
    }

    /// The number of values in the first line of text that holds numbers.
    pub fn columns_of(text: &str) -> Option<usize> {
        let numbers = |cells: &Vec<&str>| cells.iter().any(|cell| cell.parse::<f64>().is_ok());
        content(text).map(|(_, cells)| cells).find(numbers).map(|cells| cells.len())
    }

    /// All numbers, row after row.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// The number of rows.
    fn rows(&self) -> usize {
        self.numbers.len() / self.columns
    }

    /// The number of rows whose abscissa is at most `x`.
    #[inline]
    pub fn count(&self, x: f64) -> f64 {
        let (mut low, mut high) = (0, self.rows());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.numbers[middle * self.columns] <= x {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low as f64
    }

    /// The number in a column and a row, both counted from 0. For rows beyond the ends, the first
    /// or the last row is used.
    #[inline]
    pub fn entry(&self, column: usize, row: f64) -> f64 {
        // The conversion maps negative numbers to 0.
        let row = (row as usize).min(self.rows() - 1);
        self.numbers[row * self.columns + column]
    }

    /// Returns `value` if `x` is between the first and the last abscissa.
    ///
    /// # Errors
    /// If `x` is outside: [`FailureKind::OutsideTable`] with the number `table` and with `x`;
    /// whether this is the time is not known here.
    #[inline]
    pub fn guard<S: Scalar>(&self, table: u32, x: f64, value: S) -> Result<S, Failure> {
        let (first, last) = (self.entry(0, 0.0), self.entry(0, f64::INFINITY));
        let slack = SLACK * x.abs().max(1.0);
        if first - slack <= x && x <= last + slack {
            return Ok(value);
        }
        let kind = FailureKind::OutsideTable(TableRange { first, last, of_time: false });
        Err(Failure { block: table, kind, residual: x })
    }
}

/// For each line with content: its number, and its cells without the blanks around them.
fn content(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = text.lines().enumerate().map(|(i, line)| {
        let content = line.split('#').next().unwrap_or_default().trim();
        (i + 1, content)
    });
    lines
        .filter(|(_, content)| !content.is_empty())
        .map(|(number, content)| (number, content.split(',').map(str::trim).collect()))
}

/// Why a line is no row of numbers, where its punctuation is the reason, or where it is the first
/// one and looks like a header.
fn no_row(cells: &[&str], first: bool) -> Option<String> {
    const SEMICOLON: &str = "it contains a semicolon: values are separated by commas, and decimals \
                             by points";
    const COMMA: &str = "it ends with a comma, after which a value is missing";
    if cells.iter().any(|cell| cell.contains(';')) {
        return Some(SEMICOLON.to_owned());
    }
    if cells.len() > 1 && cells.last().is_some_and(|cell| cell.is_empty()) {
        return Some(COMMA.to_owned());
    }
    let is_number = |cell: &&&str| cell.parse::<f64>().is_ok_and(f64::is_finite);
    let is_word = |cell: &&&str| cell.starts_with(char::is_alphabetic) && !is_number(cell);
    let word = cells.first().filter(is_word).filter(|_| first)?;
    let number = cells.iter().find(is_number)?;
    Some(format!("{word:?} is not a number, but {number} is: a header has words only"))
}

/// Checks numbers against a shape; `place` names a row.
fn check(
    numbers: &[f64],
    shape: &TableShape,
    place: impl Fn(usize) -> String,
) -> Result<(), String> {
    let Some(first) = numbers.first() else { return Err("there are no rows".to_owned()) };
    let mut before = None;
    for (i, row) in numbers.chunks_exact(shape.columns).enumerate() {
        if let Some(value) = row.iter().find(|value| !value.is_finite()) {
            return Err(format!("{}: {value} is not a finite number", place(i)));
        }
        let x = row[0];
        if let Some(before) = before.filter(|&before| x < before || x == before && !shape.jumps) {
            let wanted = if shape.jumps { "must not be below" } else { "must be larger than" };
            let (place, x, before) = (place(i), Number(x), Number(before));
            return Err(format!("{place}: {x} {wanted} {before} in the row above"));
        }
        before = Some(x);
    }
    if shape.periodic && before.is_none_or(|last| last <= *first) {
        let first = Number(*first);
        return Err(format!("a periodic table needs two different abscissae, but all are {first}"));
    }
    Ok(())
}
