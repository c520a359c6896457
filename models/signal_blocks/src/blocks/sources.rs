//! Further sources of signals of type Real.

use crate::signals::interfaces::{SignalSource, from_instant, signal_source};
use crate::signals::periodic::{Periods, periods};
use equations::select;
use mechanics::declaration::prelude::*;
use std::f64::consts::TAU;

component! {
    /// Time since an instant.
    ///
    /// # Equations
    /// `y = offset` before `startTime`, then `y = offset + time - startTime`.
    ///
    /// # Events
    /// A time event at `startTime`.
    pub struct ContinuousClock = "Modelica.Blocks.Sources.ContinuousClock" {
        ..source: signal_source,
    }
}

impl Component for ContinuousClock {
    fn contribute(p: ContinuousClockParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let SignalSource { offset, start_time } = p.source;
        c.output("y", move |e| {
            let on = e.from(start_time);
            Ok(offset + select(on, e.time() - start_time, 0.0))
        });
        Ok(())
    }
}

component! {
    /// Sine divided by its angle.
    ///
    /// # Equations
    /// `y = offset` before `startTime`, or, with `continuous`, `y = offset + amplitude`. Then
    /// `y = offset + amplitude sin(x) / x` with `x = 2 pi f (time - startTime)`.
    ///
    /// # Events
    /// A time event at `startTime`.
    pub struct Sinc = "Modelica.Blocks.Sources.Sinc" {
        /// Largest value above the offset
        amplitude: Real = 1,
        /// Frequency of the sine
        f: Real["Hz"],
        /// Whether the signal has its largest value before it begins
        continuous: bool = false,
        ..source: signal_source,
    }
}

impl Component for Sinc {
    fn contribute(p: SincParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let SincParameters { amplitude, f, continuous, source } = p;
        let SignalSource { offset, start_time } = source;
        c.output("y", move |e| {
            let on = e.from(start_time);
            let x = TAU * f * (e.time() - start_time);
            let sinc = select(x.is_true(), x.sin() / x, 1.0);
            let before = if continuous { 1.0 } else { 0.0 };
            Ok(offset + amplitude * select(on, sinc, before))
        });
        Ok(())
    }
}

component! {
    /// Signal that rises and falls exponentially.
    ///
    /// # Equations
    /// `y = offset` before `startTime`, then, with `t = time - startTime`,
    /// `y = offset + outMax (1 - exp(-t / riseTimeConst))`. From `t = riseTime` on, `y - offset`
    /// decays from its value there with the factor `exp(-(t - riseTime) / fallTimeConst)`.
    ///
    /// # Events
    /// Time events at `startTime` and at the end of the rise.
    pub struct Exponentials = "Modelica.Blocks.Sources.Exponentials" {
        /// Value above the offset after an infinite rise
        out_max "outMax": Real = 1,
        /// Duration of the rise
        rise_time "riseTime": Real["s", >= 0],
        /// Time constant of the rise
        rise_time_const "riseTimeConst": Real["s", > 0] = 0.1,
        /// Time constant of the fall
        fall_time_const "fallTimeConst": Real["s", > 0] = rise_time_const,
        ..source: signal_source,
    }
}

impl Component for Exponentials {
    fn contribute(p: ExponentialsParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let constants = [p.rise_time, p.rise_time_const, p.fall_time_const];
        c.output("y", move |e| Ok(p.source.exponentials(e, p.out_max, constants)));
        Ok(())
    }
}

component! {
    /// Saw tooth signal.
    ///
    /// # Equations
    /// In each period, `y - offset` rises from 0 to `amplitude`.
    ///
    /// # Events
    /// A time event at the beginning of every period.
    pub struct SawTooth = "Modelica.Blocks.Sources.SawTooth" {
        /// Amplitude of the saw tooth
        amplitude: Real = 1,
        /// Time of one period
        period: Real["s", > 0, fixed],
        ..periods: periods,
    }
}

impl Component for SawTooth {
    fn contribute(p: SawToothParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.output("y", move |e| Ok(p.periods.saw_tooth(e, p.amplitude, p.period)));
        Ok(())
    }
}

component! {
    /// Frequency that sweeps a range, with the same time for each octave.
    ///
    /// # Equations
    /// `y = wMin` before `startTime`, then
    /// `y = wMin (wMax / wMin)^((time - startTime) / duration)`, and from `startTime + duration` on
    /// `y = wMax`.
    ///
    /// # Events
    /// Time events at `startTime` and at the end of the sweep.
    pub struct LogFrequencySweep = "Modelica.Blocks.Sources.LogFrequencySweep" {
        /// First frequency
        w_min "wMin": Real[> 0],
        /// Last frequency
        w_max "wMax": Real[> 0],
        /// Start time of the sweep
        start_time "startTime": Real["s"] = 0,
        /// Duration of the sweep
        duration: Real["s", >= 0],
    }
    variables {
        /// Signal
        y: Real,
    }
}

impl Component for LogFrequencySweep {
    fn contribute(p: LogFrequencySweepParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let LogFrequencySweepParameters { w_min, w_max, start_time, duration } = p;
        c.output("y", move |e| {
            let on = e.from(start_time);
            let over = from_instant(e, "endTime", start_time + duration);
            let part = (e.time() - start_time) / duration;
            let swept = w_min * (part * (w_max / w_min).ln()).exp();
            Ok(select(over, w_max, select(on, swept, w_min)))
        });
        Ok(())
    }
}
