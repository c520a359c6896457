//! Parts of sparse matrices without common rows or columns.
//!
//! Work that is done for each part separately is proportional to the number of parts.

use super::graph_search::components;
use nalgebra::DMatrix;
use std::collections::BTreeMap;

/// Rows of a sparse matrix that share no column with other rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixPart {
    /// The rows, ascending.
    pub rows: Vec<usize>,
    /// Their columns, ascending.
    pub columns: Vec<usize>,
}

/// The smallest parts of a matrix with these columns in its rows, in the order of their first
/// columns. All rows without columns are the last part, if there are some.
pub fn parts(rows: &[Vec<usize>]) -> Vec<MatrixPart> {
    let columns: Vec<usize> = rows.iter().flatten().copied().collect();
    let pairs = rows.iter().flat_map(|of| of.windows(2).map(|pair| (pair[0], pair[1])));
    let joined = components(&columns, pairs).into_iter();
    let mut parts: Vec<MatrixPart> =
        joined.map(|columns| MatrixPart { rows: Vec::new(), columns }).collect();
    let mut place = BTreeMap::new();
    for (i, part) in parts.iter().enumerate() {
        place.extend(part.columns.iter().map(|&column| (column, i)));
    }
    let mut without = Vec::new();
    for (row, of) in rows.iter().enumerate() {
        match of.first() {
            Some(column) => parts[place[column]].rows.push(row),
            None => without.push(row),
        }
    }
    let without = MatrixPart { rows: without, columns: Vec::new() };
    parts.extend(Some(without).filter(|part| !part.rows.is_empty()));
    parts
}

/// The columns of the entries in each row of a matrix.
pub fn entries(matrix: &DMatrix<f64>) -> Vec<Vec<usize>> {
    let columns = |r: usize| (0..matrix.ncols()).filter(|&c| matrix[(r, c)] != 0.0).collect();
    (0..matrix.nrows()).map(columns).collect()
}

#[cfg(test)]
mod tests {
    use super::{MatrixPart, parts};

    #[test]
    fn parts_share_neither_rows_nor_columns() {
        let rows = [vec![5, 7], vec![1, 2], vec![], vec![2, 4], vec![7]];
        let part = |rows: &[usize], columns: &[usize]| MatrixPart {
            rows: rows.to_vec(),
            columns: columns.to_vec(),
        };
        let expected = [part(&[1, 3], &[1, 2, 4]), part(&[0, 4], &[5, 7]), part(&[2], &[])];
        assert_eq!(parts(&rows), expected);
    }
}
