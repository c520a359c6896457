//! Pivots of a matrix: which columns its rows determine.

use nalgebra::DMatrix;

/// Class of a column that no row may take.
pub const GIVEN: usize = 8;

/// A derivative below this fraction of the largest one counts as zero; a pivot above the second
/// fraction is safe.
pub const NONE: f64 = 1e-8;
const SAFE: f64 = 1e-3;

/// Pivots of an elimination with free choice of rows, pairs of row and column of low class first.
pub fn pivots(
    jacobian: &DMatrix<f64>,
    rows: &[usize],
    class: impl Fn(usize, usize) -> usize,
) -> Vec<(usize, usize)> {
    let mut a = jacobian.clone();
    let scale = a.amax();
    let mut rows = rows.to_vec();
    let mut columns: Vec<usize> = (0..a.ncols()).collect();
    let mut chosen = Vec::new();
    // At first only safe pivots are chosen; then also weak ones, rather than leaving a row without
    // one.
    for threshold in [SAFE * scale, NONE * scale] {
        for level in 0..GIVEN {
            loop {
                let best = columns
                    .iter()
                    .flat_map(|&c| rows.iter().map(move |&r| (r, c)))
                    .filter(|&(r, c)| class(r, c) == level)
                    .max_by(|x, y| a[*x].abs().total_cmp(&a[*y].abs()).then_with(|| y.cmp(x)));
                let Some((r, c)) = best.filter(|&p| a[p].abs() > threshold) else { break };
                for &other in rows.iter().filter(|&&o| o != r) {
                    let factor = a[(other, c)] / a[(r, c)];
                    for k in 0..a.ncols() {
                        a[(other, k)] -= factor * a[(r, k)];
                    }
                }
                rows.retain(|&k| k != r);
                columns.retain(|&k| k != c);
                chosen.push((r, c));
            }
        }
    }
    chosen
}
