//! Which of many names was meant by one that is none of them.

/// The most similar of some names, if it is similar enough to have been meant.
pub fn to<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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
        assert_eq!(super::to("pupm", names), Some("pump"));
        assert_eq!(super::to("coupled_cluches", names), Some("coupled_clutches"));
        assert_eq!(super::to("oscillator", names), None);
    }
}
