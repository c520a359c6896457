//! Periodic sources: pulses and trapezoids.
//!
//! A counter of the periods begun is incremented at the time event of each period. All instants
//! within a period are computed from it by one multiplication, so errors do not accumulate, even in
//! a long simulation.

use super::interfaces::from_instant;
use equations::{Bool, select, select_bool};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// A periodic signal. The counter is valid for one start time and one length of the period, so
    /// neither may change during the simulation.
    pub struct Periods(periods) {
        /// Number of periods; -1 means an unlimited number
        nperiod: Integer["1", >= -1] = -1,
        /// Offset of the signal
        offset: Real = 0,
        /// Start time; before it, the signal is the offset
        start_time "startTime": Real["s", fixed] = 0,
    }
    variables {
        /// Signal
        y: Real,
        /// Number of the present period, counted from 0, or -1 before the first one
        count: Real["1"],
    }
}

impl Periods {
    /// The signal; the law computes the value above the offset while a period runs.
    fn signal(
        self,
        e: &mut SignalView<'_>,
        length: Ex,
        law: impl FnOnce(&mut SignalView<'_>, &Period) -> Ex,
    ) -> Ex {
        let Periods { nperiod, offset, start_time } = self;
        let periods = if nperiod < 0 { f64::INFINITY } else { nperiod as f64 };
        let period = Period::begin(e, start_time, length, periods);
        let above = law(e, &period);
        offset + select(period.running, above, 0.0)
    }

    /// A value during the first `width` percent of each period.
    pub fn pulse(self, e: &mut SignalView<'_>, amplitude: Ex, [period, width]: [Ex; 2]) -> Ex {
        self.signal(e, period, move |e, period| {
            select(period.passed(e, "endOfPulse", width / 100.0), 0.0, amplitude)
        })
    }

    /// A rise from zero in each period.
    pub fn saw_tooth(self, e: &mut SignalView<'_>, amplitude: Ex, period: Ex) -> Ex {
        self.signal(e, period, move |_, period| amplitude * period.elapsed / period.length)
    }

    /// A rise, a constant value and a fall in each period.
    pub fn trapezoid(
        self,
        e: &mut SignalView<'_>,
        amplitude: Ex,
        [period, rising, width, falling]: [Ex; 4],
    ) -> Ex {
        self.signal(e, period, move |e, period| {
            let length = period.length;
            let risen = period.passed(e, "endOfRise", rising / length);
            let top = period.passed(e, "endOfAmplitude", (rising + width) / length);
            let fallen = period.passed(e, "endOfFall", (rising + width + falling) / length);
            let t = period.elapsed;
            let rise = amplitude * t / rising;
            let fall = amplitude * (rising + width + falling - t) / falling;
            let edge = select(risen, select(top, fall, amplitude), rise);
            select(fallen, 0.0, edge)
        })
    }
}

/// The present period.
pub(crate) struct Period {
    start_time: Ex,
    length: Ex,
    /// The number of periods begun; during an event iteration, that of the previous pass.
    begun: Ex,
    /// True in the pass of the event iteration in which a period begins.
    begins: Bool,
    /// Whether a period was running before the event iteration.
    ran: Bool,
    /// Whether a period is running now.
    pub(crate) running: Bool,
    /// True while initial values are determined.
    initial: Bool,
    /// Time since the period began, in s.
    elapsed: Ex,
}

impl Period {
    pub(crate) fn begin(
        e: &mut SignalView<'_>,
        start_time: Ex,
        length: Ex,
        periods: f64,
    ) -> Period {
        let name = e.full("count");
        // The number of the present period, counted from 0. An Integer of FMI ends at 2^31 - 1, a
        // few years of short periods.
        let count = e.model().discrete(&name, -1.0).done();
        let begun = count.pre() + 1.0;
        let next = select(begun.le(periods), start_time + begun * length, f64::INFINITY);
        let begins = from_instant(e, "nextPeriod", next);
        // A simulation may begin long after the first period.
        let until_now = ((e.time() - start_time) / length).floor() + 1.0;
        let number = select(begins, until_now.max(begun + 1.0), begun) - 1.0;
        e.model().update(count, number);
        // While initial values are determined, the counter has not yet been set.
        let initial = e.model().initial();
        let now = select(initial, until_now, begun + begins.as_ex());
        let running = |count: Ex| count.ge(1.0) & count.le(periods);
        let elapsed = e.time() - (start_time + (now - 1.0) * length);
        let (ran, running) = (running(begun), running(now));
        Period { start_time, length, begun, begins, ran, running, initial, elapsed }
    }

    /// True from a fraction of the period until its end.
    pub(crate) fn passed(&self, e: &mut SignalView<'_>, local: &str, fraction: Ex) -> Bool {
        // For the fraction 1, the instant is the same number as that of the next period.
        let instant = self.start_time + (self.begun - 1.0 + fraction) * self.length;
        let passed = from_instant(e, local, select(self.ran, instant, f64::INFINITY));
        let passed = select_bool(self.begins, fraction.le(0.0), passed);
        select_bool(self.initial, self.elapsed.ge(fraction * self.length), passed)
    }
}

component! {
    /// Pulse signal.
    ///
    /// # Equations
    /// `y = offset + amplitude` during the first `width` percent of each period, and `y = offset`
    /// otherwise. The first period begins at `startTime`.
    ///
    /// # Events
    /// Time events at the beginning of every period and at the end of every pulse.
    pub struct Pulse = "Modelica.Blocks.Sources.Pulse" {
        /// Amplitude of the pulse
        amplitude: Real = 1,
        /// Width of the pulse in percent of the period
        width: Real["%", 0..=100, fixed] = 50,
        /// Time of one period
        period: Real["s", > 0, fixed],
        ..periods: periods,
    }
}

impl Component for Pulse {
    fn contribute(p: PulseParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.output("y", move |e| Ok(p.periods.pulse(e, p.amplitude, [p.period, p.width])));
        Ok(())
    }
}

component! {
    /// Trapezoidal signal.
    ///
    /// # Equations
    /// In each period, `y - offset` rises to `amplitude` during `rising`, stays there during
    /// `width`, falls to 0 during `falling`, and is 0 until the period ends. If these durations
    /// exceed the period, the rest is cut off.
    ///
    /// # Events
    /// Time events at the beginning of every period, and at the end of the rise, of the constant
    /// part and of the fall.
    pub struct Trapezoid = "Modelica.Blocks.Sources.Trapezoid" {
        /// Amplitude of the trapezoid
        amplitude: Real = 1,
        /// Time of one period
        period: Real["s", > 0, fixed],
        /// Duration of the rise
        rising: Real["s", >= 0, fixed] = 0,
        /// Duration of the constant part
        width: Real["s", >= 0, fixed] = 0.5,
        /// Duration of the fall
        falling: Real["s", >= 0, fixed] = 0,
        ..periods: periods,
    }
}

impl Component for Trapezoid {
    fn contribute(p: TrapezoidParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let times = [p.period, p.rising, p.width, p.falling];
        c.output("y", move |e| Ok(p.periods.trapezoid(e, p.amplitude, times)));
        Ok(())
    }
}
