//! Tables of numbers over time, as CSV files.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use kernels::limits::Number;

use crate::files::atomic_file;
use crate::vocabulary::error::{Error, FileContext};
use crate::vocabulary::wording::{counted, excerpt};

/// Maximum length of a file in bytes, so that it fits into memory.
const LONGEST: u64 = 1 << 30;

/// Columns of numbers over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeSeries {
    /// The names of the columns after `time`.
    pub names: Vec<String>,
    /// Time in s.
    pub time: Vec<f64>,
    /// One row per time, one number per name.
    pub rows: Vec<Vec<f64>>,
}

/// Whether a name of a column is a number; `inf` and `nan` are words.
fn is_number(name: &str) -> bool {
    name.parse::<f64>().is_ok_and(f64::is_finite)
}

impl TimeSeries {
    /// The text of the file: every number is written in the shortest form that reads back as the
    /// same number.
    pub fn to_csv(&self) -> String {
        let mut text = String::from("time");
        for name in &self.names {
            text.push(',');
            text.push_str(&quoted(name));
        }
        text.push('\n');
        for (time, row) in self.time.iter().zip(&self.rows) {
            text.push_str(&number(*time));
            for value in row {
                text.push(',');
                text.push_str(&number(*value));
            }
            text.push('\n');
        }
        text
    }

    /// Writes the file, either completely or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        atomic_file::write(path, self.to_csv().as_bytes())
    }

    /// Reads a file whose first column is `time` or `Time`, in non-descending order; lines that
    /// begin with `#` are comments.
    ///
    /// # Errors
    /// If the file is not such a table; the message names line and column.
    pub fn read(path: &Path) -> Result<TimeSeries, Error> {
        let fail = |reason| Error::Content { path: path.to_owned(), reason };
        TimeSeries::parse(&text(path)?).map_err(fail)
    }

    /// Parses the text of a file; see [`TimeSeries::read`].
    ///
    /// # Errors
    /// A message with the reason.
    pub fn parse(text: &str) -> Result<TimeSeries, String> {
        let mut lines = lines(text);
        let (_, header) = lines.next().ok_or("it is empty")?;
        let mut names = header?;
        let first = names.remove(0);
        if !first.eq_ignore_ascii_case("time") {
            if first.contains([';', '\t']) {
                let wanted = "it must have commas between its columns and points in its numbers";
                return Err(format!("its first line is `{}`: {wanted}", excerpt(&first)));
            }
            if is_number(&first) {
                let wanted = "it must name the columns, `time` first";
                return Err(format!("its first line begins with a number, {first}: {wanted}"));
            }
            return Err(format!("its first column is `{}`, not `time`", excerpt(&first)));
        }
        if names.iter().any(String::is_empty) {
            let wanted = "between two commas, or after the last one, a name is missing";
            return Err(format!("its first line does not name all columns: {wanted}"));
        }
        if let Some(name) = names.iter().find(|name| is_number(name)) {
            let wanted = "it must be the name of a variable";
            return Err(format!("its first line has a number for a name, {name}: {wanted}"));
        }
        distinct(names.iter().map(String::as_str))?;
        let mut table = TimeSeries { names, ..TimeSeries::default() };
        for (number, values) in lines {
            let values = values.map_err(|e| format!("line {number}: {e}"))?;
            table.push(&values).map_err(|e| format!("line {number}: {e}"))?;
        }
        if table.time.is_empty() { Err("it has no rows".to_owned()) } else { Ok(table) }
    }

    fn push(&mut self, values: &[String]) -> Result<(), String> {
        let columns = self.names.len() + 1;
        if values.len() != columns {
            return Err(format!("{} for {columns} columns", counted(values.len(), "value")));
        }
        let time = finite(&values[0]).map_err(|e| format!("time: {e}"))?;
        not_before(self.time.last(), time, " s")?;
        let row = self.names.iter().zip(&values[1..]);
        let row = row
            .map(|(name, text)| finite(text).map_err(|e| format!("column {}: {e}", excerpt(name))));
        self.rows.push(row.collect::<Result<_, _>>()?);
        self.time.push(time);
        Ok(())
    }
}

/// The text of a file.
pub(crate) fn text(path: &Path) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|f| f.take(LONGEST + 1).read_to_end(&mut bytes));
    let fail = |reason| Err(Error::Content { path: path.to_owned(), reason });
    if read.attempt("read", path)? as u64 > LONGEST {
        return fail(format!("it has more than {LONGEST} bytes"));
    }
    String::from_utf8(bytes).or_else(|_| fail("it is not a text file".to_owned()))
}

/// Refuses a name that two columns have.
pub(crate) fn distinct<'n>(mut names: impl Iterator<Item = &'n str>) -> Result<(), String> {
    let mut known = BTreeSet::new();
    match names.find(|name| !known.insert(*name)) {
        Some(twice) => Err(format!("it has two columns `{}`", excerpt(twice))),
        None => Ok(()),
    }
}

/// Refuses a time that is before that of the row above; `unit` follows a blank, or is empty.
pub(crate) fn not_before(last: Option<&f64>, time: f64, unit: &str) -> Result<(), String> {
    let Some(last) = last.filter(|last| time < **last) else { return Ok(()) };
    let (time, last) = (number(time), number(*last));
    Err(format!("time {time}{unit} is before {last}{unit} in the row above"))
}

fn finite(text: &str) -> Result<f64, String> {
    match text {
        "true" => return Ok(1.0),
        "false" => return Ok(0.0),
        _ => {}
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(format!("`{}` is not a finite number", excerpt(text))),
        Err(_) => Err(format!("`{}` is not a number", excerpt(text))),
    }
}

/// The shortest text that reads back as the same number.
pub fn number(value: f64) -> String {
    Number(value).to_string()
}

/// The fields of the lines that are neither empty nor comments, each with the number of its line.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, Result<Vec<String>, String>)> {
    numbered(text).map(|(number, line)| (number, fields(line, ',')))
}

/// The lines that are neither empty nor comments, each with its number.
pub(crate) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    let counts = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    (1..).zip(text.lines()).filter(move |(_, line)| counts(line))
}

fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// The fields of a line between separators, at least one.
pub(crate) fn fields(line: &str, separator: char) -> Result<Vec<String>, String> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let end;
        if let Some(mut inside) = rest.strip_prefix('"') {
            let mut field = String::new();
            loop {
                let (part, after) = inside.split_once('"').ok_or("a quotation does not end")?;
                field.push_str(part);
                match after.strip_prefix('"') {
                    Some(after) => {
                        field.push('"');
                        inside = after;
                    }
                    None => {
                        rest = after.trim_start();
                        break;
                    }
                }
            }
            fields.push(field);
            if !rest.is_empty() && !rest.starts_with(separator) {
                return Err("there is text after a quotation".to_owned());
            }
            end = if rest.is_empty() { None } else { Some(0) };
        } else {
            end = rest.find(separator);
            fields.push(rest[..end.unwrap_or(rest.len())].trim().to_owned());
        }
        match end {
            Some(end) => rest = &rest[end + 1..],
            None => return Ok(fields),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_reads_back_to_the_bit() {
        let table = TimeSeries {
            names: vec!["der(x,2)".to_owned(), "a \"b\"".to_owned(), "c".to_owned()],
            time: vec![-0.1, 0.1 + 0.2, 1e300],
            rows: vec![
                vec![1.0, f64::MIN_POSITIVE, -0.0],
                vec![5e-324, 1.0 / 3.0, f64::MAX],
                vec![0.0, 123_456_789.0, 1e21],
            ],
        };
        let read = TimeSeries::parse(&table.to_csv()).unwrap();
        assert_eq!(read.names, table.names);
        let bits =
            |t: &TimeSeries| t.rows.concat().into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(&read), bits(&table));
        assert_eq!(read.time, table.time);
    }

    #[test]
    fn faults_are_named_with_line_and_column() {
        let check = |text: &str, sentence: &str| {
            assert_eq!(TimeSeries::parse(text).unwrap_err(), sentence, "{text:?}");
        };
        check("", "it is empty");
        check("time,u\n", "it has no rows");
        assert!(TimeSeries::parse("Time,u\n0,1\n").is_ok());
        check("t,u\n0,1\n", "its first column is `t`, not `time`");
        let wanted = "it must have commas between its columns and points in its numbers";
        check("time;u\n0,5;1\n", &format!("its first line is `time;u`: {wanted}"));
        let wanted = "it must name the columns, `time` first";
        check("0.5,1\n", &format!("its first line begins with a number, 0.5: {wanted}"));
        let wanted = "between two commas, or after the last one, a name is missing";
        check("time,u,\n0,1,\n", &format!("its first line does not name all columns: {wanted}"));
        let wanted = "it must be the name of a variable";
        check("time,1\n0,1\n", &format!("its first line has a number for a name, 1: {wanted}"));
        check("time,u,u\n0,1,2\n", "it has two columns `u`");
        assert!(
            TimeSeries::parse("time,inf,nan\n0,1,2\n").is_ok(),
            "words that Rust reads as numbers"
        );
        check("time,u\n0,1\n1\n", "line 3: 1 value for 2 columns");
        check("time,u\n0,x\n", "line 2: column u: `x` is not a number");
        check("time,u\n0,NaN\n", "line 2: column u: `NaN` is not a finite number");
        check("time,u\n1,1\n\n0.5,2\n", "line 4: time 0.5 s is before 1 s in the row above");
        check("time,\"u\n0,1\n", "a quotation does not end");
        check("# of a trial\ntime,u\n0,x\n", "line 3: column u: `x` is not a number");
    }
}
