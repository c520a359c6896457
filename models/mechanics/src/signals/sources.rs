//! Sources of one shape: constant, step, ramp, sine.

use super::{ANY, NOT_NEGATIVE, SourcePorts, from_instant, give, offset, setting, start_time};
use crate::component::OldComponent;
use crate::declaration::prelude::*;
use crate::setters;
use equations::select;

component! {
    /// Sine signal.
    ///
    /// # Equations
    /// `y = offset + (0 before startTime, else amplitude sin(2 pi f (time - startTime) + phase))`.
    ///
    /// # Events
    /// A time event at `startTime`.
    pub struct Sine = "Modelica.Blocks.Sources.Sine" {
        /// Amplitude of the sine
        amplitude: Real,
        /// Frequency of the sine
        f: Real["Hz"],
        /// Phase of the sine
        phase: Real["rad"] = 0,
        /// Offset of the signal
        offset: Real = 0,
        /// The signal is the offset before this time
        start_time "startTime": Real["s"] = 0,
    }
    variables {
        /// Signal
        y: Real,
    }
}

impl Component for Sine {
    fn contribute(p: SineParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        give(c, "y", move |e| {
            let on = e.from(p.start_time);
            let t = e.time() - p.start_time;
            let sine = (p.f * t * std::f64::consts::TAU + p.phase).sin();
            Ok(p.offset + select(on, p.amplitude * sine, 0.0))
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

impl OldComponent for Step {
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

impl OldComponent for Ramp {
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

impl OldComponent for Constant {
    type Ports = SourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k = setting(c, "k", self.k, ANY, None, "Constant output value")?.tunable().done();
        give(c, "y", move |_| Ok(k));
        Ok(())
    }
}
