//! Sources of one shape: constant, step, ramp, sine.

use super::{ANY, NOT_NEGATIVE, SourcePorts, from_instant, give, offset, setting, start_time};
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::setters;
use equations::select;

/// Sine signal.
///
/// # Equations
/// `y = offset + (0 before startTime, else amplitude sin(2 pi f (time - startTime) + phase))`.
///
/// # Variables
/// `amplitude`, `offset` in the unit of the signal, `f` in Hz, `phase` in rad, `startTime` in s.
///
/// # Events
/// A time event at `startTime`.
///
/// # Reference
/// Modelica.Blocks.Sources.Sine.
#[derive(Clone, Debug)]
pub struct Sine {
    amplitude: f64,
    f: f64,
    phase: f64,
    offset: f64,
    start_time: f64,
}

impl Sine {
    /// With amplitude and frequency `f` in Hz.
    pub fn amplitude_f(amplitude: f64, f: f64) -> Self {
        Sine { amplitude, f, phase: 0.0, offset: 0.0, start_time: 0.0 }
    }
}

setters! {
    impl Sine {
        /// Phase in rad.
        phase: f64,
        /// Offset of the signal.
        offset: f64,
        /// Time in s from which the sine is added.
        start_time: f64,
    }
}

impl Component for Sine {
    type Ports = SourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Amplitude of the sine";
        let amplitude = setting(c, "amplitude", self.amplitude, ANY, None, text)?.tunable().done();
        let text = "Frequency of the sine";
        let f = setting(c, "f", self.f, ANY, Some("Hz"), text)?.tunable().done();
        let text = "Phase of the sine";
        let phase = setting(c, "phase", self.phase, ANY, Some("rad"), text)?.tunable().done();
        let offset = offset(c, self.offset)?.tunable().done();
        let start_time = start_time(c, self.start_time)?.tunable().done();
        give(c, "y", move |e| {
            let on = e.from(start_time);
            let t = e.time() - start_time;
            let sine = (f * t * std::f64::consts::TAU + phase).sin();
            Ok(offset + select(on, amplitude * sine, 0.0))
        });
        Ok(())
    }
}

/// Step signal.
///
/// # Equations
/// `y = offset + (0 before startTime, else height)`.
///
/// # Variables
/// `height`, `offset` in the unit of the signal, `startTime` in s.
///
/// # Events
/// A time event at `startTime`.
///
/// # Reference
/// Modelica.Blocks.Sources.Step.
#[derive(Clone, Debug)]
pub struct Step {
    height: f64,
    offset: f64,
    start_time: f64,
}

impl Step {
    /// Of a height, at time zero.
    pub fn height(height: f64) -> Self {
        Step { height, offset: 0.0, start_time: 0.0 }
    }
}

setters! {
    impl Step {
        /// Offset of the signal.
        offset: f64,
        /// Time of the step in s.
        start_time: f64,
    }
}

impl Component for Step {
    type Ports = SourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Height of the step";
        let height = setting(c, "height", self.height, ANY, None, text)?.tunable().done();
        let offset = offset(c, self.offset)?.tunable().done();
        let start_time = start_time(c, self.start_time)?.tunable().done();
        give(c, "y", move |e| {
            let on = e.from(start_time);
            Ok(offset + select(on, height, 0.0))
        });
        Ok(())
    }
}

/// Ramp signal.
///
/// # Equations
/// `y = offset + (0 before startTime, then height (time - startTime) / duration, from startTime +
/// duration on height)`.
///
/// # Variables
/// `height`, `offset` in the unit of the signal, `duration`, `startTime` in s. With `duration = 0`
/// it is a step.
///
/// # Events
/// Time events at `startTime` and at its end.
///
/// # Reference
/// Modelica.Blocks.Sources.Ramp.
#[derive(Clone, Debug)]
pub struct Ramp {
    height: f64,
    duration: f64,
    offset: f64,
    start_time: f64,
}

impl Ramp {
    /// Of a height, reached after a duration in s, beginning at time zero.
    pub fn height_duration(height: f64, duration: f64) -> Self {
        Ramp { height, duration, offset: 0.0, start_time: 0.0 }
    }
}

setters! {
    impl Ramp {
        /// Offset of the signal.
        offset: f64,
        /// Time in s at which it begins to rise.
        start_time: f64,
    }
}

impl Component for Ramp {
    type Ports = SourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Height of the ramp";
        let height = setting(c, "height", self.height, ANY, None, text)?.tunable().done();
        let text = "Duration of the ramp";
        let duration = setting(c, "duration", self.duration, NOT_NEGATIVE, Some("s"), text)?;
        let duration = duration.tunable().done();
        let offset = offset(c, self.offset)?.tunable().done();
        let start_time = start_time(c, self.start_time)?.tunable().done();
        give(c, "y", move |e| {
            let on = e.from(start_time);
            let over = from_instant(e, "endTime", start_time + duration);
            let rising = height * (e.time() - start_time) / duration;
            Ok(offset + select(over, height, select(on, rising, 0.0)))
        });
        Ok(())
    }
}

/// Constant signal.
///
/// # Equations
/// `y = k`.
///
/// # Variables
/// `k` in the unit of the signal.
///
/// # Reference
/// Modelica.Blocks.Sources.Constant.
#[derive(Clone, Debug)]
pub struct Constant {
    k: f64,
}

impl Constant {
    /// Of the value `k`.
    pub fn k(k: f64) -> Self {
        Constant { k }
    }
}

impl Component for Constant {
    type Ports = SourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k = setting(c, "k", self.k, ANY, None, "Constant output value")?.tunable().done();
        give(c, "y", move |_| Ok(k));
        Ok(())
    }
}
