//! The order of elimination of a sparse matrix, chosen once, and the entries of its factors.
//!
//! Rows and columns are eliminated in the same order; the next row always has the fewest neighbours
//! (W. F. Tinney, J. W. Walker, "Direct solutions of sparse network equations by optimally ordered
//! triangular factorization", Proceedings of the IEEE 55, 1967). Among several such rows, the next
//! row depends on the shortest sequence of eliminated rows, so a chain is eliminated from both
//! ends. Each entry of a solution follows from the entry before; with two ends, a processor
//! computes two sequences of entries at once. There is no pivoting, so the entries of the factors
//! are known before their values; [`super::stage_matrix`] checks the accuracy of the values.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

/// One operation on a sparse matrix costs as much as this many on a dense one.
const SPARSE_COST: usize = 4;

/// The order of elimination and the entries of the factors.
#[derive(Debug)]
pub(crate) struct Elimination {
    /// The state eliminated at each position (n).
    pub order: Box<[u32]>,
    /// The entries of the lower factor off the diagonal.
    pub lower: Triangle,
    /// The entries of the upper factor off the diagonal.
    pub upper: Triangle,
    /// For each entry of the Jacobian, the value of the factors to which its value is copied
    /// before the elimination. The values are those of the lower factor, of the diagonal and of
    /// the upper factor.
    pub targets: Box<[u32]>,
    /// Work of a factorization: its operations times [`SPARSE_COST`].
    pub work: usize,
}

/// The entries of a triangular matrix off its diagonal, row after row in the order of elimination.
#[derive(Debug)]
pub(crate) struct Triangle {
    /// Where each row begins (n + 1).
    starts: Box<[u32]>,
    /// Column of each entry, ascending in each row.
    pub columns: Box<[u32]>,
}

impl Triangle {
    fn new(rows: Rows) -> Triangle {
        Triangle {
            starts: rows.starts.into_boxed_slice(),
            columns: rows.columns.into_boxed_slice(),
        }
    }

    /// The entries of a row.
    #[inline]
    pub fn row(&self, i: usize) -> Range<usize> {
        self.starts[i] as usize..self.starts[i + 1] as usize
    }

    /// The entries of each row.
    #[inline]
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + ExactSizeIterator {
        self.starts.windows(2).map(|ends| ends[0] as usize..ends[1] as usize)
    }

    /// The entry of a row in a column.
    fn find(&self, i: usize, column: u32) -> usize {
        let row = self.row(i);
        row.start + self.columns[row].partition_point(|&c| c < column)
    }
}

impl Elimination {
    /// For the rows of each column of the Jacobian; `None` if solving dense systems costs less.
    pub fn new(columns: &[&[u32]]) -> Option<Elimination> {
        let order = order(columns)?;
        let n = order.len();
        let mut position = vec![0; n];
        for (k, &state) in order.iter().enumerate() {
            position[state as usize] = k as u32;
        }
        let Factors { lower, upper, work } = factors(columns, &position);
        let (lower, upper) = (Triangle::new(lower), Triangle::new(upper));
        let place = |i: u32, j: usize| {
            let (row, column) = (position[i as usize] as usize, position[j]);
            let diagonal = lower.columns.len();
            let place = match column.cmp(&(row as u32)) {
                Ordering::Less => lower.find(row, column),
                Ordering::Equal => diagonal + row,
                Ordering::Greater => diagonal + n + upper.find(row, column),
            };
            place as u32
        };
        let of_column = |(j, rows): (usize, &&[u32])| -> Vec<u32> {
            rows.iter().map(|&i| place(i, j)).collect()
        };
        let targets = columns.iter().enumerate().flat_map(of_column).collect();
        Some(Elimination { order: order.into_boxed_slice(), lower, upper, targets, work })
    }

    /// The number of values of the factors.
    pub fn values(&self) -> usize {
        self.lower.columns.len() + self.order.len() + self.upper.columns.len()
    }
}

/// The rows of a [`Triangle`] that is being determined.
struct Rows {
    starts: Vec<u32>,
    columns: Vec<u32>,
}

impl Rows {
    /// No rows, with memory for `n`.
    fn new(n: usize) -> Rows {
        let mut starts = Vec::with_capacity(n + 1);
        starts.push(0);
        Rows { starts, columns: Vec::with_capacity(2 * n) }
    }

    /// The columns of a row that is complete.
    fn row(&self, i: usize) -> &[u32] {
        &self.columns[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    fn complete_row(&mut self) {
        self.starts.push(self.columns.len() as u32);
    }
}

/// The factors, and the work to compute them.
struct Factors {
    lower: Rows,
    upper: Rows,
    work: usize,
}

/// The entries of the factors: a row has the entries of the matrix, and the entries of the upper
/// factor in each row that is subtracted from this row. The order of elimination suits a symmetric
/// matrix, but the factors are not symmetric: the row of a position, whose derivative is a speed,
/// has one entry.
fn factors(columns: &[&[u32]], position: &[u32]) -> Factors {
    let n = columns.len();
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (j, of) in columns.iter().enumerate() {
        for &i in *of {
            rows[position[i as usize] as usize].push(position[j]);
        }
    }
    let mut factors = Factors { lower: Rows::new(n), upper: Rows::new(n), work: 0 };
    // The row to which each column was added last.
    let mut added = vec![n; n];
    for (i, row) in rows.iter().enumerate() {
        let mut queue = BinaryHeap::new();
        for &column in row {
            if std::mem::replace(&mut added[column as usize], i) != i {
                queue.push(Reverse(column));
            }
        }
        // All entries of a pivot's upper row are behind it, so columns leave the queue in order.
        while let Some(Reverse(column)) = queue.pop() {
            let k = column as usize;
            match k.cmp(&i) {
                Ordering::Less => {
                    factors.lower.columns.push(column);
                    let pivot_row = factors.upper.row(k);
                    factors.work += SPARSE_COST * (1 + pivot_row.len());
                    for &column in pivot_row {
                        if std::mem::replace(&mut added[column as usize], i) != i {
                            queue.push(Reverse(column));
                        }
                    }
                }
                Ordering::Equal => {}
                Ordering::Greater => factors.upper.columns.push(column),
            }
        }
        factors.work += SPARSE_COST;
        factors.lower.complete_row();
        factors.upper.complete_row();
    }
    factors
}

/// The states in the order of elimination; `None` as soon as the work on a symmetric matrix exceeds
/// that on a dense one.
fn order(columns: &[&[u32]]) -> Option<Vec<u32>> {
    let n = columns.len();
    let kept = size_without_positions(columns);
    let (dense, mut work) = (kept * kept * kept / 3, 0);
    let mut neighbours = symmetric(columns);
    // For each state the length of the longest sequence of eliminated states that lead to it.
    let mut depth = vec![0_u32; n];
    let mut queue: BinaryHeap<_> =
        (0_u32..).zip(&neighbours).map(|(v, of)| Reverse((of.len() as u32, 0, v))).collect();
    let mut eliminated = vec![false; n];
    let mut order = Vec::with_capacity(n);
    let mut merged = Vec::new();
    while let Some(Reverse((degree, deep, state))) = queue.pop() {
        let v = state as usize;
        if eliminated[v] || (neighbours[v].len() as u32, depth[v]) != (degree, deep) {
            continue;
        }
        let operations = degree as usize * degree as usize + 1;
        work += SPARSE_COST * operations;
        if work > dense {
            return None;
        }
        eliminated[v] = true;
        let own = std::mem::take(&mut neighbours[v]);
        for &u in &own {
            let of = &mut neighbours[u as usize];
            merge(of, &own, &mut merged);
            of.clear();
            of.extend(merged.iter().filter(|&&w| w != u && w != state));
            let depth = &mut depth[u as usize];
            *depth = (*depth).max(deep + 1);
            queue.push(Reverse((of.len() as u32, *depth, u)));
        }
        order.push(state);
    }
    Some(order)
}

/// The size of the dense matrix that remains without the positions. A row with one entry counts as
/// a position, but at most half of the rows do.
pub(super) fn size_without_positions(columns: &[&[u32]]) -> usize {
    let n = columns.len();
    let mut entries = vec![0_u32; n];
    for &row in columns.iter().copied().flatten() {
        entries[row as usize] += 1;
    }
    entries.iter().filter(|&&count| count != 1).count().max(n.div_ceil(2))
}

/// The neighbours of each state: the entries of `J` and its transpose off the diagonal, sorted.
fn symmetric(columns: &[&[u32]]) -> Vec<Vec<u32>> {
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); columns.len()];
    for (j, rows) in columns.iter().enumerate() {
        for &i in rows.iter().filter(|&&i| i as usize != j) {
            neighbours[j].push(i);
            neighbours[i as usize].push(j as u32);
        }
    }
    for of in &mut neighbours {
        of.sort_unstable();
        of.dedup();
    }
    neighbours
}

/// The union of two sorted lists.
fn merge(a: &[u32], b: &[u32], out: &mut Vec<u32>) {
    out.clear();
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => *x.min(y),
            (Some(x), None) | (None, Some(x)) => *x,
            (None, None) => return,
        };
        a.next_if_eq(&next);
        b.next_if_eq(&next);
        out.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_has_no_fill_in() {
        let columns: Vec<Vec<u32>> =
            (0..100_u32).map(|j| (j.saturating_sub(1)..(j + 2).min(100)).collect()).collect();
        let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        let elimination = Elimination::new(&columns).unwrap();
        assert_eq!(elimination.values(), 100 + 2 * 99);
    }

    #[test]
    fn a_chain_is_eliminated_from_both_ends() {
        const N: usize = 100;
        let columns: Vec<Vec<u32>> =
            (0..N as u32).map(|j| (j.saturating_sub(1)..(j + 2).min(N as u32)).collect()).collect();
        let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        let lower = Elimination::new(&columns).unwrap().lower;
        let mut depth = [0; N];
        for i in 0..N {
            let needed = lower.columns[lower.row(i)].iter().map(|&column| depth[column as usize]);
            depth[i] = needed.max().map_or(0, |deepest| deepest + 1);
        }
        assert!(depth.into_iter().max() <= Some(N / 2), "{depth:?}");
    }

    #[test]
    fn factors_of_positions_and_speeds_have_fewer_entries_than_symmetric_ones() {
        // A chain of masses: positions, then speeds, which depend on three positions.
        const N: u32 = 50;
        let near = |j: u32| (j.saturating_sub(1)..(j + 2).min(N)).map(|i| N + i);
        let of_speed = |j: u32| std::iter::once(j).chain(near(j)).collect();
        let columns: Vec<Vec<u32>> =
            (0..N).map(|j| near(j).collect()).chain((0..N).map(of_speed)).collect();
        let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        let entries = |columns: &[&[u32]]| Elimination::new(columns).unwrap().values();
        let symmetric = symmetric(&columns);
        let symmetric: Vec<&[u32]> = symmetric.iter().map(Vec::as_slice).collect();
        let (own, of_symmetric) = (entries(&columns), entries(&symmetric));
        assert!(own <= 8 * N as usize && of_symmetric > 9 * N as usize, "{own} {of_symmetric}");
    }

    #[test]
    fn the_hub_of_a_star_is_among_the_last_two() {
        let all: Vec<u32> = (0..50).collect();
        let spokes: Vec<[u32; 2]> = (1..50).map(|j| [0, j]).collect();
        let columns: Vec<&[u32]> =
            std::iter::once(&all[..]).chain(spokes.iter().map(|rows| &rows[..])).collect();
        let elimination = Elimination::new(&columns).unwrap();
        assert!(elimination.order[48..].contains(&0));
        assert_eq!(elimination.values(), 50 + 2 * 49);
    }

    #[test]
    fn a_full_matrix_is_left_to_the_dense_solver() {
        let all: Vec<u32> = (0..40).collect();
        assert!(Elimination::new(&vec![&all[..]; 40]).is_none());
    }
}
