//! Tables of numbers over time, as CSV files of any tool.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::files::csv::{self, TimeSeries, distinct, fields, not_before, numbered};
use crate::vocabulary::error::Error;
use crate::vocabulary::wording::{counted, excerpt};

/// The head of a column: `name`, or `name [unit]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// Its name.
    pub name: String,
    /// Its unit, if it is stated.
    pub unit: Option<String>,
}

impl Heading {
    fn parse(text: &str) -> Heading {
        let unit = text.strip_suffix(']').and_then(|text| text.rsplit_once(" ["));
        match unit {
            Some((name, unit)) if !unit.trim().is_empty() => {
                Heading { name: name.trim().to_owned(), unit: Some(unit.trim().to_owned()) }
            }
            _ => Heading { name: text.to_owned(), unit: None },
        }
    }
}

/// A file whose head is read.
///
/// Its columns are separated by commas or by semicolons. Its first column is time, in
/// non-descending order. Lines that begin with `#` are comments.
#[derive(Clone, Debug)]
pub struct AnyTable {
    /// The file.
    pub path: PathBuf,
    /// The head of the column of time.
    pub time: Heading,
    /// The heads of the other columns.
    pub columns: Vec<Heading>,
    separator: char,
    text: String,
}

impl AnyTable {
    /// Reads a file and its head.
    ///
    /// # Errors
    /// If the file cannot be read, or its first line does not name the columns.
    pub fn read(path: &Path) -> Result<AnyTable, Error> {
        AnyTable::parse(path, csv::text(path)?)
            .map_err(|reason| Error::Content { path: path.to_owned(), reason })
    }

    /// Reads the head in the text of a file.
    ///
    /// # Errors
    /// A sentence if the first line does not name the columns.
    pub fn parse(path: &Path, text: String) -> Result<AnyTable, String> {
        let (_, head) = numbered(&text).next().ok_or("it is empty")?;
        let separator = separator(head);
        let mut names = fields(head, separator)?;
        if names.last().is_some_and(String::is_empty) {
            // A separator at the end of each line.
            names.pop();
        }
        let mut headings = names.iter().map(|name| Heading::parse(name));
        let time = headings.next().unwrap_or_default();
        let columns: Vec<Heading> = headings.collect();
        if number(&time.name, separator).is_some() {
            let wanted = "it must name the columns, that of time first";
            let first = &time.name;
            return Err(format!("its first line begins with a number, {first}: {wanted}"));
        }
        if columns.is_empty() {
            let head = excerpt(head.trim());
            return Err(format!("it has only one column, `{head}`: that of time must come first"));
        }
        distinct(columns.iter().map(|heading| &*heading.name))?;
        Ok(AnyTable { path: path.to_owned(), time, columns, separator, text })
    }

    /// The position of the column with a name.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|heading| heading.name == name)
    }

    /// The values of some columns. An empty field is NaN; others may contain anything.
    ///
    /// # Errors
    /// If there are no rows, if a value is not a number, or if a time is not finite or lies before
    /// the time of the row above; the message names line and column.
    pub fn table(&self, columns: &[usize]) -> Result<TimeSeries, Error> {
        let names = columns.iter().map(|column| self.columns[*column].name.clone()).collect();
        let mut table = TimeSeries { names, ..TimeSeries::default() };
        let fail = |reason| Error::Content { path: self.path.clone(), reason };
        for (line, text) in numbered(&self.text).skip(1) {
            let row = self.row(text, columns, table.time.last());
            let (time, row) = row.map_err(|reason| fail(format!("line {line}: {reason}")))?;
            table.time.push(time);
            table.rows.push(row);
        }
        if table.time.is_empty() { Err(fail("it has no rows".to_owned())) } else { Ok(table) }
    }

    /// The time of a line, and the values of some columns.
    fn row(
        &self,
        line: &str,
        columns: &[usize],
        last: Option<&f64>,
    ) -> Result<(f64, Vec<f64>), String> {
        let fields: Vec<Cow<'_, str>> = if line.contains('"') {
            fields(line, self.separator)?.into_iter().map(Cow::Owned).collect()
        } else {
            line.split(self.separator).map(|field| Cow::Borrowed(field.trim())).collect()
        };
        let wanted = self.columns.len() + 1;
        let is_whole = fields.len() == wanted
            || fields.len() == wanted + 1 && fields.last().is_some_and(|field| field.is_empty());
        if !is_whole {
            return Err(format!("{} for {wanted} columns", counted(fields.len(), "value")));
        }
        let time = number(&fields[0], self.separator);
        let time =
            time.ok_or_else(|| format!("time: `{}` is not a number", excerpt(&fields[0])))?;
        if !time.is_finite() {
            return Err(format!("time: `{}` is not a finite number", excerpt(&fields[0])));
        }
        let unit = self.time.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
        not_before(last, time, &unit)?;
        let value = |column: &usize| {
            let text = &fields[column + 1];
            if text.is_empty() {
                return Ok(f64::NAN);
            }
            number(text, self.separator).ok_or_else(|| {
                let name = excerpt(&self.columns[*column].name);
                format!("column {name}: `{}` is not a number", excerpt(text))
            })
        };
        Ok((time, columns.iter().map(value).collect::<Result<_, _>>()?))
    }
}

/// The separator of a line: a semicolon, unless there are more commas outside quotations.
fn separator(line: &str) -> char {
    let outside = || line.split('"').step_by(2);
    let count = |separator| outside().map(|part| part.matches(separator).count()).sum::<usize>();
    if count(';') > 0 && count(';') >= count(',') { ';' } else { ',' }
}

/// A number; between semicolons, it may have a decimal comma.
fn number(text: &str, separator: char) -> Option<f64> {
    match text {
        _ if text.eq_ignore_ascii_case("true") => Some(1.0),
        _ if text.eq_ignore_ascii_case("false") => Some(0.0),
        _ if separator == ';' && text.contains(',') => text.replacen(',', ".", 1).parse().ok(),
        _ => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(AnyTable, TimeSeries), String> {
        let any = AnyTable::parse(Path::new("a.csv"), text.to_owned())?;
        let all: Vec<usize> = (0..any.columns.len()).collect();
        let table = any.table(&all).map_err(|e| e.to_string())?;
        Ok((any, table))
    }

    #[test]
    fn tables_of_other_tools_are_read() {
        let check = |text: &str| {
            let (any, table) = read(text).unwrap();
            assert_eq!((table.time, table.rows), (vec![0.0, 0.5], vec![vec![1.5, 2.0]; 2]));
            assert_eq!(any.columns[0], Heading { name: "a,1".to_owned(), unit: None });
            let unit = Some("rad/s".to_owned());
            assert_eq!(any.columns[1], Heading { name: "w".to_owned(), unit });
        };
        check("time,\"a,1\",w [rad/s]\n0,1.5,2\n0.5,1.5,2\n");
        check("\u{feff}\"t\";\"a,1\";\"w [rad/s]\"\r\n0;1.5;2\r\n0.5;1.5;2\r\n\r\n  \r\n");
        check("Zeit [s]; a,1 ; w [rad/s] ;\n 0 ; 1,5 ; 2 ;\n 0,5 ; 1,5 ; 2 ;\n");
        check("# a trial\nX,\"a,1\",w  [ rad/s ]\n\n\"0\",\"1.5\",2e0\n+.5,1.5,2\n");
    }

    #[test]
    fn a_missing_value_is_a_gap_and_other_columns_do_not_count() {
        let (any, table) = read("t,a,b\n0,,nan\n1,true,-inf\n").unwrap();
        assert!(table.rows[0].iter().all(|value| value.is_nan()));
        assert_eq!(table.rows[1], [1.0, f64::NEG_INFINITY]);
        assert_eq!(any.table(&[1]).unwrap().names, ["b"]);
        let any = AnyTable::parse(Path::new("a.csv"), "t,a,x[1]\n0,word,3\n".to_owned()).unwrap();
        assert_eq!(any.table(&[any.position("x[1]").unwrap()]).unwrap().rows, [[3.0]]);
    }

    #[test]
    fn faults_are_named_with_line_and_column() {
        let check = |text: &str, sentence: &str| {
            let refused = read(text).unwrap_err();
            assert_eq!(refused.trim_start_matches("a.csv: "), sentence, "{text:?}");
        };
        check("", "it is empty");
        check("t,u\n", "it has no rows");
        check("t\n0\n", "it has only one column, `t`: that of time must come first");
        let wanted = "it must name the columns, that of time first";
        check("0,5;1\n", &format!("its first line begins with a number, 0,5: {wanted}"));
        check("t,u,u\n0,1,2\n", "it has two columns `u`");
        check("t,u\n0,1\n1\n", "line 3: 1 value for 2 columns");
        check("t,u\n0,x\n", "line 2: column u: `x` is not a number");
        check("t,u\n0,1,5\n", "line 2: 3 values for 2 columns");
        check("t,u\nx,1\n", "line 2: time: `x` is not a number");
        check("t,u\nnan,1\n", "line 2: time: `nan` is not a finite number");
        check("t,u\n1,1\n\n0.5,2\n", "line 4: time 0.5 is before 1 in the row above");
        check("t [ms],u\n1,1\n0,2\n", "line 3: time 0 ms is before 1 ms in the row above");
        check("t,\"u\n0,1\n", "a quotation does not end");
    }
}
