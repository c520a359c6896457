//! Tables of curves: reading, and the distance of two curves.

use std::fs;
use std::path::Path;

use fmu_builder::compare::bounds;
pub use fmu_builder::compare::largest;
pub use fmu_builder::csv::TimeSeries;
use fmu_builder::csv::lines;

/// Reads comma-separated values: a header, then numbers; lines that begin with `#` are comments.
/// Any header is accepted. NaN and infinite values are read as such, so that a comparison can
/// detect them.
pub fn read(path: &Path) -> TimeSeries {
    let text = fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    parse(&text)
}

/// Reads the text of such a file.
pub fn parse(text: &str) -> TimeSeries {
    let mut lines = lines(text).map(|(_, words)| words.expect("a line of fields"));
    let header = &lines.next().expect("a header");
    let mut table = TimeSeries { names: header[1..].to_vec(), ..TimeSeries::default() };
    for line in lines {
        let mut numbers = line
            .iter()
            .map(|word| word.parse::<f64>().unwrap_or_else(|_| panic!("{word:?} is not a number")));
        table.time.push(numbers.next().expect("a time"));
        table.rows.push(numbers.collect());
    }
    table
}

/// The table of the columns with some names in a text, which may also have other columns, for
/// example of texts. `None` if a column or a number in it is missing.
pub fn of_columns(text: &str, names: &[&str]) -> Option<TimeSeries> {
    let mut lines = lines(text).map(|(_, words)| words.ok());
    let header = lines.next()??;
    let index = |name: &str| header.iter().position(|n| n == name);
    let indices: Vec<usize> = names.iter().map(|name| index(name)).collect::<Option<_>>()?;
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    let mut table = TimeSeries { names, ..TimeSeries::default() };
    for line in lines {
        let words = line?;
        let number = |i: usize| words.get(i)?.parse::<f64>().ok();
        table.time.push(number(0)?);
        table.rows.push(indices.iter().map(|i| number(*i)).collect::<Option<_>>()?);
    }
    Some(table)
}

/// Methods of tables for tests; they panic if there is no answer.
pub trait Columns {
    /// The table as text, every number in as few characters as give the same bits.
    fn text(&self) -> String;

    /// The index of a signal.
    fn index(&self, name: &str) -> usize;

    /// A signal's values.
    fn column(&self, name: &str) -> Vec<f64>;

    /// The last time in s.
    fn end(&self) -> f64;
}

impl Columns for TimeSeries {
    fn text(&self) -> String {
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

    fn index(&self, name: &str) -> usize {
        let found = self.names.iter().position(|n| n == name);
        found.unwrap_or_else(|| panic!("there is no column {name}"))
    }

    fn column(&self, name: &str) -> Vec<f64> {
        let index = self.index(name);
        self.rows.iter().map(|row| row[index]).collect()
    }

    fn end(&self) -> f64 {
        self.time.last().copied().expect("a table with rows")
    }
}

/// A number in as few characters as give the same bits.
fn number(v: f64) -> String {
    let (plain, scientific) = (format!("{v}"), format!("{v:e}"));
    if scientific.len() < plain.len() { scientific } else { plain }
}

/// Values below this may be the remainder of cancellation: ten times the absolute tolerance of the
/// default experiments.
const ZERO: f64 = 1e-5;

/// The largest difference of two curves, divided by the range of the second.
///
/// The difference is divided by the size of the signal if the signal hardly moves, and by one if
/// the signal is nearly zero.
pub fn distance(values: &[f64], reference: &[f64]) -> f64 {
    assert_eq!(values.len(), reference.len(), "curves of the same length");
    let size = reference.iter().fold(0.0, |size: f64, v| size.max(v.abs()));
    let (low, high) = bounds(reference.iter().copied());
    let mut scale = high - low;
    if scale <= 1e-9 * size {
        scale = size;
    }
    if scale < ZERO {
        scale = 1.0;
    }
    largest(values.iter().zip(reference).map(|(a, b)| (a - b).abs())) / scale
}
