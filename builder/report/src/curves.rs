//! The values of signals as the page stores them: each distinct curve once, as bytes.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use crate::data::Results;
use crate::thinning;

/// What a page uses the values of a column for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Plots, which need the extreme values.
    Shows,
    /// The motion of shapes, whose values have common times.
    Moves,
    /// Both, for a signal that is plotted from the beginning.
    MovesAndShows,
}

/// The values of all signals.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Curves {
    /// The number of rows of the results.
    rows: usize,
    /// Whether the curves have fewer points than the results have rows.
    thinned: bool,
    /// Lists of times in s, each as the bytes of little-endian doubles in base 64.
    times: Vec<String>,
    /// The curves.
    curves: Vec<Curve>,
}

/// The points of a curve.
#[derive(Clone, Debug, Serialize)]
struct Curve {
    /// The index of the list of its times.
    times: usize,
    /// Its values, stored as times are; a single one if it is constant.
    values: String,
}

impl Curves {
    /// The curves of results, and the index of the curve of each column. Events are times in s.
    pub(crate) fn of(results: &Results, events: &[f64], uses: &[Use]) -> (Curves, Vec<usize>) {
        let count = results.time.len();
        let thinned = count > thinning::MOST_ROWS;
        let fixed = if thinned { thinning::fixed(&results.time, events) } else { Vec::new() };
        let value = |column: usize| move |row: usize| results.rows[row][column];
        let common: Vec<usize> = if thinned {
            let both = (0..uses.len()).filter(|&column| uses[column] == Use::MovesAndShows);
            let extremes = both.flat_map(|column| thinning::extremes(value(column), count, &[]));
            let kept: Vec<usize> = fixed.iter().copied().chain(extremes).collect();
            thinning::regular(count, &kept)
        } else {
            (0..count).collect()
        };
        let mut store = Store {
            curves: Curves { rows: count, thinned, ..Curves::default() },
            known: HashMap::new(),
        };
        let common_times = store.times(results, &common);
        let mut indices = Vec::with_capacity(uses.len());
        for (column, of_column) in uses.iter().enumerate() {
            let value = value(column);
            let constant = (1..count).all(|row| value(row).to_bits() == value(0).to_bits());
            let own;
            let (times, rows) = if constant {
                (common_times, &common[..count.min(1)])
            } else if thinned && *of_column == Use::Shows {
                own = thinning::extremes(value, count, &fixed);
                (store.times(results, &own), &own[..])
            } else {
                (common_times, &common[..])
            };
            indices.push(store.curve(times, bytes(rows.iter().map(|row| value(*row)))));
        }
        (store.curves, indices)
    }
}

/// The curves so far, and where the known ones are.
struct Store {
    curves: Curves,
    known: HashMap<(Option<usize>, String), usize>,
}

impl Store {
    /// The index of a list of times.
    fn times(&mut self, results: &Results, rows: &[usize]) -> usize {
        let text = bytes(rows.iter().map(|row| results.time[*row]));
        let next = self.curves.times.len();
        let index = *self.known.entry((None, text.clone())).or_insert(next);
        if index == next {
            self.curves.times.push(text);
        }
        index
    }

    /// The index of a curve.
    fn curve(&mut self, times: usize, values: String) -> usize {
        let next = self.curves.curves.len();
        let index = *self.known.entry((Some(times), values.clone())).or_insert(next);
        if index == next {
            self.curves.curves.push(Curve { times, values });
        }
        index
    }
}

/// Numbers as the bytes of little-endian doubles in base 64.
fn bytes(numbers: impl Iterator<Item = f64>) -> String {
    STANDARD.encode(numbers.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_little_endian_in_base_64() {
        assert_eq!(bytes([1.0].into_iter()), "AAAAAAAA8D8=");
        assert_eq!(bytes([1.0, -2.5].into_iter()), "AAAAAAAA8D8AAAAAAAAEwA==");
        assert_eq!(bytes([0.0; 3].into_iter()), "A".repeat(32));
    }

    #[test]
    fn equal_curves_are_stored_once_and_constants_as_one_value() {
        let rows = (0..3).map(|i| vec![f64::from(i), 7.0, f64::from(i), 7.0]).collect();
        let results = Results { time: vec![0.0, 1.0, 2.0], rows };
        let (curves, indices) = Curves::of(&results, &[], &[Use::Shows; 4]);
        assert_eq!(indices, [0, 1, 0, 1]);
        assert_eq!(curves.curves[1].values, bytes([7.0].into_iter()));
        assert!(!curves.thinned && curves.times.len() == 1);
    }

    #[test]
    fn long_curves_are_thinned_and_those_of_a_scene_have_common_times() {
        let count = 50_000;
        let time: Vec<f64> = (0..count).map(f64::from).collect();
        let rows = time.iter().map(|t| vec![t.sin(), (3.0 * t).sin(), t.cos(), t.tan()]).collect();
        let uses = [Use::Shows, Use::Shows, Use::Moves, Use::Moves];
        let (curves, _) = Curves::of(&Results { time, rows }, &[], &uses);
        assert!(curves.thinned && curves.rows == 50_000);
        let times: Vec<usize> = curves.curves.iter().map(|curve| curve.times).collect();
        assert_eq!(times, [1, 2, 0, 0]);
        assert!(curves.curves.iter().all(|curve| curve.values.len() < 50_000));
    }

    #[test]
    fn a_curve_that_is_plotted_and_moves_shapes_keeps_its_extreme_values() {
        let time: Vec<f64> = (0..50_000).map(f64::from).collect();
        // One row in the middle of an interval is a peak.
        let rows = time.iter().map(|t| vec![if *t == 25_020.0 { 9.0 } else { t.sin() }, t.cos()]);
        let results = Results { rows: rows.collect(), time };
        let peaks = |of_first: Use| {
            let (curves, _) = Curves::of(&results, &[], &[of_first, Use::Moves]);
            assert_eq!(curves.curves[0].times, curves.curves[1].times, "{of_first:?}");
            let bytes = STANDARD.decode(&curves.curves[0].values).unwrap();
            let values = bytes.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()));
            values.filter(|value| *value == 9.0).count()
        };
        assert_eq!([Use::MovesAndShows, Use::Moves].map(peaks), [1, 0]);
    }
}
