//! Axes: the range that shows all values, scaled such that plotters finds round ticks.

/// In a picture, larger values look infinite, and values below the reciprocal look like zero.
const HUGE: f64 = 1e300;

/// Whether a value can be shown on an axis.
pub(super) fn has_place(value: f64) -> bool {
    value.abs() < HUGE
}

/// A range in units of a power of ten, such that its length is between one and ten: for plotters
/// the ends of a range are equal if their difference is below the machine epsilon.
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

    /// The label of a tick.
    pub(super) fn label(&self, tick: f64) -> String {
        // Ticks are multiples of a tenth. Parsing their text gives the nearest number.
        let value = format!("{tick:.1}e{}", self.exponent).parse().unwrap_or(tick) + 0.0;
        let plain = (-3..6).contains(&self.exponent) || value == 0.0;
        if plain { format!("{value}") } else { format!("{value:e}") }
    }
}

#[cfg(test)]
mod tests {
    use plotters::coord::ranged1d::Ranged;
    use plotters::coord::types::RangedCoordf64;

    use super::*;

    fn labels(axis: PlotAxis, most: usize) -> Vec<String> {
        let ticks = RangedCoordf64::from(axis.low..axis.high).key_points(most);
        ticks.into_iter().map(|tick| axis.label(tick)).collect()
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
        check(0.0, 1e-6, &["0", "2e-7", "4e-7", "6e-7", "8e-7", "1e-6"]);
        check(-3e-17, 5e-17, &["-2e-17", "0", "2e-17", "4e-17"]);
        check(2e9, 3e9, &["2e9", "2.2e9", "2.4e9", "2.6e9", "2.8e9", "3e9"]);
        check(-1e290, 1e290, &["-1e290", "-5e289", "0", "5e289", "1e290"]);
        check(7.0, 7.0, &["6.5", "7", "7.5"]);
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
