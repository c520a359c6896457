//! Axes: the range that shows all values, scaled such that plotters finds round ticks.

use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;

/// In a picture, larger values look infinite, and values below the reciprocal look like zero.
const HUGE: f64 = 1e300;

/// Whether a value can be shown on an axis.
pub(super) fn has_place(value: f64) -> bool {
    value.abs() < HUGE
}

/// A range, expressed in a power of ten such that the length is between one and ten. `plotters`
/// treats the ends of a range as equal if they differ by less than the machine epsilon.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlotAxis {
    pub(super) low: f64,
    pub(super) high: f64,
    exponent: i32,
}

impl PlotAxis {
    /// The range of some values with a margin at both ends, a fraction of the range. A constant is
    /// in the middle.
    pub(super) fn new(values: impl Iterator<Item = f64>, margin: f64) -> PlotAxis {
        let ends = values.filter(|v| has_place(*v)).map(|v| (v, v));
        let (low, high) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default();
        let size = low.abs().max(high.abs());
        let margin = match high - low {
            _ if size < 1.0 / HUGE => 1.0,
            // Rounding errors of a constant are not magnified.
            span if span <= 1e-9 * size => 0.1 * size,
            span => margin * span,
        };
        let (low, high) = (low - margin, high + margin);
        let axis = PlotAxis { low, high, exponent: (high - low).log10().floor() as i32 };
        PlotAxis { low: axis.place(low), high: axis.place(high), ..axis }
    }

    /// The position of a value on the axis.
    pub(super) fn place(&self, value: f64) -> f64 {
        // Negative powers of ten would not be exact.
        let unit = 10_f64.powi(self.exponent.abs());
        if self.exponent < 0 { value * unit } else { value / unit }
    }

    /// The number of labels that shows all whole numbers, at most `wanted`; then no label lies
    /// between whole numbers.
    pub(super) fn whole_labels(&self, wanted: usize) -> usize {
        let unit = 10_f64.powi(self.exponent);
        let count = (self.high * unit).floor() - (self.low * unit).ceil() + 1.0;
        (count as usize).clamp(1, wanted)
    }

    /// The ticks of the axis, at most `most` of them.
    pub(super) fn ticks(&self, most: usize) -> Ticks {
        let places = RangedCoordf64::from(self.low..self.high).key_points(most);
        let largest = places.iter().map(|tick| magnitude(self.decimal(*tick, 0)));
        let power = largest.max().filter(|power| !PLAIN.contains(power)).unwrap_or(0);
        Ticks { axis: *self, most, power, places }
    }

    /// The number at a tick, divided by a power of ten.
    fn decimal(&self, tick: f64, power: i32) -> f64 {
        // Ticks are multiples of a tenth. Parsing their text gives the nearest number.
        let tenths = (10.0 * tick).round();
        let text = format!("{tenths}e{}", self.exponent - 1 - power);
        text.parse().unwrap_or(tick) + 0.0
    }
}

/// The largest label of an axis without a common power of ten has one of these powers.
const PLAIN: std::ops::Range<i32> = -3..6;

/// The power of ten of the first digit; that of zero is the least.
fn magnitude(value: f64) -> i32 {
    let text = format!("{value:e}");
    let exponent = text.split('e').nth(1).and_then(|digits| digits.parse().ok());
    exponent.filter(|_| value != 0.0).unwrap_or(i32::MIN)
}

/// The ticks of an axis.
#[derive(Clone, Debug)]
pub(super) struct Ticks {
    axis: PlotAxis,
    /// The number for which plotters finds these ticks.
    pub(super) most: usize,
    /// The power of ten by which all labels are divided.
    power: i32,
    /// The positions of the ticks on the axis.
    pub(super) places: Vec<f64>,
}

impl Ticks {
    /// The label of a tick.
    pub(super) fn label(&self, tick: f64) -> String {
        self.axis.decimal(tick, self.power).to_string()
    }

    /// The common factor of all labels; `None` if it is one.
    pub(super) fn factor(&self) -> Option<String> {
        (self.power != 0).then(|| format!("×1e{}", self.power))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The labels, and their common factor at the end if there is one.
    fn labels(axis: PlotAxis, most: usize) -> Vec<String> {
        let ticks = axis.ticks(most);
        ticks.places.iter().map(|tick| ticks.label(*tick)).chain(ticks.factor()).collect()
    }

    #[test]
    fn labels_are_round_numbers_with_the_digits_that_distinguish_them() {
        let check = |low: f64, high: f64, expected: &[&str]| {
            assert_eq!(
                labels(PlotAxis::new([low, high].into_iter(), 1e-9), 6),
                expected,
                "{low} {high}"
            );
        };
        check(0.0, 1.5, &["0", "0.5", "1", "1.5"]);
        check(0.0, 0.3, &["0", "0.1", "0.2", "0.3"]);
        check(-0.06, 1.06, &["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        check(-3.0, 11.0, &["0", "5", "10"]);
        check(0.0, 2e-3, &["0", "0.0005", "0.001", "0.0015", "0.002"]);
        check(0.0, 1e-6, &["0", "0.2", "0.4", "0.6", "0.8", "1", "×1e-6"]);
        check(-3e-17, 5e-17, &["-2", "0", "2", "4", "×1e-17"]);
        check(2e9, 3e9, &["2", "2.2", "2.4", "2.6", "2.8", "3", "×1e9"]);
        check(-1e290, 1e290, &["-1", "-0.5", "0", "0.5", "1", "×1e290"]);
        check(0.0, 1e5, &["0", "20000", "40000", "60000", "80000", "100000"]);
        check(
            1e6,
            1e6 + 1e-3,
            &[
                "1",
                "1.0000000002",
                "1.0000000004",
                "1.0000000006",
                "1.0000000008",
                "1.000000001",
                "×1e6",
            ],
        );
        check(7.0, 7.0, &["6.5", "7", "7.5"]);
    }

    #[test]
    fn ticks_are_one_two_or_five_times_a_power_of_ten_apart_and_have_short_labels() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for _ in 0..2000 {
            let (size, start) = (10_f64.powf(40.0 * random() - 20.0), 4.0 * random() - 2.0);
            let axis = PlotAxis::new([size * start, size * (start + 1.0)].into_iter(), 0.06);
            let ticks = axis.ticks(6);
            let labels: Vec<String> = ticks.places.iter().map(|t| ticks.label(*t)).collect();
            assert!((2..=6).contains(&labels.len()), "{labels:?}");
            assert!(labels.iter().all(|label| label.len() <= 7), "{labels:?}");
            let values: Vec<f64> = labels.iter().map(|label| label.parse().unwrap()).collect();
            for pair in values.windows(2) {
                let distance = format!("{:.6e}", pair[1] - pair[0]);
                let digits = distance.split('e').next().unwrap();
                assert!(["1.000000", "2.000000", "5.000000"].contains(&digits), "{labels:?}");
            }
        }
    }

    #[test]
    fn a_label_at_the_end_is_not_lost_to_round_off() {
        for stop in [0.018, 1.4, 14.0, 1400.0] {
            let labels = labels(PlotAxis::new([0.0, stop].into_iter(), 1e-9), 11);
            assert_eq!(labels.last(), Some(&stop.to_string()));
        }
    }

    #[test]
    fn modes_have_no_labels_between_whole_numbers() {
        let check = |modes: &[f64], expected: &[&str]| {
            let axis = PlotAxis::new(modes.iter().copied(), 0.06);
            assert_eq!(labels(axis, axis.whole_labels(6)), expected);
        };
        check(&[0.0, 1.0], &["0", "1"]);
        check(&[-1.0, 0.0, 1.0], &["-1", "0", "1"]);
        check(&[0.0, 0.0], &["-1", "0", "1"]);
        for mode in [1.0, 2.0, 3.0, 4.0, 7.0, 9.0] {
            check(&[mode, mode], &[&format!("{mode}")]);
        }
        check(&[0.0, 12.0], &["0", "5", "10"]);
    }

    #[test]
    fn a_constant_is_in_the_middle_of_its_range() {
        for (value, expected) in [(0.0, (-1.0, 1.0)), (5.0, (4.5, 5.5)), (f64::NAN, (-1.0, 1.0))] {
            let axis = PlotAxis::new([value, value, f64::INFINITY].into_iter(), 0.06);
            assert_eq!((axis.low, axis.high), expected);
        }
    }
}
