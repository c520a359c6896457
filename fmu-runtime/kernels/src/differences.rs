//! The derivative of a function that can only be evaluated: the limit of its difference quotients.
//!
//! The quotients of ever smaller steps are extrapolated to the step zero (C. J. F. Ridders,
//! "Accurate computation of F'(x) and F'(x) F''(x)", 1982). A function with a corner, or one that
//! cannot be evaluated on one side, has the derivative of the other side.

/// The ratio of successive steps. Steps are powers of two, so that they have no rounding errors.
pub const RATIO: f64 = 4.0;

/// The largest number of steps.
pub const MOST_STEPS: usize = 10;

/// A derivative is settled if its estimated error, relative to it, is at most this.
const SETTLED: f64 = 1e-9;

/// The rounding error of a value of the function, relative to it.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// No digit of a derivative is known if its estimated error, relative to it, is more than this ...
const UNKNOWN: f64 = 0.25;

/// ... and if it lets the function change within the first step by more than this part of it.
const UNKNOWN_CHANGE: f64 = 1e-2;

/// A limit and its estimated error.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Estimate {
    value: f64,
    error: f64,
}

impl Estimate {
    fn is_settled(self, noise: f64) -> bool {
        self.error <= SETTLED * self.value.abs() + noise
    }
}

/// The limit of a sequence whose errors are power series of the step.
#[derive(Clone, Copy, Debug)]
struct Limit {
    /// The ratio of the first power of successive steps.
    ratio: f64,
    /// The extrapolations from the last step and those before it: none, one, two.
    last: [f64; MOST_STEPS],
    count: usize,
    /// The best extrapolation so far.
    best: Option<Estimate>,
}

impl Limit {
    const fn new(ratio: f64) -> Limit {
        Limit { ratio, last: [0.0; MOST_STEPS], count: 0, best: None }
    }

    /// Adds the next element. After one that is no number, the sequence begins again.
    fn add(&mut self, element: f64) {
        if !element.is_finite() {
            self.count = 0;
            return;
        }
        let (mut newest, mut ratio) = (element, self.ratio);
        for before in &mut self.last[..self.count] {
            let better = newest + (newest - *before) / (ratio - 1.0);
            let error = (better - newest).abs().max((better - *before).abs());
            if self.best.is_none_or(|best| error < best.error) {
                self.best = Some(Estimate { value: better, error });
            }
            *before = std::mem::replace(&mut newest, better);
            ratio *= self.ratio;
        }
        if let Some(place) = self.last.get_mut(self.count) {
            *place = newest;
            self.count += 1;
        }
    }
}

/// The derivative of a function at a point, from its values there and at other points.
#[derive(Clone, Copy, Debug)]
pub struct Difference {
    middle: f64,
    central: Limit,
    after: Limit,
    before: Limit,
    /// The rounding error of the last quotients.
    noise: f64,
    /// The first step.
    first: f64,
    /// The largest magnitude of the values.
    magnitude: f64,
}

impl Difference {
    /// The function has this value at the point; its values have rounding errors as numbers of at
    /// least this magnitude.
    #[must_use]
    pub const fn new(middle: f64, magnitude: f64) -> Difference {
        Difference {
            middle,
            // The errors of central quotients have even powers of the step only.
            central: Limit::new(RATIO * RATIO),
            after: Limit::new(RATIO),
            before: Limit::new(RATIO),
            noise: 0.0,
            first: 0.0,
            magnitude,
        }
    }

    /// Adds the values of the function at a step before the point and after it. A value that does
    /// not exist is NaN. Each step is that before divided by [`RATIO`].
    pub fn add(&mut self, step: f64, before: f64, after: f64) {
        self.central.add((after - before) / (2.0 * step));
        self.after.add((after - self.middle) / step);
        self.before.add((self.middle - before) / step);
        // The larger of a number and NaN is the number.
        self.magnitude = self.magnitude.max(self.middle.abs()).max(before.abs()).max(after.abs());
        self.noise = ROUNDING * self.magnitude / step;
        self.first = self.first.max(step);
    }

    /// The estimate from both sides, unless the side after the point differs: then there is a
    /// corner at the point.
    fn here_or_after(&self) -> Option<Estimate> {
        let (central, after) = (self.central.best, self.after.best);
        central.zip(after).map_or(after, |(central, after)| {
            let apart = (central.value - after.value).abs();
            let agree = apart <= 2.0 * (central.error + after.error) + self.noise;
            Some(if agree && central.error <= after.error { central } else { after })
        })
    }

    /// Whether smaller steps would hardly make the derivative more accurate.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.here_or_after().or(self.before.best).is_some_and(|of| of.is_settled(self.noise))
    }

    /// The derivative: from both sides if the function has no corner; otherwise the one after the
    /// point, or before it. None if none of its digits is known.
    #[must_use]
    pub fn derivative(&self) -> Option<f64> {
        let is_known = |of: &Estimate| {
            of.error <= UNKNOWN * of.value.abs()
                || of.error * self.first <= UNKNOWN_CHANGE * self.magnitude
        };
        let known = [self.here_or_after(), self.before.best].into_iter().flatten().find(is_known);
        known.map(|of| of.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The derivative of a function, and the number of steps.
    fn derive(f: impl Fn(f64) -> f64, at: f64, first: f64) -> (Option<f64>, usize) {
        let mut difference = Difference::new(f(at), 0.0);
        let mut step = first;
        for count in 1..=MOST_STEPS {
            difference.add(step, f(at - step), f(at + step));
            if difference.is_settled() {
                return (difference.derivative(), count);
            }
            step /= RATIO;
        }
        (difference.derivative(), MOST_STEPS)
    }

    #[test]
    fn the_derivative_of_a_smooth_function_is_accurate_whatever_the_first_step_is() {
        for first in [0.5, 0.0625, 0.0078125] {
            for at in [0.0, 0.3, 1.0, 2.0] {
                let (sine, steps) = derive(libm::sin, at, first);
                let error = sine.unwrap() - libm::cos(at);
                assert!(error.abs() < 1e-11, "{at}, {first}: {error:e}");
                assert!(steps <= 5, "{at}, {first}: {steps} steps");
            }
        }
        let (fast, _) = derive(|x| libm::sin(1e4 * x), 0.1, 0.0078125);
        assert!((fast.unwrap() / (1e4 * libm::cos(1e3)) - 1.0).abs() < 1e-8, "{fast:?}");
    }

    #[test]
    fn polynomials_of_degree_two_need_two_steps() {
        assert_eq!(derive(|x| 3.0 * x * x - x, 0.5, 0.25), (Some(2.0), 2));
        assert_eq!(derive(|_| 7.0, 0.5, 0.25), (Some(0.0), 2));
    }

    #[test]
    fn at_a_corner_the_derivative_is_that_after_the_point() {
        let corner = |x: f64| if x < 0.0 { 2.0 * x } else { -x + x * x * x };
        let (slope, _) = derive(corner, 0.0, 0.0625);
        assert!((slope.unwrap() + 1.0).abs() < 1e-8, "{slope:?}");
        // The function has a corner near the point.
        let corner = |x: f64| if x < 0.01 { libm::exp(x) } else { libm::exp(0.01) };
        let (slope, _) = derive(corner, 0.0, 0.0625);
        assert!((slope.unwrap() - 1.0).abs() < 1e-8, "{slope:?}");
        // It jumps before the point, and has a tangent after it.
        let jump = |x: f64| if x < 0.0 { 2.0 } else { 3.0 * libm::exp(x) };
        let (slope, _) = derive(jump, 0.0, 0.0625);
        assert!((slope.unwrap() - 3.0).abs() < 1e-7, "{slope:?}");
        // It jumps after the point, at which it continues what was before.
        let jump = |x: f64| if x > 0.0 { 5.0 } else { libm::exp(x) };
        let (slope, _) = derive(jump, 0.0, 0.0625);
        assert!((slope.unwrap() - 1.0).abs() < 1e-8, "{slope:?}");
    }

    #[test]
    fn the_side_on_which_the_function_exists_is_enough() {
        for sign in [1.0, -1.0] {
            let half = |x: f64| if sign * x < 0.0 { f64::NAN } else { libm::exp(x) };
            let (slope, _) = derive(half, 0.0, 0.0625);
            assert!((slope.unwrap() - 1.0).abs() < 1e-8, "{slope:?}");
        }
        let near = |x: f64| if x.abs() > 0.003 { f64::NAN } else { libm::exp(x) };
        let (slope, _) = derive(near, 0.0, 0.0625);
        assert!((slope.unwrap() - 1.0).abs() < 1e-10, "{slope:?}");
    }

    #[test]
    fn a_derivative_that_does_not_exist_has_no_value() {
        let lonely = |x: f64| if x == 0.0 { 1.0 } else { f64::NAN };
        assert_eq!(derive(lonely, 0.0, 0.0625).0, None);
        assert_eq!(derive(|x| x.signum() + f64::from(x == 0.0), 0.0, 0.0625).0, None);
        assert_eq!(derive(|x| x.abs().sqrt() * x.signum(), 0.0, 0.0625).0, None);
    }
}
