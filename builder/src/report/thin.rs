//! Reduces a column of a table to as many points as a screen can show.

/// Columns of pixels for which a signal keeps its extremes; a wide screen has about as many.
const COLUMNS: usize = 2000;

/// The rows that represent a signal: all if they are few, otherwise the first, the least, the
/// greatest and the last of each column of pixels, and every row of `kept`.
pub fn for_curves(
    rows: usize,
    kept: &[usize],
    column_of_pixels: impl Fn(usize) -> usize,
    value: impl Fn(usize) -> f64,
) -> Vec<usize> {
    if rows <= 2 * COLUMNS {
        return (0..rows).collect();
    }
    let mut chosen = kept.to_vec();
    let mut start = 0;
    while start < rows {
        let column = column_of_pixels(start);
        let (mut least, mut greatest, mut end) = (start, start, start);
        let (mut low, mut high) = (value(start), value(start));
        while end < rows && column_of_pixels(end) == column {
            let v = value(end);
            if v < low {
                (least, low) = (end, v);
            }
            if v > high {
                (greatest, high) = (end, v);
            }
            end += 1;
        }
        chosen.extend([start, least, greatest, end - 1]);
        start = end;
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// The column of pixels of each time, for times that do not decrease.
pub fn columns(time: &[f64]) -> Vec<u16> {
    let (Some(first), Some(last)) = (time.first(), time.last()) else { return Vec::new() };
    let scale = COLUMNS as f64 / (last - first).max(f64::MIN_POSITIVE);
    time.iter().map(|t| (((t - first) * scale) as usize).min(COLUMNS - 1) as u16).collect()
}

/// Rows in equal distances, the same for all signals of an animation, with every row of `kept`.
pub fn for_motion(rows: usize, kept: &[usize]) -> Vec<usize> {
    let stride = rows.div_ceil(2 * COLUMNS).max(1);
    let mut chosen: Vec<usize> = (0..rows).step_by(stride).chain(kept.iter().copied()).collect();
    chosen.extend(rows.checked_sub(1));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_events_and_ends_of_long_signals_are_kept() {
        let rows = 100_000;
        let time: Vec<f64> = (0..rows).map(|i| i as f64).collect();
        let columns = columns(&time);
        let spike = |i: usize| if i == 77_777 { 9.0 } else { (i as f64).sin() };
        let chosen = for_curves(rows, &[12_345], |i| usize::from(columns[i]), spike);
        assert!(chosen.len() <= 4 * COLUMNS + 1, "{}", chosen.len());
        for row in [0, 12_345, 77_777, rows - 1] {
            assert!(chosen.binary_search(&row).is_ok(), "row {row}");
        }
    }

    #[test]
    fn short_signals_keep_all_rows() {
        assert_eq!(for_curves(3, &[], |_| 0, |i| i as f64), [0, 1, 2]);
        assert_eq!(for_motion(3, &[1]), [0, 1, 2]);
        assert!(for_motion(0, &[]).is_empty());
    }
}
