//! Clocks: instants at equal distances, counted by whole numbers.
//!
//! A counter of the ticks so far is all that a clock remembers; each instant is computed from it at
//! once, so errors do not accumulate. Clocks that derive from the same clock count fractions of it.
//! Simultaneous ticks therefore have the same instant, bit by bit, and are one time event.

use expressions::{Bool, Ex, Leaf, select, substitute_ids};

use crate::model::Model;
use crate::model::declared::DiscreteVariable;
use crate::vocabulary::description::Experiment;

/// A positive or negative fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ratio {
    numerator: i64,
    denominator: i64,
}

impl Ratio {
    /// The largest numerator and denominator: those of real numbers that count without rounding,
    /// with room for many ticks.
    const MOST: i64 = 1 << 31;

    const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };
    const ONE: Ratio = Ratio { numerator: 1, denominator: 1 };

    /// A fraction of numbers that are not 0; `None` if one is too large.
    fn new(numerator: i64, denominator: i64) -> Option<Ratio> {
        let divisor = common_divisor(numerator, denominator).filter(|&divisor| divisor > 0)?;
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        let fits = numerator.abs() <= Self::MOST && (1..=Self::MOST).contains(&denominator);
        fits.then_some(Ratio { numerator, denominator })
    }

    fn times(self, other: Ratio) -> Option<Ratio> {
        let numerator = self.numerator.checked_mul(other.numerator)?;
        Ratio::new(numerator, self.denominator.checked_mul(other.denominator)?)
    }

    fn plus(self, other: Ratio) -> Option<Ratio> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        let denominator = self.denominator.checked_mul(other.denominator)?;
        Ratio::new(left.checked_add(right)?, denominator)
    }
}

/// The greatest common divisor.
fn common_divisor(a: i64, b: i64) -> Option<i64> {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).ok()
}

/// Instants at equal distances, from a start on.
///
/// Tick `i` is at the position `phase + i interval` on a base clock, whose position `k` is the
/// instant `start + k * period`.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Ex,
    /// The period of the base clock is the quotient of these.
    period: [Ex; 2],
    interval: Ratio,
    phase: Ratio,
}

impl PartialEq for Clock {
    fn eq(&self, other: &Clock) -> bool {
        self.has_base_of(other) && (self.interval, self.phase) == (other.interval, other.phase)
    }
}

impl Clock {
    /// The clock with ticks at `start + i * period` in s, with `i = 0, 1, ..`
    pub fn periodic(start: impl Into<Ex>, period: impl Into<Ex>) -> Clock {
        Clock::with_quotient(start, period, Ex::one())
    }

    /// The clock with ticks at `start + i * dividend / divisor` in s, which is rounded less than
    /// with the quotient as the period.
    pub fn with_quotient(
        start: impl Into<Ex>,
        dividend: impl Into<Ex>,
        divisor: impl Into<Ex>,
    ) -> Clock {
        let period = [dividend.into(), divisor.into()];
        Clock { start: start.into(), period, interval: Ratio::ONE, phase: Ratio::ZERO }
    }

    /// Every tick of a number, from the first one on; `None` if the number is not positive or the
    /// result counts too far.
    pub fn slower(self, factor: i64) -> Option<Clock> {
        let factor = Ratio::new(factor, 1).filter(|_| factor > 0)?;
        Clock { interval: self.interval.times(factor)?, ..self }.counting()
    }

    /// So many times faster, from the same first tick on; `None` as for [`Clock::slower`].
    pub fn faster(self, factor: i64) -> Option<Clock> {
        let factor = Ratio::new(1, factor).filter(|_| factor > 0)?;
        Clock { interval: self.interval.times(factor)?, ..self }.counting()
    }

    /// Later by `counter / resolution` of the time between two ticks; `None` if the resolution is
    /// not positive or the result counts too far.
    pub fn shift(self, counter: i64, resolution: i64) -> Option<Clock> {
        let shift = match counter {
            _ if resolution <= 0 => return None,
            0 => Ratio::ZERO,
            _ => self.interval.times(Ratio::new(counter, resolution)?)?,
        };
        let phase = if shift == Ratio::ZERO { self.phase } else { self.phase.plus(shift)? };
        Clock { phase, ..self }.counting()
    }

    /// The clock, unless its ticks would be counted by too small parts of the base clock.
    fn counting(self) -> Option<Clock> {
        (self.denominator()? <= Ratio::MOST).then_some(self)
    }

    /// The least common denominator of interval and phase.
    fn denominator(&self) -> Option<i64> {
        let [a, b] = [self.interval, self.phase].map(|ratio| ratio.denominator);
        a.checked_mul(b / common_divisor(a, b)?)
    }

    /// Whether both count fractions of the same base clock.
    fn has_base_of(&self, other: &Clock) -> bool {
        let base = |of: &Clock| [of.start, of.period[0], of.period[1]].map(Ex::id);
        base(self) == base(other)
    }

    /// How many times slower the clock is than another one; `number` gives the value of a period,
    /// if it is known.
    pub fn times_slower_than(
        &self,
        other: &Clock,
        number: impl Fn(Ex) -> Option<f64>,
    ) -> Option<f64> {
        if self.has_base_of(other) {
            let of = |a: Ratio, b: Ratio| a.numerator as f64 * b.denominator as f64;
            return Some(of(self.interval, other.interval) / of(other.interval, self.interval));
        }
        Some(number(self.interval())? / number(other.interval())?)
    }

    /// The time between two ticks in s.
    pub fn interval(&self) -> Ex {
        let Ratio { numerator, denominator } = self.interval;
        self.scaled(fraction(Ex::constant(numerator as f64), denominator))
    }

    /// The instant of a tick in s.
    pub fn instant(&self, tick: Ex) -> Ex {
        self.start + self.scaled(self.position(tick))
    }

    /// So many periods of the base clock in s.
    fn scaled(&self, count: Ex) -> Ex {
        let [dividend, divisor] = self.period;
        let product = count * dividend;
        if divisor.constant_value() == Some(1.0) { product } else { product / divisor }
    }

    /// The position of a tick on the base clock.
    fn position(&self, tick: Ex) -> Ex {
        let (interval, phase) = (self.interval, self.phase);
        if (interval, phase) == (Ratio::ONE, Ratio::ZERO) {
            return tick;
        }
        // Over the common denominator, the numbers are whole, and equal ones are equal fractions.
        let denominator = self.denominator().expect("a clock counts by parts that are known");
        let step = interval.numerator * (denominator / interval.denominator);
        let first = phase.numerator * (denominator / phase.denominator);
        fraction(tick * step as f64 + first as f64, denominator)
    }

    /// The number of the last tick up to a time, as far as it can be computed without a comparison
    /// of instants.
    fn last(&self, time: Ex) -> Ex {
        let [dividend, divisor] = self.period;
        let elapsed = time - self.start;
        let count = if divisor.constant_value() == Some(1.0) {
            elapsed / dividend
        } else {
            elapsed * divisor / dividend
        };
        if (self.interval, self.phase) == (Ratio::ONE, Ratio::ZERO) {
            return count.floor();
        }
        let real = |ratio: Ratio| ratio.numerator as f64 / ratio.denominator as f64;
        ((count - real(self.phase)) / real(self.interval)).floor()
    }
}

/// A whole number over another one: the whole part is exact, and equal fractions have equal bits.
fn fraction(numerator: Ex, denominator: i64) -> Ex {
    if denominator == 1 {
        return numerator;
    }
    let denominator = denominator as f64;
    let whole = (numerator / denominator).floor();
    whole + (numerator - whole * denominator) / denominator
}

/// The number of intervals of a clock between which time can distinguish until the end of an
/// experiment, with room for instants between two ticks.
const MOST_INTERVALS: f64 = (1_u64 << 40) as f64;

/// The ticks of a clock in the equations of a model.
#[derive(Clone, Copy, Debug)]
pub struct Ticks {
    /// True in the event iteration of a tick.
    pub tick: Bool,
    /// The number of the next tick; in the event iteration of a tick, `pre` is its own number.
    pub number: DiscreteVariable,
}

impl Model {
    /// True in the event iterations at the instants `start + i * interval` in s, with
    /// `i = 0, 1, ..`, as Modelica's `sample`; the first one is the first of these instants that is
    /// not before the start of the simulation. `start` and `interval` must depend on parameters
    /// only, and neither may change during the simulation. The end of
    /// the default experiment must not be 2^40 intervals away.
    pub fn sample(&mut self, name: &str, start: impl Into<Ex>, interval: impl Into<Ex>) -> Bool {
        let (start, interval) = (start.into(), interval.into());
        self.sample_from(name, [start, interval], [start, interval])
    }

    /// Does the same with a start and an interval that initialization determines: `first` are their
    /// values during initialization, and `later` their values at the last event.
    pub fn sample_from(&mut self, name: &str, first: [Ex; 2], later: [Ex; 2]) -> Bool {
        let [first, later] = [first, later].map(|[start, period]| Clock::periodic(start, period));
        self.count(name, first, later).tick
    }

    /// The ticks of a clock, whose start and period depend on parameters only, and neither of which
    /// may change during the simulation. Equal clocks have the same ticks, under the name that was
    /// given first.
    pub fn ticks(&mut self, name: &str, clock: Clock) -> Ticks {
        if let Some((_, ticks)) = self.ticks.iter().find(|(known, _)| *known == clock) {
            return *ticks;
        }
        let ticks = self.count(name, clock, clock);
        self.ticks.push((clock, ticks));
        ticks
    }

    /// Counts the ticks of a clock, which is `first` during initialization and `later` afterwards.
    fn count(&mut self, name: &str, first: Clock, later: Clock) -> Ticks {
        let number = self.memory(name, 0.0);
        let due = self.time_relation(name, later.instant(number.pre()));
        self.due.push(due);
        self.intervals.push((name.to_owned(), first.interval()));
        let tick = due & !self.initial();
        // The last instant up to now, which is the present one or has passed.
        let passed = first.last(self.time());
        let distance = self.time() - first.instant(passed);
        let is_now = distance.le(self.time().abs() * (4.0 * f64::EPSILON));
        let first = select(is_now, passed, passed + 1.0).max(0.0);
        // An importer may move the time beyond several ticks; they are one then.
        let behind = (later.last(self.time()) + 1.0).max(number.pre() + 1.0);
        let next = select(tick, behind, number.pre());
        self.update(number, select(self.initial(), first, next));
        Ticks { tick, number }
    }

    /// Refuses clocks with intervals that are not positive, or that time does not resolve at the
    /// end of the default experiment.
    pub(crate) fn complete_clocks(&mut self) {
        let Experiment { start_time, stop_time, .. } = self.experiment;
        let least = start_time.abs().max(stop_time.abs()) / MOST_INTERVALS;
        for (name, interval) in self.intervals.clone() {
            if interval.constant_value().is_none() && !self.follows_from_parameters(interval) {
                continue;
            }
            let of = self.parameters_of(interval);
            let of: Vec<&str> = of.iter().map(String::as_str).collect();
            let sentence = format!(
                "the time between two ticks of {name} must be larger than {least:.1e} s, the \
                 resolution of time in the default experiment"
            );
            self.require(&of, interval.gt(least), &sentence);
        }
    }

    /// The time in s at which the simulation begins.
    pub fn begin(&mut self) -> Ex {
        *self.begin.get_or_insert_with(|| {
            let number = self.calculated.len() as u32;
            self.calculated.push(("the start of the simulation".to_owned(), Ex::leaf(Leaf::Time)));
            Ex::leaf(Leaf::Calculated(number))
        })
    }

    /// Whether any clock ticks.
    pub fn has_ticks(&self) -> bool {
        !self.due.is_empty()
    }

    /// Values in the event iterations in which no clock ticks, after the start.
    pub fn between_ticks(&self, values: &[Ex]) -> Vec<Ex> {
        self.with_false(values, self.due.iter().copied().chain([self.initial()]))
    }

    /// Values after the start.
    pub fn after_start(&self, values: &[Ex]) -> Vec<Ex> {
        self.with_false(values, [self.initial()])
    }

    fn with_false(&self, values: &[Ex], truths: impl IntoIterator<Item = Bool>) -> Vec<Ex> {
        let never = Bool::constant(false).id();
        let by: Vec<_> = truths.into_iter().map(|truth| (truth.id(), never)).collect();
        let ids: Vec<_> = values.iter().map(|value| value.id()).collect();
        substitute_ids(&ids, &by).into_iter().map(Ex::from_id).collect()
    }
}
