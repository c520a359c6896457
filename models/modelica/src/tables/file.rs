//! Tables in files: matrices in texts and in files of MATLAB, and values that are separated by
//! commas.

use super::{Matrix, matlab};
use crate::value::{Misfit, Value};
use std::path::Path;
use std::rc::Rc;

/// The largest file of a table, in bytes.
const LARGEST_FILE: u64 = 64 << 20;

/// The object of a table with the rows in its file, if it names one.
///
/// # Errors
/// The file cannot be read, or does not contain the table.
pub fn with_file(object: Value) -> Result<Value, Misfit> {
    let text_of = |name: &str| match object.field(name) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    };
    let (Some(file), Some(table)) = (text_of("fileName"), text_of("tableName")) else {
        return Ok(object);
    };
    if &*file == "NoName" {
        return match &*table {
            "NoName" => Ok(object),
            table => Err(format!("the table {table} is in no file, but in another language")),
        };
    }
    let refuse = |why: String| format!("{file}: {why}");
    let path = Path::new(&*file);
    let size = path.metadata().map_err(|error| refuse(error.to_string()))?.len();
    if size > LARGEST_FILE {
        return Err(refuse(format!("a table has at most {LARGEST_FILE} bytes")));
    }
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let text = || std::fs::read_to_string(path).map_err(|error| error.to_string());
    let matrix = match ending.as_deref() {
        Some("mat") => std::fs::read(path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| matlab::matrix(&bytes, &table, LARGEST_FILE)),
        Some("csv") => {
            let skipped = match object.field("nHeaderLines") {
                Some(Value::Integer(lines)) => usize::try_from(lines).unwrap_or(0),
                _ => 0,
            };
            let delimiter = text_of("delimiter").unwrap_or_else(|| ",".into());
            text().and_then(|text| separated(&text, &delimiter, skipped))
        }
        _ => text().and_then(|text| named(&text, &table)),
    };
    let rows = value_of(&matrix.map_err(refuse)?);
    let Value::Record(fields) = &object else { return Ok(object) };
    let mut fields = (**fields).clone();
    fields.iter_mut().filter(|(name, _)| &**name == "table").for_each(|(_, old)| {
        *old = rows.clone();
    });
    Ok(Value::Record(Rc::new(fields)))
}

fn value_of(matrix: &Matrix) -> Value {
    let row = |row: usize| (0..matrix.columns).map(|k| Value::from(matrix.at(row, k))).collect();
    (0..matrix.rows).map(row).collect()
}

fn number(text: &str) -> Result<f64, Misfit> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

/// The rows of a text with the same number of values in each.
fn separated(text: &str, delimiter: &str, skipped: usize) -> Result<Matrix, Misfit> {
    let (mut numbers, mut rows, mut columns) = (Vec::new(), 0, 0);
    for (k, line) in text.lines().enumerate().skip(skipped) {
        if line.trim().is_empty() {
            continue;
        }
        let before = numbers.len();
        for value in line.split(delimiter) {
            numbers.push(number(value.trim()).map_err(|why| format!("line {}: {why}", k + 1))?);
        }
        let count = numbers.len() - before;
        if rows > 0 && count != columns {
            return Err(format!("line {}: {count} values, but {columns} before", k + 1));
        }
        (rows, columns) = (rows + 1, count);
    }
    match rows {
        0 => Err("it has no rows".to_owned()),
        _ => Ok(Matrix { rows, columns, numbers }),
    }
}

/// The matrix `double name(rows, columns)` of a text.
fn named(text: &str, name: &str) -> Result<Matrix, Misfit> {
    let plain = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let plain = plain.collect::<Vec<_>>().join("\n");
    let is_gap = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')');
    let mut words = plain.split(is_gap).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if !matches!(word, "double" | "float") {
            continue;
        }
        let found = words.next();
        let mut size = || {
            let size = words.next().and_then(|word| word.parse::<usize>().ok());
            size.ok_or_else(|| format!("the sizes of {} are missing", found.unwrap_or_default()))
        };
        let (rows, columns) = (size()?, size()?);
        if found != Some(name) {
            continue;
        }
        let count = rows.saturating_mul(columns);
        let numbers = words.take(count).map(number).collect::<Result<Vec<_>, _>>()?;
        return match numbers.len() == count {
            true => Ok(Matrix { rows, columns, numbers }),
            false => Err(format!("{name} has {} numbers, not {count}", numbers.len())),
        };
    }
    Err(format!("there is no table {name} in it"))
}
