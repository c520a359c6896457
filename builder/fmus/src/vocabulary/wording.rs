//! How names, counts, units and excerpts are worded in messages.

use std::borrow::Cow;

use kernels::limits::Number;

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

/// The most similar of some names, if it is similar enough to be meant: one letter in four may be
/// another one, and capitals do not count.
pub fn similar<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const MAX_CHANGES: usize = 4;
    let meant = name.to_lowercase();
    let similar = names.into_iter().map(|n| (distance(&n.to_lowercase(), &meant), n)).min();
    let allowed = MAX_CHANGES.min((meant.chars().count() + 1) / 4);
    similar.filter(|(d, _)| *d <= allowed).map(|(_, similar)| similar)
}

/// The number of changes between two names: letters that are replaced, added, omitted, or exchanged
/// with the next one.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|name| name.chars().collect::<Vec<char>>());
    // Distances of the first i letters of `a` from the first j letters of `b`.
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_is_similar_to_those_with_few_other_letters() {
        let names = ["pump", "crane", "coupled_clutches"];
        assert_eq!(super::similar("pupm", names), Some("pump"));
        assert_eq!(super::similar("coupled_cluches", names), Some("coupled_clutches"));
        assert_eq!(super::similar("oscillator", names), None);
        let names = ["mode", "w", "J", "load.phi", "load.flange_a.tau"];
        for (name, meant) in [
            ("mass", None),
            ("node1", None),
            ("v", None),
            ("c1", None),
            ("load.phj", Some("load.phi")),
            ("load.flang_a.tua", Some("load.flange_a.tau")),
            ("j", Some("J")),
        ] {
            assert_eq!(super::similar(name, names), meant, "{name}");
        }
    }

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
