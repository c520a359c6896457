//! Axes: the range that shows all values, round numbers as ticks, and their texts.

/// The range of some values with a margin, never empty.
pub(super) fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|v| v.is_finite()) {
        (low, high) = (low.min(value), high.max(value));
    }
    if low > high {
        return (-1.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    let margin = match high - low {
        // Round-off of a constant is not worth to be magnified.
        span if span <= 1e-9 * size => {
            if size > 0.0 {
                0.1 * size
            } else {
                1.0
            }
        }
        span => 0.06 * span,
    };
    (low - margin, high + margin)
}

/// Round numbers in a range, about as many as wanted, with their texts.
///
/// `whole`: only whole numbers.
pub(super) fn ticks((low, high): (f64, f64), wanted: usize, whole: bool) -> Vec<(f64, String)> {
    let rough = (high - low) / wanted as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let exponent = rough.log10().floor();
    let power = 10_f64.powf(exponent);
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= 0.999 * rough);
    let mut step = round.unwrap_or(10.0) * power;
    if whole {
        step = step.max(1.0);
    }
    let (first, last) = ((low / step).ceil(), (high / step).floor());
    let steps = (last - first).clamp(0.0, 2.0 * wanted as f64) as usize;
    (0..=steps).map(|i| first + i as f64).map(|n| (n * step, text(n, step))).collect()
}

/// The text of `n * step`, with the digits that tell it from its neighbours.
fn text(n: f64, step: f64) -> String {
    if n == 0.0 {
        return "0".to_owned();
    }
    let value = n * step;
    // Steps are one, two or five times a power of ten; rounding keeps off the power below.
    let digit = (step.log10() + 1e-9).floor();
    if (-4.0..6.0).contains(&digit) {
        let decimals = (-digit).max(0.0) as usize;
        return format!("{value:.decimals$}");
    }
    let leading = value.abs().log10() + 1e-9;
    let decimals = (leading.floor() - digit).clamp(0.0, 15.0) as usize;
    format!("{value:.decimals$e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_with_the_digits_that_tell_them_apart() {
        let check = |low: f64, high: f64, expected: &[&str]| {
            let texts: Vec<String> =
                ticks((low, high), 5, false).into_iter().map(|tick| tick.1).collect();
            assert_eq!(texts, expected, "{low} to {high}");
        };
        check(0.0, 1.5, &["0", "0.5", "1.0", "1.5"]);
        check(-0.06, 1.06, &["0", "0.5", "1.0"]);
        check(-3.0, 11.0, &["0", "5", "10"]);
        check(0.0, 1e-6, &["0", "2e-7", "4e-7", "6e-7", "8e-7", "1.0e-6"]);
        check(2e9, 3e9, &["2.0e9", "2.2e9", "2.4e9", "2.6e9", "2.8e9", "3.0e9"]);
        check(7.0, 7.0, &[]);
    }

    #[test]
    fn modes_have_no_ticks_between_whole_numbers() {
        let values = |range| ticks(range, 5, true).into_iter().map(|tick| tick.0);
        assert_eq!(values((-0.06, 1.06)).collect::<Vec<f64>>(), [0.0, 1.0]);
    }

    #[test]
    fn a_constant_is_in_the_middle_of_its_range() {
        for (value, expected) in [(0.0, (-1.0, 1.0)), (5.0, (4.5, 5.5)), (f64::NAN, (-1.0, 1.0))] {
            assert_eq!(range([value, value].into_iter()), expected);
        }
    }
}
