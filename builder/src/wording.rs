//! How names, counts, units and excerpts are worded in messages.

use std::borrow::Cow;

/// An excerpt of a file's text for a message: the beginning, if the text is long.
pub fn excerpt(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// A count with its noun: `2 rows`.
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The number of names, and the first of them as a text.
pub fn listed<S: AsRef<str>>(names: impl Iterator<Item = S>) -> Option<(usize, String)> {
    const MAX_NAMES: usize = 4;
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

/// The most similar of some names, if it is similar enough to be meant.
pub fn similar<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let similar = names.into_iter().map(|n| (distance(n, name), n)).min();
    similar.filter(|(d, _)| *d <= 2.max(name.len() / 3)).map(|(_, similar)| similar)
}

/// The number of single-letter changes between two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_is_similar_to_those_with_few_other_letters() {
        let names = ["pump", "crane", "coupled_clutches"];
        assert_eq!(super::similar("pupm", names), Some("pump"));
        assert_eq!(super::similar("coupled_cluches", names), Some("coupled_clutches"));
        assert_eq!(super::similar("oscillator", names), None);
    }
}
