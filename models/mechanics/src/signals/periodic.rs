//! Sources that repeat: pulses and trapezoids.
//!
//! A counter of the periods begun is updated at each of their time events, and all instants within
//! a period follow from it by one multiplication: nothing accumulates, however long a simulation
//! is.

use super::{
    ANY, NOT_NEGATIVE, POSITIVE, SourcePorts, from_instant, give, offset, setting, start_time,
};
use crate::compile::evaluation::Evaluation;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::setters;
use equations::{Bool, Ex, Limits, select, select_bool};

/// What the periodic sources have in common.
#[derive(Clone, Copy, Debug)]
struct Periodic {
    period: f64,
    nperiod: Option<u32>,
    offset: f64,
    start_time: f64,
}

impl Periodic {
    fn of(period: f64) -> Periodic {
        Periodic { period, nperiod: None, offset: 0.0, start_time: 0.0 }
    }

    /// Declares the parameters; the law gives the signal above the offset while a period runs.
    fn contribute(
        self,
        c: &mut Contribution<'_>,
        law: impl FnOnce(&mut Evaluation<'_>, &Period) -> Ex + 'static,
    ) -> Result<(), Error> {
        // The counter belongs to one beginning and one length, so neither can change on the way.
        let text = "Time of one period";
        let length = setting(c, "period", self.period, POSITIVE, Some("s"), text)?.done();
        let text = "Number of periods; -1 means an unlimited number";
        c.constant("nperiod", self.nperiod.map_or(-1.0, f64::from), "1", text);
        let offset = offset(c, self.offset)?.tunable().done();
        let start_time = start_time(c, self.start_time)?.done();
        let periods = self.nperiod.map_or(f64::INFINITY, f64::from);
        give(c, "y", move |e| {
            let period = Period::begin(e, start_time, length, periods);
            let above = law(e, &period);
            Ok(offset + select(period.running, above, 0.0))
        });
        Ok(())
    }
}

/// The present period.
struct Period {
    start_time: Ex,
    length: Ex,
    /// The number of periods begun; in an event iteration those of the iteration before.
    begun: Ex,
    /// True in the event iteration in which a period begins.
    begins: Bool,
    /// Whether a period was running before the event iteration.
    ran: Bool,
    /// Whether one is running now.
    running: Bool,
    /// True while initial values are determined.
    initial: Bool,
    /// Time since the period began, in s.
    elapsed: Ex,
}

impl Period {
    fn begin(e: &mut Evaluation<'_>, start_time: Ex, length: Ex, periods: f64) -> Period {
        let name = e.full("count");
        let count = e.model().discrete(&name, 0.0).integer().describe("Number of periods begun");
        let count = count.done();
        let begun = count.pre();
        let next = select(begun.le(periods), start_time + begun * length, f64::INFINITY);
        let begins = from_instant(e, "nextPeriod", next);
        // A simulation may begin long after the first period.
        let until_now = ((e.time() - start_time) / length).floor() + 1.0;
        e.model().update(count, select(begins, until_now.max(begun + 1.0), begun));
        // While initial values are determined the counter has not counted yet.
        let initial = e.model().initial();
        let now = select(initial, until_now, begun + begins.as_ex());
        let running = |count: Ex| count.ge(1.0) & count.le(periods);
        let elapsed = e.time() - (start_time + (now - 1.0) * length);
        let (ran, running) = (running(begun), running(now));
        Period { start_time, length, begun, begins, ran, running, initial, elapsed }
    }

    /// True from a fraction of the period on until its end.
    fn passed(&self, e: &mut Evaluation<'_>, local: &str, fraction: Ex) -> Bool {
        // The counting of the next period gives the same number for the fraction 1.
        let instant = self.start_time + (self.begun - 1.0 + fraction) * self.length;
        let passed = from_instant(e, local, select(self.ran, instant, f64::INFINITY));
        let passed = select_bool(self.begins, fraction.le(0.0), passed);
        select_bool(self.initial, self.elapsed.ge(fraction * self.length), passed)
    }
}

/// Declares the methods that set what the periodic sources have in common.
macro_rules! periodic_setters {
    ($Component:ident) => {
        impl $Component {
            /// Number of periods; unless given there is no end.
            #[must_use]
            pub fn nperiod(mut self, nperiod: u32) -> Self {
                self.periodic.nperiod = Some(nperiod);
                self
            }

            /// Offset of the signal.
            #[must_use]
            pub fn offset(mut self, offset: f64) -> Self {
                self.periodic.offset = offset;
                self
            }

            /// Time in s at which the first period begins.
            #[must_use]
            pub fn start_time(mut self, start_time: f64) -> Self {
                self.periodic.start_time = start_time;
                self
            }
        }
    };
}

periodic_setters!(Pulse);
periodic_setters!(Trapezoid);

/// Pulse signal.
///
/// # Equations
/// `y = offset + (amplitude in the first width % of each period, else 0)`. Periods follow one
/// another from `startTime` on.
///
/// # Variables
/// `amplitude`, `offset` in the unit of the signal, `width` in % of the period, `period`,
/// `startTime` in s; `nperiod` is the number of periods (-1: no end); `count` is the number of
/// periods begun.
///
/// # Events
/// Time events at the beginning of every period and at the end of every pulse.
///
/// # Reference
/// Modelica.Blocks.Sources.Pulse.
#[derive(Clone, Debug)]
pub struct Pulse {
    amplitude: f64,
    width: f64,
    periodic: Periodic,
}

impl Pulse {
    /// With amplitude and period in s; half of the period is pulse.
    pub fn amplitude_period(amplitude: f64, period: f64) -> Self {
        Pulse { amplitude, width: 50.0, periodic: Periodic::of(period) }
    }
}

setters! {
    impl Pulse {
        /// Width of a pulse in % of the period.
        width: f64,
    }
}

impl OldComponent for Pulse {
    type Ports = SourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Amplitude of the pulse";
        let amplitude = setting(c, "amplitude", self.amplitude, ANY, None, text)?.tunable().done();
        let text = "Width of the pulse in percent of the period";
        let width =
            setting(c, "width", self.width, Limits::between(0.0, 100.0), Some("%"), text)?.done();
        self.periodic.contribute(c, move |e, period| {
            select(period.passed(e, "endOfPulse", width / 100.0), 0.0, amplitude)
        })
    }
}

/// Trapezoidal signal.
///
/// # Equations
/// `y = offset +` in each period: a rise to `amplitude` during `rising`, `amplitude` during
/// `width`, a fall to 0 during `falling`, then 0 until the period ends. What does not fit into the
/// period is cut off.
///
/// # Variables
/// `amplitude`, `offset` in the unit of the signal, `rising`, `width`, `falling`, `period`,
/// `startTime` in s; `nperiod` is the number of periods (-1: no end); `count` is the number of
/// periods begun.
///
/// # Events
/// Time events at the beginning of every period and at the end of rise, amplitude and fall.
///
/// # Reference
/// Modelica.Blocks.Sources.Trapezoid.
#[derive(Clone, Debug)]
pub struct Trapezoid {
    amplitude: f64,
    rising: f64,
    width: f64,
    falling: f64,
    periodic: Periodic,
}

impl Trapezoid {
    /// With amplitude and period in s; the amplitude lasts half a period, rise and fall take no
    /// time.
    pub fn amplitude_period(amplitude: f64, period: f64) -> Self {
        let (rising, width, falling) = (0.0, period / 2.0, 0.0);
        Trapezoid { amplitude, rising, width, falling, periodic: Periodic::of(period) }
    }
}

setters! {
    impl Trapezoid {
        /// Duration of the rise in s.
        rising: f64,
        /// Duration of the amplitude in s.
        width: f64,
        /// Duration of the fall in s.
        falling: f64,
    }
}

impl OldComponent for Trapezoid {
    type Ports = SourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Amplitude of the trapezoid";
        let amplitude = setting(c, "amplitude", self.amplitude, ANY, None, text)?.tunable().done();
        let mut duration = |local: &str, value: f64, text: &str| -> Result<Ex, Error> {
            Ok(setting(c, local, value, NOT_NEGATIVE, Some("s"), text)?.done())
        };
        let rising = duration("rising", self.rising, "Duration of the rise")?;
        let width = duration("width", self.width, "Duration of the amplitude")?;
        let falling = duration("falling", self.falling, "Duration of the fall")?;
        self.periodic.contribute(c, move |e, period| {
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
