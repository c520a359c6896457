//! Rows that are enough for display: long results would make a page slow.

/// The number of intervals of time into which long results are divided.
const BUCKETS: usize = 1000;

/// Results with at most this many rows are shown as they are.
pub const MOST_ROWS: usize = 4 * BUCKETS;

/// The rows that are always kept: the first, the last, and those around and at events.
pub fn fixed(time: &[f64], events: &[f64]) -> Vec<usize> {
    let Some(last) = time.len().checked_sub(1) else { return Vec::new() };
    let mut rows = vec![0, last];
    for event in events {
        let first = time.partition_point(|t| t < event);
        let after = time.partition_point(|t| t <= event);
        rows.extend(first.saturating_sub(1)..=after.min(last));
    }
    rows.sort_unstable();
    rows.dedup();
    // Events that are as dense as rows cannot all be kept.
    if rows.len() > MOST_ROWS {
        let part = rows.len().div_ceil(MOST_ROWS);
        rows = rows.into_iter().step_by(part).chain([last]).collect();
        rows.dedup();
    }
    rows
}

/// The fixed rows, and in each interval of time the rows with the least and the greatest value.
pub fn extremes(value: impl Fn(usize) -> f64, count: usize, fixed: &[usize]) -> Vec<usize> {
    let mut rows = fixed.to_vec();
    for bucket in buckets(count) {
        let (mut least, mut greatest) = (bucket.start, bucket.start);
        for row in bucket {
            if value(row) < value(least) {
                least = row;
            }
            if value(row) > value(greatest) {
                greatest = row;
            }
        }
        rows.extend([least, greatest]);
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// The fixed rows, and the first of each interval.
pub fn regular(count: usize, fixed: &[usize]) -> Vec<usize> {
    let mut rows: Vec<usize> = buckets(count).map(|bucket| bucket.start).collect();
    rows.extend(fixed);
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// The intervals of rows, none of which is empty.
fn buckets(count: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let buckets = BUCKETS.min(count);
    (0..buckets).map(move |i| i * count / buckets..(i + 1) * count / buckets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_and_rows_at_events_are_kept() {
        let count = 100_000;
        let mut time: Vec<f64> = (0..count).map(|i| i as f64).collect();
        time[50_001] = 50_000.0;
        let mut values = vec![0.0; count];
        (values[777], values[778], values[50_001]) = (3.0, -2.0, 1.0);
        let fixed = fixed(&time, &[50_000.0]);
        assert_eq!(fixed, [0, 49_999, 50_000, 50_001, 50_002, count - 1]);
        let rows = extremes(|row| values[row], count, &fixed);
        assert!(rows.len() <= 2 * BUCKETS + fixed.len());
        for kept in [0, 777, 778, 49_999, 50_000, 50_001, 50_002, count - 1] {
            assert!(rows.contains(&kept), "{kept}");
        }
        assert!(regular(count, &fixed).contains(&50_001));
    }

    #[test]
    fn dense_events_do_not_keep_every_row() {
        let time: Vec<f64> = (0..100_000).map(f64::from).collect();
        let rows = fixed(&time, &time);
        assert!(rows.len() <= MOST_ROWS + 1 && rows.last() == Some(&99_999), "{}", rows.len());
    }
}
