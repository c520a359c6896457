//! Names that may be meant by another one.

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
}
