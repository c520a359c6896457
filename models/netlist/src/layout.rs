//! The text of JSON: what fits into a line is in one line.

use crate::data::Data;

/// The length of lines, unless a single value is longer.
const WIDTH: usize = 100;

/// The text of a value.
///
/// # Errors
/// A number is not finite.
pub fn text(value: &Data) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    write(value, 0, 0, &mut text)?;
    Ok(text + "\n")
}

/// Writes a value, of which the first line has `used` characters before and after it.
fn write(
    value: &Data,
    indent: usize,
    used: usize,
    text: &mut String,
) -> Result<(), serde_json::Error> {
    let line = in_line(value)?;
    let inner: Vec<(String, &Data)> = match value {
        Data::List(values) => values.iter().map(|value| (String::new(), value)).collect(),
        Data::Object(members) => members
            .iter()
            .map(|(name, value)| Ok((serde_json::to_string(name)? + ": ", value)))
            .collect::<Result<_, serde_json::Error>>()?,
        _ => Vec::new(),
    };
    // The members of the whole file have lines of their own.
    if inner.is_empty() || (indent > 0 && indent + used + line.chars().count() <= WIDTH) {
        *text += &line;
        return Ok(());
    }
    let [open, close] = if matches!(value, Data::List(_)) { ["[", "]"] } else { ["{", "}"] };
    *text += open;
    for (i, (name, value)) in inner.iter().enumerate() {
        *text += if i == 0 { "\n" } else { ",\n" };
        *text += &" ".repeat(indent + 2);
        *text += name;
        write(value, indent + 2, name.chars().count() + 1, text)?;
    }
    *text += "\n";
    *text += &" ".repeat(indent);
    *text += close;
    Ok(())
}

/// A value in one line, with blanks.
fn in_line(value: &Data) -> Result<String, serde_json::Error> {
    Ok(match value {
        Data::List(values) => {
            let values = values.iter().map(in_line).collect::<Result<Vec<_>, _>>()?;
            format!("[{}]", values.join(", "))
        }
        Data::Object(members) if members.is_empty() => "{}".to_owned(),
        Data::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                Ok(format!("{}: {}", serde_json::to_string(name)?, in_line(value)?))
            });
            format!("{{ {} }}", members.collect::<Result<Vec<_>, serde_json::Error>>()?.join(", "))
        }
        plain => serde_json::to_string(plain)?,
    })
}
