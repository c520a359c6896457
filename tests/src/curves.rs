//! Tables of curves: reading them, and how far two of them are apart.

use std::fs;
use std::ops::Range;
use std::path::Path;

/// A table with a column of time and one column per signal.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The signals' names.
    pub names: Vec<String>,
    /// Time in s, ascending; an event shows as a repeated time.
    pub time: Vec<f64>,
    /// One row of values per time; Booleans are 0 and 1.
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    /// Reads comma-separated values: a header, then numbers; lines that begin with `#` are
    /// comments.
    pub fn read(path: &Path) -> Table {
        let text = fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
        Table::parse(&text)
    }

    /// Reads the text of such a file.
    pub fn parse(text: &str) -> Table {
        let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let header = lines.next().expect("a header");
        let mut table = Table { names: columns(header).split_off(1), ..Table::default() };
        for line in lines {
            let mut numbers = line.split(',').map(|word| {
                word.trim().parse::<f64>().unwrap_or_else(|_| panic!("{word:?} is not a number"))
            });
            table.time.push(numbers.next().expect("a time"));
            table.rows.push(numbers.collect());
        }
        table
    }

    /// The table of some columns of a text that may have others, of texts for instance; `None` if
    /// it lacks one, or a number in it.
    pub fn of_columns(text: &str, names: &[&str]) -> Option<Table> {
        let mut lines = text.lines().filter(|line| !line.is_empty());
        let header = columns(lines.next()?);
        let index = |name: &str| header.iter().position(|n| n.trim() == name);
        let indices: Vec<usize> = names.iter().map(|name| index(name)).collect::<Option<_>>()?;
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let mut table = Table { names, ..Table::default() };
        for line in lines {
            let words = columns(line);
            let number = |i: usize| words.get(i)?.trim().parse::<f64>().ok();
            table.time.push(number(0)?);
            table.rows.push(indices.iter().map(|i| number(*i)).collect::<Option<_>>()?);
        }
        Some(table)
    }

    /// The table as text; reading its numbers gives the same bits.
    pub fn text(&self) -> String {
        // The elements of a matrix have a comma in their names.
        let quoted = |name: &String| {
            if name.contains(',') { format!("\"{name}\"") } else { name.clone() }
        };
        let names: Vec<String> = self.names.iter().map(quoted).collect();
        let mut text = format!("time,{}\n", names.join(","));
        for (t, row) in self.time.iter().zip(&self.rows) {
            let words: Vec<String> = row.iter().map(|v| number(*v)).collect();
            text += &format!("{t},{}\n", words.join(","));
        }
        text
    }

    /// The index of a signal.
    pub fn index(&self, name: &str) -> usize {
        let found = self.names.iter().position(|n| n == name);
        found.unwrap_or_else(|| panic!("there is no column {name}"))
    }

    /// A signal's values.
    pub fn column(&self, name: &str) -> Vec<f64> {
        let index = self.index(name);
        self.rows.iter().map(|row| row[index]).collect()
    }

    /// The last time in s.
    pub fn end(&self) -> f64 {
        self.time.last().copied().expect("a table with rows")
    }

    /// The different times, each with its rows: several at an event.
    pub fn instants(&self) -> Vec<(f64, Range<usize>)> {
        let mut instants: Vec<(f64, Range<usize>)> = Vec::new();
        for (i, t) in self.time.iter().enumerate() {
            match instants.last_mut() {
                Some((last, rows)) if last == t => rows.end = i + 1,
                _ => instants.push((*t, i..i + 1)),
            }
        }
        instants
    }

    /// The times with several rows.
    pub fn events(&self) -> Vec<f64> {
        let instants = self.instants().into_iter();
        instants.filter(|(_, rows)| rows.len() > 1).map(|(t, _)| t).collect()
    }

    /// The row of a time that the table has.
    pub fn row_at(&self, t: f64) -> &[f64] {
        let found = self.time.binary_search_by(|time| time.total_cmp(&t));
        &self.rows[found.unwrap_or_else(|_| panic!("there is no row at {t} s"))]
    }
}

/// The words of a line; those in quotation marks may have commas.
fn columns(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => words.push(String::new()),
            other => words.last_mut().expect("there is one").push(other),
        }
    }
    words
}

/// A number in as few characters as give the same bits.
fn number(v: f64) -> String {
    let (plain, scientific) = (format!("{v}"), format!("{v:e}"));
    if scientific.len() < plain.len() { scientific } else { plain }
}

/// The largest minus the smallest value.
pub fn range(values: &[f64]) -> f64 {
    let (low, high) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)));
    high - low
}

/// The largest of some numbers that are not negative; infinite if one is not a number, which
/// `f64::max` would pass over.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |m, v| if v.is_nan() { f64::INFINITY } else { m.max(v) })
}

/// What is left where terms cancel, or has grown from that, is smaller than this: ten times the
/// absolute tolerance of the default experiments.
const ZERO: f64 = 1e-5;

/// The largest difference of two curves over the range of the second.
///
/// A signal that hardly moves is measured against its size; one that hardly differs from zero
/// against one.
pub fn distance(values: &[f64], reference: &[f64]) -> f64 {
    assert_eq!(values.len(), reference.len(), "curves of the same length");
    let size = reference.iter().fold(0.0, |size: f64, v| size.max(v.abs()));
    let mut scale = range(reference);
    if scale <= 1e-9 * size {
        scale = size;
    }
    if scale < ZERO {
        scale = 1.0;
    }
    largest(values.iter().zip(reference).map(|(a, b)| (a - b).abs())) / scale
}
