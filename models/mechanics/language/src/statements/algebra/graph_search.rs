//! Searches in graphs: connected sets, strongly connected sets, assignments.

use equations::{Ex, depends_on};
use std::collections::{BTreeMap, BTreeSet};

/// Sets of items that are connected by pairs, each ascending, in the order of their first items.
pub fn components<I: Copy + Ord>(items: &[I], pairs: impl Iterator<Item = (I, I)>) -> Vec<Vec<I>> {
    let mut root: BTreeMap<I, I> = items.iter().map(|&i| (i, i)).collect();
    fn find<I: Copy + Ord>(root: &mut BTreeMap<I, I>, mut i: I) -> I {
        while root[&i] != i {
            // Halves the way of the next search.
            let next = root[&root[&i]];
            root.insert(i, next);
            i = next;
        }
        i
    }
    for (i, j) in pairs {
        let (i, j) = (find(&mut root, i), find(&mut root, j));
        root.insert(i.max(j), i.min(j));
    }
    let mut sets = BTreeMap::<I, Vec<I>>::new();
    for &i in items.iter().collect::<BTreeSet<_>>() {
        sets.entry(find(&mut root, i)).or_default().push(i);
    }
    sets.into_values().collect()
}

/// Strongly connected sets of a graph of items and the items that they use: whatever is used comes
/// first.
pub fn strongly_connected(uses: &[Vec<usize>]) -> Vec<Vec<usize>> {
    struct Search<'a> {
        uses: &'a [Vec<usize>],
        /// When an item was reached, and the earliest item that it leads back to.
        reached: Vec<Option<(usize, usize)>>,
        open: Vec<usize>,
        found: Vec<Vec<usize>>,
        count: usize,
    }
    impl Search<'_> {
        fn visit(&mut self, item: usize) -> usize {
            if let Some((_, back)) = self.reached[item] {
                return if self.open.contains(&item) { back } else { usize::MAX };
            }
            let when = self.count;
            self.count += 1;
            self.reached[item] = Some((when, when));
            self.open.push(item);
            let mut back = when;
            for &next in &self.uses[item] {
                back = back.min(self.visit(next));
                self.reached[item] = Some((when, back));
            }
            if back == when {
                let first = self.open.iter().position(|&i| i == item).unwrap_or(0);
                let mut set = self.open.split_off(first);
                set.sort_unstable();
                self.found.push(set);
                return usize::MAX;
            }
            back
        }
    }
    let (reached, open, found) = (vec![None; uses.len()], Vec::new(), Vec::new());
    let mut search = Search { uses, reached, open, found, count: 0 };
    for item in 0..uses.len() {
        search.visit(item);
    }
    search.found
}

/// A column for every row such that no column is used twice; `None` if there is none.
pub fn assign(rows: &[Vec<usize>]) -> Option<Vec<usize>> {
    fn place(
        row: usize,
        rows: &[Vec<usize>],
        taken: &mut BTreeMap<usize, usize>,
        seen: &mut Vec<usize>,
    ) -> bool {
        for &column in &rows[row] {
            if seen.contains(&column) {
                continue;
            }
            seen.push(column);
            let other = taken.get(&column).copied();
            if other.is_none_or(|other| place(other, rows, taken, seen)) {
                taken.insert(column, row);
                return true;
            }
        }
        false
    }
    let mut taken = BTreeMap::new();
    if !(0..rows.len()).all(|row| place(row, rows, &mut taken, &mut Vec::new())) {
        return None;
    }
    let mut columns = vec![0; rows.len()];
    taken.into_iter().for_each(|(column, row)| columns[row] = column);
    Some(columns)
}

/// Whether the values of symbols depend on each other in a cycle.
pub fn is_cyclic(symbols: &[Ex], values: &[Ex]) -> bool {
    let uses = |&value: &Ex| -> Vec<usize> {
        (0..symbols.len()).filter(|&k| depends_on(&[value], symbols[k])).collect()
    };
    let uses: Vec<Vec<usize>> = values.iter().map(uses).collect();
    strongly_connected(&uses).iter().any(|part| part.len() > 1 || uses[part[0]].contains(&part[0]))
}

/// Whether a value depends on one of the symbols.
pub fn depends_on_any(value: Ex, symbols: &[(Ex, Ex)]) -> bool {
    symbols.iter().any(|&(symbol, _)| depends_on(&[value], symbol))
}

#[cfg(test)]
mod tests {
    use super::{assign, strongly_connected};

    #[test]
    fn rings_are_found_and_follow_what_they_use() {
        let uses = [vec![1], vec![2, 3], vec![1], vec![], vec![0, 4]];
        assert_eq!(strongly_connected(&uses), [vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    #[test]
    fn rows_find_columns_of_their_own() {
        assert_eq!(assign(&[vec![0, 1], vec![0], vec![1, 2]]), Some(vec![1, 0, 2]));
        assert_eq!(assign(&[vec![0], vec![0]]), None);
    }
}
