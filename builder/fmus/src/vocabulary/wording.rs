//! How names, counts, units and excerpts are worded in messages.

use std::borrow::Cow;

use kernels::limits::Number;
pub use kernels::names::similar;

/// An excerpt of a file's text for a message: the beginning, if the text is long.
pub fn excerpt(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Whether a character is invisible but changes how other characters are shown: a control character
/// (escape sequences begin with one), or a character that changes the direction of text.
pub fn is_hidden(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns
}

/// The first hidden character of a name, for a finding.
pub fn hidden_in(name: &str) -> Option<String> {
    let hidden = name.chars().find(|c| is_hidden(*c))?;
    Some(format!("a hidden character, U+{:04X}", u32::from(hidden)))
}

/// A text as it can be printed: in place of hidden characters other than line breaks it has U+FFFD.
pub fn printable(text: &str) -> String {
    text.replace(|c| is_hidden(c) && c != '\n', "\u{fffd}")
}

/// A count with its noun: `2 rows`.
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Maximum number of names in a list.
pub const MAX_NAMES: usize = 4;

/// The number of names, and the first of them as a text.
pub fn listed<S: AsRef<str>>(names: impl Iterator<Item = S>) -> Option<(usize, String)> {
    let names: Vec<S> = names.collect();
    let first: Vec<&str> = names.iter().take(MAX_NAMES).map(AsRef::as_ref).collect();
    let more = if names.len() > MAX_NAMES { ", .." } else { "" };
    (!names.is_empty()).then(|| (names.len(), first.join(", ") + more))
}

/// The unit as shown to users: a number without unit has none, although its unit in FMI is `1`.
pub fn shown_unit(unit: Option<&str>) -> Option<&str> {
    unit.filter(|unit| *unit != "1")
}

/// The text after a number: a blank and the unit, if it is shown.
pub fn unit_suffix(unit: Option<&str>) -> String {
    shown_unit(unit).map(|unit| format!(" {unit}")).unwrap_or_default()
}

/// A number rounded to some significant digits; very large and very small ones have an exponent.
pub fn rounded(value: f64, digits: usize) -> String {
    const LARGE: f64 = 1e6;
    // A rounded number reads back as one.
    let value = format!("{value:.*e}", digits - 1).parse().unwrap_or(value);
    let has_exponent = value.is_finite() && value.abs() >= LARGE;
    if has_exponent { format!("{value:e}") } else { Number(value).to_string() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn hidden_characters_are_not_printed() {
        let text = "a\u{1b}[2Jb\u{202e}c\u{9b}\nd\u{e4}";
        assert_eq!(super::printable(text), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}\nd\u{e4}");
        let found = super::hidden_in("a\u{2066}");
        assert_eq!(found.as_deref(), Some("a hidden character, U+2066"));
    }

    #[test]
    fn rounded_numbers_are_written_as_they_are_spoken() {
        for (value, digits, text) in [
            (5.95, 4, "5.95"),
            (0.0249999, 2, "0.025"),
            (1.23456e-7, 2, "1.2e-7"),
            (123456.7, 4, "123500"),
            (-2.5e6, 4, "-2.5e6"),
            (0.0, 2, "0"),
            (f64::INFINITY, 2, "inf"),
        ] {
            assert_eq!(super::rounded(value, digits), text);
        }
    }
}
