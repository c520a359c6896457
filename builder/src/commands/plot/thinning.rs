//! Thinning of lines that have far more points than the picture has pixels.

/// Reduces a line to the points that are seen: of the points in each of `columns` equal parts of
/// the range from `start` to `end`, the first and the last one, and those with the extremes. The
/// vertical extent of the line in each column, and where it enters and leaves, remain the same.
pub(super) fn thinned(
    points: &[(f64, f64)],
    (start, end): (f64, f64),
    columns: usize,
) -> Vec<(f64, f64)> {
    if points.len() <= 4 * columns {
        return points.to_vec();
    }
    let scale = columns as f64 / (end - start);
    let column = |point: &(f64, f64)| ((point.0 - start) * scale) as usize;
    let mut thin = Vec::with_capacity(4 * columns);
    for part in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_value = |i: &usize, j: &usize| part[*i].1.total_cmp(&part[*j].1);
        let low = (0..part.len()).min_by(by_value).unwrap_or(0);
        let high = (0..part.len()).max_by(by_value).unwrap_or(0);
        let mut kept = [0, low.min(high), low.max(high), part.len() - 1].to_vec();
        kept.dedup();
        thin.extend(kept.into_iter().map(|index| part[index]));
    }
    thin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_keeps_its_ends_and_extremes() {
        let wave = |i: u32| (f64::from(i) / 1e3, (f64::from(i) / 7.0).sin() * f64::from(i % 97));
        let mut points: Vec<(f64, f64)> = (0..100_000).map(wave).collect();
        points[54_321].1 = 700.0;
        let columns = 500;
        let thin = thinned(&points, (0.0, 100.0), columns);
        assert!(thin.len() <= 4 * columns && thin.len() > 3 * columns, "{}", thin.len());
        assert!(thin.is_sorted_by_key(|p| p.0) && thin.contains(&points[54_321]));
        for part in 0..columns {
            let within = |p: &&(f64, f64)| (p.0 * 5.0) as usize == part;
            let seen = |all: &[(f64, f64)]| {
                let values: Vec<f64> = all.iter().filter(within).map(|p| p.1).collect();
                let low = values.iter().copied().fold(f64::INFINITY, f64::min);
                let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                (values.first().copied(), low, high, values.last().copied())
            };
            assert_eq!(seen(&thin), seen(&points), "part {part}");
        }
    }

    #[test]
    fn a_short_line_keeps_all_points() {
        let points: Vec<(f64, f64)> = (0..2000).map(|i| (f64::from(i), 1.0)).collect();
        assert_eq!(thinned(&points, (0.0, 2000.0), 500), points);
    }
}
