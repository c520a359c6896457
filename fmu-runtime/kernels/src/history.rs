//! The history of a signal: a ring of records from which delayed values are interpolated.
//!
//! A record consists of a time, the signal, its derivative, and whether the signal *breaks* there:
//! whether the signal or its derivative jumps. A break has two records at the same time, of which
//! the second one is marked. Between two records the signal is the cubic polynomial with their
//! values and derivatives. A derivative that is not known is NaN, and the slope of the chord takes
//! its place.
//!
//! What the signal was at a break is what the delayed value becomes later, at an event. Until this
//! event has *passed* the break, the delayed value continues what was before the break; after it,
//! the delayed value never returns there.

use crate::Scalar;
use crate::relations::reached;

/// The numbers before the records.
const HEAD: usize = 6;
/// The delay time in s.
const DELAY: usize = 0;
/// The number of the oldest record.
const FIRST: usize = 1;
/// The number of the next record.
const END: usize = 2;
/// The number of the last break that was passed.
const PASSED: usize = 3;
/// The number of the next break; 0 if there is none, because the first record is no break.
const NEXT: usize = 4;
/// The largest magnitude of the signal so far.
const MAGNITUDE: usize = 5;

/// The numbers of a record.
const RECORD: usize = 4;

/// The smallest number of records: two breaks.
pub const LEAST_CAPACITY: u32 = 4;

/// The largest number of records.
pub const MOST_CAPACITY: u32 = 1 << 18;

/// A change of the signal up to this part of its magnitude is rounding, and no break.
const ROUNDING: f64 = 1e-12;

/// The same for a change of the derivative, with the change of the signal within the delay time.
const ROUNDING_OF_SLOPE: f64 = 1e-9;

/// The length of the numbers of a history with this many records.
#[must_use]
pub const fn length(capacity: u32) -> usize {
    HEAD + RECORD * capacity as usize
}

/// A signal at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// The time in s.
    pub t: f64,
    /// The signal.
    pub u: f64,
    /// Its derivative; NaN if it is not known.
    pub slope: f64,
}

impl Point {
    /// The line through the point; constant if the derivative is not known.
    fn line(self) -> Polynomial {
        let slope = if self.slope.is_nan() { 0.0 } else { self.slope };
        Polynomial { t: self.t, coefficients: [self.u, slope, 0.0, 0.0] }
    }

    /// Whether another point is the same, bit by bit.
    #[must_use]
    pub fn has_bits_of(self, other: Point) -> bool {
        let bits = |of: Point| [of.t, of.u, of.slope].map(f64::to_bits);
        bits(self) == bits(other)
    }
}

/// A cubic polynomial of the time since `t`, the constant coefficient first.
#[derive(Clone, Copy, Debug)]
pub struct Polynomial {
    t: f64,
    coefficients: [f64; 4],
}

impl Polynomial {
    /// The one with the values and derivatives of two points.
    #[must_use]
    pub fn between(a: Point, b: Point) -> Polynomial {
        let h = b.t - a.t;
        let chord = (b.u - a.u) / h;
        let known = |slope: f64| if slope.is_nan() { chord } else { slope };
        let (da, db) = (known(a.slope), known(b.slope));
        let bend = (da + db - 2.0 * chord) / h;
        Polynomial { t: a.t, coefficients: [a.u, da, (chord - da) / h - bend, bend / h] }
    }

    /// The derivative of an order at `t`; the value has the order 0.
    #[must_use]
    pub fn at<S: Scalar>(&self, t: S, order: u32) -> S {
        let mut c = self.coefficients;
        for _ in 0..order.min(4) {
            c = [c[1], 2.0 * c[2], 3.0 * c[3], 0.0];
        }
        let x = t - self.t;
        x * (x * (x * c[3] + c[2]) + c[1]) + c[0]
    }
}

/// There is no room for another record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A history that is read: [`length`] numbers.
#[derive(Clone, Copy, Debug)]
pub struct History<'a>(pub &'a [f64]);

impl History<'_> {
    fn capacity(&self) -> u64 {
        ((self.0.len() - HEAD) / RECORD) as u64
    }

    fn number(&self, of: usize) -> u64 {
        self.0[of] as u64
    }

    /// The place of a record.
    fn place(&self, number: u64) -> usize {
        HEAD + RECORD * (number % self.capacity()) as usize
    }

    fn point(&self, number: u64) -> Point {
        let place = self.place(number);
        Point { t: self.0[place], u: self.0[place + 1], slope: self.0[place + 2] }
    }

    fn breaks(&self, number: u64) -> bool {
        self.0[self.place(number) + 3] != 0.0
    }

    fn has_next(&self) -> bool {
        self.0[NEXT] > 0.0
    }

    fn is_empty(&self) -> bool {
        self.0[FIRST] == self.0[END]
    }

    /// The delay time in s.
    #[must_use]
    pub fn delay(&self) -> f64 {
        self.0[DELAY]
    }

    /// The largest magnitude of the signal so far.
    #[must_use]
    pub fn magnitude(&self) -> f64 {
        self.0[MAGNITUDE]
    }

    /// Whether the newest record is a point, but for rounding errors.
    #[must_use]
    pub fn ends_at(&self, point: Point) -> bool {
        self.newest().is_some_and(|newest| {
            let magnitude = self.magnitude().max(point.u.abs());
            let same_value = (point.u - newest.u).abs() <= ROUNDING * magnitude;
            let both_unknown = point.slope.is_nan() && newest.slope.is_nan();
            let difference = (point.slope - newest.slope).abs() * self.delay();
            let same_slope = both_unknown || difference <= ROUNDING_OF_SLOPE * magnitude;
            newest.t == point.t && same_value && same_slope
        })
    }

    /// The newest record.
    #[must_use]
    pub fn newest(&self) -> Option<Point> {
        (!self.is_empty()).then(|| self.point(self.number(END) - 1))
    }

    /// Whether nothing was recorded after `t`, with which the history began.
    #[must_use]
    pub fn begins_at(&self, t: f64) -> bool {
        self.number(FIRST) == 0 && !self.is_empty() && self.point(0).t == t
    }

    /// The instant at which the delayed value breaks next; infinite if it does not.
    #[must_use]
    pub fn next_break(&self) -> f64 {
        match self.has_next() {
            true => self.point(self.number(NEXT)).t + self.delay(),
            false => f64::INFINITY,
        }
    }

    /// The derivative of an order of the delayed value at `t`. Before the first record and after
    /// the last one, the signal follows a line.
    #[must_use]
    pub fn delayed<S: Scalar>(&self, t: S, order: u32) -> S {
        if self.is_empty() {
            return S::from(0.0);
        }
        let t = t - self.delay();
        let low = self.number(FIRST).max(self.number(PASSED));
        let end = if self.has_next() { NEXT } else { END };
        let end = self.number(end).max(low + 1);
        // The first record after `t`.
        let (mut before, mut after) = (low, end);
        while before < after {
            let middle = before + (after - before) / 2;
            if self.point(middle).t <= t.value() {
                before = middle + 1;
            } else {
                after = middle;
            }
        }
        let piece = if after == low {
            self.point(low).line()
        } else if after == end {
            self.point(end - 1).line()
        } else {
            Polynomial::between(self.point(after - 1), self.point(after))
        };
        piece.at(t, order)
    }

    /// Whether the numbers before the records are those of a history.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        let whole = |of: usize| (0.0..1e15).contains(&self.0[of]) && self.0[of].fract() == 0.0;
        let all_whole = [FIRST, END, PASSED].into_iter().all(whole);
        let next = self.0[NEXT] == 0.0
            || (whole(NEXT) && (self.0[FIRST]..self.0[END]).contains(&self.0[NEXT]));
        let delay = (0.0..f64::INFINITY).contains(&self.0[DELAY]);
        let count = self.0[END] - self.0[FIRST];
        all_whole
            && next
            && delay
            && (0.0..=self.capacity() as f64).contains(&count)
            && self.0[PASSED] <= self.0[END]
    }
}

/// A history that is written: [`length`] numbers.
#[derive(Debug)]
pub struct HistoryMut<'a>(pub &'a mut [f64]);

impl HistoryMut<'_> {
    /// The history to be read.
    #[must_use]
    pub fn read(&self) -> History<'_> {
        History(self.0)
    }

    /// Begins with a signal that was constant up to now. The first record has the derivative zero;
    /// the second one, with the derivative after the start, may be a break.
    pub fn start(&mut self, delay: f64, point: Point) {
        self.0[..HEAD].fill(0.0);
        self.0[DELAY] = delay;
        // Two records always fit.
        let _ = self.push(Point { slope: 0.0, ..point }, false);
        let _ = self.record_after(point);
    }

    /// Records the end of a step. Records after it, and another end of a step at its instant,
    /// belong to a step that is no longer valid and are forgotten. What an event led to at its
    /// instant remains.
    ///
    /// # Errors
    /// If all records are still needed.
    pub fn record(&mut self, point: Point) -> Result<(), Full> {
        self.forget_after(point.t);
        let read = self.read();
        let last = read.number(END).saturating_sub(1);
        let is_end_of_step = read.newest().is_some_and(|newest| newest.t == point.t)
            && (last == read.number(FIRST) || read.point(last - 1).t < point.t);
        if is_end_of_step {
            self.forget_from(last);
        }
        self.record_unless_known(point)
    }

    /// Records a point, unless a record is known at its instant.
    fn record_unless_known(&mut self, point: Point) -> Result<(), Full> {
        self.forget_after(point.t);
        match self.read().newest() {
            Some(newest) if newest.t == point.t => Ok(()),
            _ => self.push(point, false),
        }
    }

    /// Records the signal after an event. The newest record is that before the event.
    ///
    /// # Errors
    /// As [`HistoryMut::record`].
    pub fn record_after(&mut self, point: Point) -> Result<(), Full> {
        self.record_unless_known(point)?;
        let mut last = self.read().number(END) - 1;
        // There was another event at this instant: its result does not matter.
        if last > self.read().number(FIRST) && self.read().point(last - 1).t == point.t {
            self.forget_from(last);
            last -= 1;
        }
        let before = self.read().point(last);
        if before.has_bits_of(point) {
            return Ok(());
        }
        let magnitude = self.read().magnitude().max(point.u.abs());
        let jump = (point.u - before.u).abs() > ROUNDING * magnitude;
        // If a derivative is not known, the comparison is false.
        let kink = (point.slope - before.slope).abs() * self.read().delay()
            > ROUNDING_OF_SLOPE * magnitude;
        self.push(point, jump || kink)
    }

    /// Passes the breaks that the delayed value has reached at `t`; whether there are any.
    pub fn pass(&mut self, t: f64) -> bool {
        let mut any = false;
        while reached(t, self.read().next_break()) {
            let passed = self.read().number(NEXT);
            let mut later = passed + 1..self.read().number(END);
            let next = later.find(|&number| self.read().breaks(number));
            self.0[PASSED] = passed as f64;
            self.0[NEXT] = next.map_or(0.0, |number| number as f64);
            any = true;
        }
        any
    }

    fn forget_after(&mut self, t: f64) {
        while self.read().newest().is_some_and(|newest| newest.t > t) {
            let last = self.read().number(END) - 1;
            self.forget_from(last);
        }
    }

    /// Forgets a record and all later ones.
    fn forget_from(&mut self, number: u64) {
        let end = number as f64;
        self.0[END] = end;
        self.0[PASSED] = self.0[PASSED].min(end);
        if self.0[NEXT] >= end {
            self.0[NEXT] = 0.0;
        }
    }

    fn push(&mut self, point: Point, breaks: bool) -> Result<(), Full> {
        self.make_room()?;
        let number = self.read().number(END);
        let place = self.read().place(number);
        let record = [point.t, point.u, point.slope, f64::from(u8::from(breaks))];
        self.0[place..place + RECORD].copy_from_slice(&record);
        self.0[END] = (number + 1) as f64;
        if point.u.is_finite() {
            self.0[MAGNITUDE] = self.0[MAGNITUDE].max(point.u.abs());
        }
        if breaks && !self.read().has_next() {
            self.0[NEXT] = number as f64;
        }
        Ok(())
    }

    /// Forgets the oldest record if all places are taken and nothing before the second one can be
    /// asked for in the last step or later.
    fn make_room(&mut self) -> Result<(), Full> {
        let read = self.read();
        let (first, end) = (read.number(FIRST), read.number(END));
        if end - first < read.capacity() {
            return Ok(());
        }
        let step_began = read.point(end - 1).t;
        if read.point(first + 1).t > step_began - read.delay() {
            return Err(Full);
        }
        self.0[FIRST] = (first + 1) as f64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;

    fn history(capacity: u32, delay: f64, start: Point) -> Vec<f64> {
        let mut numbers = vec![0.0; length(capacity)];
        HistoryMut(&mut numbers).start(delay, start);
        numbers
    }

    fn point(t: f64, u: f64, slope: f64) -> Point {
        Point { t, u, slope }
    }

    #[test]
    fn a_cubic_is_exact_and_so_is_its_derivative() {
        let u = |t: f64| ((0.5 * t - 1.0) * t + 2.0) * t - 3.0;
        let du = |t: f64| (1.5 * t - 2.0) * t + 2.0;
        let mut numbers = history(8, 0.5, point(0.0, u(0.0), du(0.0)));
        for t in [0.3, 0.75, 1.0] {
            HistoryMut(&mut numbers).record(point(t, u(t), du(t))).unwrap();
        }
        assert_eq!(History(&numbers).delayed(0.2, 0), u(0.0), "constant before the start");
        HistoryMut(&mut numbers).pass(0.5);
        for k in 0..=20 {
            let t = 0.5 + 0.05 * f64::from(k);
            let y = History(&numbers).delayed(Dual { value: t, tangent: 1.0 }, 0);
            assert!((y.value - u(t - 0.5)).abs() < 1e-14, "{t}");
            assert!((y.tangent - du(t - 0.5)).abs() < 1e-13, "{t}");
            let [dy, ddy] = [1, 2].map(|order| History(&numbers).delayed(t, order));
            assert!((dy - y.tangent).abs() < 1e-13, "{t}");
            // Beyond the last record, the signal follows a line.
            let bend = if k < 20 { 3.0 * (t - 0.5) - 2.0 } else { 0.0 };
            assert!((ddy - bend).abs() < 1e-12, "{t}: {ddy}");
        }
    }

    #[test]
    fn numbers_that_no_history_has_are_not_consistent() {
        let mut numbers = history(8, 0.5, point(0.0, 0.0, 0.0));
        for k in 1..20 {
            let mut h = HistoryMut(&mut numbers);
            h.pass(0.2 * f64::from(k));
            h.record(point(0.2 * f64::from(k), 1.0, 0.0)).unwrap();
        }
        assert!(History(&numbers).is_consistent());
        for (place, wrong) in [(NEXT, 1.0), (DELAY, -0.5), (DELAY, f64::NAN), (END, 1e14)] {
            let mut damaged = numbers.clone();
            damaged[place] = wrong;
            assert!(!History(&damaged).is_consistent(), "{place}: {wrong}");
        }
    }

    #[test]
    fn a_jump_is_seen_when_its_event_has_passed_it() {
        let mut numbers = history(8, 0.5, point(0.0, 1.0, 0.0));
        let mut h = HistoryMut(&mut numbers);
        h.record(point(0.2, 1.0, 0.0)).unwrap();
        assert_eq!(h.read().next_break(), f64::INFINITY);
        h.record_after(point(0.2, 3.0, 0.0)).unwrap();
        h.record(point(0.6, 3.0, 0.0)).unwrap();
        assert_eq!(h.read().next_break(), 0.7);
        assert_eq!([0.6, 0.7, 0.9].map(|t| h.read().delayed(t, 0)), [1.0; 3], "not passed");
        assert!(!h.pass(0.69) && h.pass(0.7));
        assert_eq!([0.6, 0.7, 0.9].map(|t| h.read().delayed(t, 0)), [3.0; 3], "passed");
    }

    #[test]
    fn the_second_of_two_events_at_an_instant_decides() {
        let mut numbers = history(8, 1.0, point(0.0, 0.0, 0.0));
        let mut h = HistoryMut(&mut numbers);
        h.record(point(0.5, 0.0, 0.0)).unwrap();
        h.record_after(point(0.5, 7.0, 0.0)).unwrap();
        h.record_after(point(0.5, 2.0, 0.0)).unwrap();
        h.record(point(1.0, 2.0, 0.0)).unwrap();
        assert!(h.pass(1.5));
        assert_eq!(h.read().delayed(1.6, 0), 2.0);
        assert!(!h.pass(9.0), "one break only");
        // An event that takes the first one back leaves no break.
        h.record_after(point(1.0, 5.0, 0.0)).unwrap();
        h.record_after(point(1.0, 2.0, 0.0)).unwrap();
        assert_eq!(h.read().next_break(), f64::INFINITY);
    }

    #[test]
    fn records_of_a_step_that_is_no_longer_valid_are_forgotten() {
        let mut numbers = history(8, 1.0, point(0.0, 0.0, 1.0));
        let mut h = HistoryMut(&mut numbers);
        h.record(point(0.8, 0.8, 1.0)).unwrap();
        let mut shorter = history(8, 1.0, point(0.0, 0.0, 1.0));
        h.record(point(0.5, 0.5, 1.0)).unwrap();
        h.record_after(point(0.5, 4.0, 0.0)).unwrap();
        let mut s = HistoryMut(&mut shorter);
        s.record(point(0.5, 0.5, 1.0)).unwrap();
        s.record_after(point(0.5, 4.0, 0.0)).unwrap();
        assert_eq!(h.read().delayed(1.25, 0), s.read().delayed(1.25, 0));
        assert_eq!(h.read().next_break(), 1.0, "the kink at the start");
    }

    #[test]
    fn the_last_end_of_a_step_at_an_instant_counts_and_events_there_remain() {
        let mut numbers = history(8, 1.0, point(0.0, 0.0, 1.0));
        let mut h = HistoryMut(&mut numbers);
        for u in [0.9, f64::INFINITY, 0.5] {
            h.record(point(0.5, u, 1.0)).unwrap();
        }
        assert_eq!(h.read().newest(), Some(point(0.5, 0.5, 1.0)));
        assert_eq!(h.read().magnitude(), 0.9, "of finite values");
        h.record_after(point(0.5, 4.0, 1.0)).unwrap();
        h.record(point(0.5, 4.5, 1.0)).unwrap();
        assert_eq!(h.read().newest(), Some(point(0.5, 4.0, 1.0)));
        assert!(h.pass(1.0));
        assert_eq!(h.read().next_break(), 1.5);
        assert!((h.read().delayed(1.25, 0) - 0.25).abs() < 1e-15, "the jump is not reached");
        // The start is one record, or two with a kink, and remains too.
        let mut numbers = history(8, 1.0, point(0.0, 2.0, 0.0));
        let mut h = HistoryMut(&mut numbers);
        h.record(point(0.0, 2.0, 0.0)).unwrap();
        assert!(h.read().begins_at(0.0) && h.read().is_consistent());
        assert_eq!(h.read().delayed(0.5, 0), 2.0);
    }

    #[test]
    fn the_oldest_record_makes_room_when_it_is_no_longer_needed() {
        let mut numbers = history(6, 1.0, point(0.0, 0.0, 0.0));
        let mut h = HistoryMut(&mut numbers);
        for k in 1..50 {
            let t = 0.4 * f64::from(k);
            h.record(point(t, t, f64::NAN)).unwrap();
            h.pass(t);
            let y = h.read().delayed(t, 0);
            assert!(t < 1.4 || (y - (t - 1.0)).abs() < 1e-12, "{t}: {y}");
        }
        let t = 0.4 * 49.0;
        let mut shorter = (1..9).map(|k| t + 0.1 * f64::from(k));
        assert!(shorter.any(|t| h.record(point(t, t, 1.0)) == Err(Full)), "too many points");
        assert!(h.read().is_consistent());
    }

    #[test]
    fn a_derivative_that_is_not_known_is_that_of_the_chord() {
        let mut numbers = history(8, 1.0, point(0.0, 0.0, f64::NAN));
        let mut h = HistoryMut(&mut numbers);
        h.record(point(1.0, 2.0, f64::NAN)).unwrap();
        assert_eq!(h.read().delayed(1.25, 0), 0.5);
        assert_eq!(h.read().next_break(), f64::INFINITY, "no kink is known");
    }

    #[test]
    fn numbers_of_no_history_are_refused() {
        let numbers = history(4, 1.0, point(0.0, 1.0, 2.0));
        assert!(History(&numbers).is_consistent());
        assert!(History(&vec![0.0; length(4)]).is_consistent(), "it has not begun");
        for (place, bad) in
            [(FIRST, 3.0), (FIRST, f64::NAN), (END, 9.0), (END, 1.5), (PASSED, 1e300), (NEXT, 5.0)]
        {
            let mut numbers = numbers.clone();
            numbers[place] = bad;
            assert!(!History(&numbers).is_consistent(), "{place}: {bad}");
        }
    }
}
