//! Clocks, and blocks that sample, hold and pass on signals with clocks.
//!
//! Connected signals have the same clock. Samplers read the value before a tick; all other blocks
//! read the value of the tick, in the order of the data.

use super::periodic::Held;
use crate::signals::interfaces::block;
use equations::{Bool, Clock, Ex, select};
use mechanics::declaration::{choice, group, prelude::*};
use mechanics::statements::contributions::clocks::Derivation;
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// A source of a clock.
    pub struct ClockSource(clock_source) {}
    variables {
        /// The clock: true in the event iteration of a tick
        y: Boolean,
    }
}

/// Defines the output of a clock.
fn give_ticks(c: &mut Contribution<'_>) {
    c.boolean_output("y", |e| Ok(e.ticks()?.1.tick));
}

component! {
    /// Periodic clock.
    ///
    /// # Equations
    /// `y` ticks at `i period` after the start of the simulation, with `i = 0, 1, ..`
    ///
    /// # Events
    /// A time event at each tick.
    pub struct PeriodicRealClock = "Modelica.Clocked.ClockSignals.Clocks.PeriodicRealClock" {
        /// Time between two ticks
        period: Real["s", > 0, fixed],
        ..clock_source,
    }
}

impl Component for PeriodicRealClock {
    fn contribute(p: PeriodicRealClockParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let begin = c.model().begin();
        c.give_clock(Clock::periodic(begin, p.period));
        give_ticks(c);
        Ok(())
    }
}

choice! {
    /// Unit in which the period of a clock is counted.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[allow(non_camel_case_types, reason = "the names are those of Modelica")]
    pub enum Resolution {
        /// Years of 365 days.
        y,
        /// Days.
        d,
        /// Hours.
        h,
        /// Minutes.
        m,
        /// Seconds.
        s,
        /// Milliseconds.
        #[default]
        ms,
        /// Microseconds.
        us,
        /// Nanoseconds.
        ns,
    }
}

component! {
    /// Periodic clock, whose period is a whole number of units.
    ///
    /// # Equations
    /// `y` ticks at `i factor` units of `resolution` after the start of the simulation, with
    /// `i = 0, 1, ..`
    ///
    /// # Events
    /// A time event at each tick.
    pub struct PeriodicExactClock = "Modelica.Clocked.ClockSignals.Clocks.PeriodicExactClock" {
        /// Time between two ticks in units of `resolution`
        factor: Integer["1", >= 1],
        /// Unit
        resolution: Resolution = Resolution::ms,
        ..clock_source,
    }
}

impl Component for PeriodicExactClock {
    fn contribute(p: PeriodicExactClockParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let factor = p.factor as f64;
        let [dividend, divisor] = match p.resolution {
            Resolution::y => [factor * 365.0 * 86_400.0, 1.0],
            Resolution::d => [factor * 86_400.0, 1.0],
            Resolution::h => [factor * 3600.0, 1.0],
            Resolution::m => [factor * 60.0, 1.0],
            Resolution::s => [factor, 1.0],
            Resolution::ms => [factor, 1e3],
            Resolution::us => [factor, 1e6],
            Resolution::ns => [factor, 1e9],
        };
        let begin = c.model().begin();
        c.give_clock(Clock::with_quotient(begin, dividend, divisor));
        give_ticks(c);
        Ok(())
    }
}

/// Declares clocks that follow from another clock.
macro_rules! derived_clocks {
    ($($(#[$($line:tt)*])* $Block:ident = $class:tt { $($parameters:tt)* }: $by:expr;)*) => { $(
        component! {
            $(#[$($line)*])*
            pub struct $Block = $class {
                $($parameters)*
                ..clock_source,
            }
            ports {
                /// The other clock
                u: BooleanInput,
            }
        }

        impl Component for $Block {
            fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
                c.boolean_input("u")?;
                let by: fn(Self::Parameters) -> Derivation = $by;
                c.derive_clock("u", by(p));
                give_ticks(c);
                Ok(())
            }
        }
    )* };
}

derived_clocks! {
    /// Clock that is slower than another one.
    ///
    /// # Equations
    /// `y` ticks at every tick of `u` whose number is a multiple of `factor`.
    SubClock = "Modelica.Clocked.ClockSignals.Sampler.SubSample" {
        /// How many times slower it is
        factor: Integer["1", >= 1],
    }: |p| Derivation::Sub(p.factor);

    /// Clock that is faster than another one.
    ///
    /// # Equations
    /// `y` ticks `factor` times in each interval between two ticks of `u`, first with `u`.
    ///
    /// # Events
    /// A time event at each tick.
    SuperClock = "Modelica.Clocked.ClockSignals.Sampler.SuperSample" {
        /// How many times faster it is
        factor: Integer["1", >= 1],
    }: |p| Derivation::Super(p.factor);

    /// Clock that is later than another one.
    ///
    /// # Equations
    /// `y` ticks after each tick of `u`, by `shiftCounter / resolution` of its interval.
    ///
    /// # Events
    /// A time event at each tick.
    ShiftClock = "Modelica.Clocked.ClockSignals.Sampler.ShiftSample" {
        /// Numerator of the shift
        shift_counter "shiftCounter": Integer["1", >= 0] = 0,
        /// Denominator of the shift
        resolution: Integer["1", >= 1] = 1,
    }: |p| Derivation::Shift(p.shift_counter, p.resolution);
}

group! {
    /// A block whose output has a clock that the block is told.
    pub struct WithClock(with_clock) {}
    ports {
        /// Input signal
        u: Input,
        /// The clock
        clock: BooleanInput,
    }
    variables {
        /// Signal
        y: Real,
    }
}

/// Defines the output, which changes at the ticks of the block to the value of a law. `start` is
/// the value before the first tick.
pub(super) fn clocked_output(
    c: &mut Contribution<'_>,
    start: Ex,
    law: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
) {
    let y = Held::new(c, "y");
    c.signal("y", move |e| {
        let tick = e.ticks()?.1.tick;
        let value = law(e)?;
        Ok(begin_with(e, y, start, tick, value))
    });
}

/// Changes a value at ticks; returns it.
pub(super) fn begin_with(
    e: &mut SignalView<'_>,
    held: Held,
    start: Ex,
    tick: Bool,
    value: Ex,
) -> Ex {
    let initial = e.model().initial();
    held.set(e, tick | initial, select(initial, start, value))
}

/// Defines the output as the value of the input before each tick.
fn sample(c: &mut Contribution<'_>) -> Result<(), Error> {
    let u = c.input("u")?;
    c.leave_clock("u");
    clocked_output(c, Ex::zero(), move |e| {
        let u = e.read(u)?;
        Ok(e.model().left_limit(u))
    });
    Ok(())
}

component! {
    /// Sampler of a signal without a clock, whose clock follows from connections.
    ///
    /// # Equations
    /// At each tick, `y` is the value of `u` before the tick.
    pub struct Sample = "Modelica.Clocked.RealSignals.Sampler.Sample" { ..block }
}

impl Component for Sample {
    fn contribute(_: SampleParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        sample(c)
    }
}

component! {
    /// Sampler of a signal without a clock, at the ticks of a clock.
    ///
    /// # Equations
    /// At each tick of `clock`, `y` is the value of `u` before the tick.
    pub struct SampleClocked = "Modelica.Clocked.RealSignals.Sampler.SampleClocked" {
        ..with_clock,
    }
}

impl Component for SampleClocked {
    fn contribute(_: SampleClockedParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.boolean_input("clock")?;
        sample(c)
    }
}

component! {
    /// Clock for a signal.
    ///
    /// # Equations
    /// `y = u` at each tick of `clock`, which is the clock of both.
    pub struct AssignClock = "Modelica.Clocked.RealSignals.Sampler.AssignClock" { ..with_clock }
}

impl Component for AssignClock {
    fn contribute(_: AssignClockParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.boolean_input("clock")?;
        pass_on(c)
    }
}

/// Defines the output as the input of the present tick.
fn pass_on(c: &mut Contribution<'_>) -> Result<(), Error> {
    let u = c.input("u")?;
    clocked_output(c, Ex::zero(), move |e| e.read(u));
    Ok(())
}

component! {
    /// Hold of a signal with a clock.
    ///
    /// # Equations
    /// `y = u` from each tick on; `y = y_start` before the first one.
    pub struct Hold = "Modelica.Clocked.RealSignals.Sampler.Hold" {
        /// Output before the first tick
        y_start: Real = 0,
        ..block,
    }
}

impl Component for Hold {
    fn contribute(p: HoldParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.input("u")?;
        c.leave_clock("y");
        clocked_output(c, p.y_start, move |e| e.read(u));
        Ok(())
    }
}

component! {
    /// Signal with a slower clock.
    ///
    /// # Equations
    /// `y = u` at every tick of `u` whose number is a multiple of `factor`. With `inferFactor`, the
    /// clock of `y` follows from what it is connected to.
    pub struct SubSample = "Modelica.Clocked.RealSignals.Sampler.SubSample" {
        /// Whether the clock of `y` follows from connections
        infer_factor "inferFactor": bool = true,
        /// How many times slower it is
        factor: Integer["1", >= 1] = 1,
        ..block,
    }
}

impl Component for SubSample {
    fn contribute(p: SubSampleParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let by = Derivation::Sub(p.factor);
        c.derive_clock("u", if p.infer_factor { Derivation::AnySub } else { by });
        pass_on(c)
    }
}

component! {
    /// Signal with a faster clock.
    ///
    /// # Equations
    /// `y` is the last value of `u` at each of its ticks, which are `factor` in each interval
    /// between two ticks of `u`. With `inferFactor`, the clock of `y` follows from what it is
    /// connected to.
    pub struct SuperSample = "Modelica.Clocked.RealSignals.Sampler.SuperSample" {
        /// Whether the clock of `y` follows from connections
        infer_factor "inferFactor": bool = true,
        /// How many times faster it is
        factor: Integer["1", >= 1] = 1,
        ..block,
    }
}

impl Component for SuperSample {
    fn contribute(p: SuperSampleParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let by = Derivation::Super(p.factor);
        c.derive_clock("u", if p.infer_factor { Derivation::AnySuper } else { by });
        pass_on(c)
    }
}

component! {
    /// Signal with a later clock.
    ///
    /// # Equations
    /// `y` is the last value of `u` at each of its ticks, which follow those of `u` after
    /// `shiftCounter / resolution` of an interval.
    pub struct ShiftSample = "Modelica.Clocked.RealSignals.Sampler.ShiftSample" {
        /// Numerator of the shift
        shift_counter "shiftCounter": Integer["1", >= 0] = 0,
        /// Denominator of the shift
        resolution: Integer["1", >= 1] = 1,
        ..block,
    }
}

impl Component for ShiftSample {
    fn contribute(p: ShiftSampleParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.derive_clock("u", Derivation::Shift(p.shift_counter, p.resolution));
        pass_on(c)
    }
}

group! {
    /// A controller with a state `x` and the gain of a sum.
    pub struct ClockedPi(clocked_pi) {
        /// State before the first tick
        x: Start = fixed(0),
    }
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// State
        x: Real,
        /// Signal
        y: Real,
    }
}

/// Defines state and output of a controller; the state grows by `u` times `growth` at a tick.
fn pi(
    c: &mut Contribution<'_>,
    (gain, of): (Ex, ClockedPi),
    growth: impl FnOnce(Ex) -> Ex + 'static,
) -> Result<(), Error> {
    let u = c.input("u")?;
    let x = Held::starting(c, "x", of.x.value);
    clocked_output(c, Ex::zero(), move |e| {
        let (clock, ticks) = e.ticks()?;
        let u = e.read(u)?;
        let x = x.set(e, ticks.tick, x.pre() + u * growth(clock.interval()));
        Ok(gain * (x + u))
    });
    Ok(())
}

component! {
    /// PI controller with the parameters of one in continuous time.
    ///
    /// # Equations
    /// At each tick, `x = previous(x) + u Ts / T`, `y = k (x + u)`, with the time `Ts` between two
    /// ticks.
    pub struct NonPeriodicPI = "Modelica.Clocked.RealSignals.NonPeriodic.PI" {
        /// Gain
        k: Real,
        /// Time constant
        T: Real["s", > 0],
        ..of: clocked_pi,
    }
}

impl Component for NonPeriodicPI {
    fn contribute(p: NonPeriodicPIParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pi(c, (p.k, p.of), move |interval| interval / p.T)
    }
}

component! {
    /// PI controller with parameters for one period.
    ///
    /// # Equations
    /// At each tick, `x = previous(x) + u / Td`, `y = kd (x + u)`.
    pub struct PeriodicPI = "Modelica.Clocked.RealSignals.Periodic.PI" {
        /// Gain
        kd: Real,
        /// Time constant in periods
        Td: Real["1", > 0],
        ..of: clocked_pi,
    }
}

impl Component for PeriodicPI {
    fn contribute(p: PeriodicPIParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pi(c, (p.kd, p.of), move |_| 1.0 / p.Td)
    }
}
