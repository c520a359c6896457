//! Simple sources: constant, step, ramp, sine, damped sine.

use super::interfaces::{SignalSource, signal_source};
use mechanics::declaration::prelude::*;

component! {
    /// Sine signal.
    ///
    /// # Equations
    /// `y = offset` before `startTime`, then
    /// `y = offset + amplitude sin(2 pi f (time - startTime) + phase)`. With `continuous`, the
    /// signal has its first value before `startTime` too.
    ///
    /// # Events
    /// A time event at `startTime`.
    pub struct Sine = "Modelica.Blocks.Sources.Sine" {
        /// Amplitude of the sine
        amplitude: Real = 1,
        /// Frequency of the sine
        f: Real["Hz"],
        /// Phase of the sine
        phase: Real["rad"] = 0,
        /// Whether the signal does not jump when it begins
        continuous: bool = false,
        ..source: signal_source,
    }
}

impl Component for Sine {
    fn contribute(p: SineParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let SineParameters { amplitude, f, phase, continuous, source } = p;
        c.output("y", move |e| Ok(source.wave(e, [amplitude, f, phase], continuous, Ex::sin)));
        Ok(())
    }
}

component! {
    /// Cosine signal.
    ///
    /// # Equations
    /// `y = offset` before `startTime`, then
    /// `y = offset + amplitude cos(2 pi f (time - startTime) + phase)`. With `continuous`, the
    /// signal has its first value before `startTime` too.
    ///
    /// # Events
    /// A time event at `startTime`.
    pub struct Cosine = "Modelica.Blocks.Sources.Cosine" {
        /// Amplitude of the cosine
        amplitude: Real = 1,
        /// Frequency of the cosine
        f: Real["Hz"],
        /// Phase of the cosine
        phase: Real["rad"] = 0,
        /// Whether the signal does not jump when it begins
        continuous: bool = false,
        ..source: signal_source,
    }
}

impl Component for Cosine {
    fn contribute(p: CosineParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let CosineParameters { amplitude, f, phase, continuous, source } = p;
        c.output("y", move |e| Ok(source.wave(e, [amplitude, f, phase], continuous, Ex::cos)));
        Ok(())
    }
}

component! {
    /// Sine signal whose amplitude decays exponentially.
    ///
    /// # Equations
    /// `y = offset` before `startTime`, then, with `t = time - startTime`,
    /// `y = offset + amplitude exp(-damping t) sin(2 pi f t + phase)`.
    ///
    /// # Events
    /// A time event at `startTime`.
    pub struct ExpSine = "Modelica.Blocks.Sources.ExpSine" {
        /// Amplitude of the sine at its start
        amplitude: Real = 1,
        /// Frequency of the sine
        f: Real["Hz"],
        /// Phase of the sine
        phase: Real["rad"] = 0,
        /// Rate at which the amplitude decays
        damping: Real["1/s"],
        ..source: signal_source,
    }
}

impl Component for ExpSine {
    fn contribute(p: ExpSineParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let ExpSineParameters { amplitude, f, phase, damping, source } = p;
        c.output("y", move |e| Ok(source.damped_sine(e, [amplitude, f, phase, damping])));
        Ok(())
    }
}

component! {
    /// Step signal.
    ///
    /// # Equations
    /// `y = offset` before `startTime`, then `y = offset + height`.
    ///
    /// # Events
    /// A time event at `startTime`.
    pub struct Step = "Modelica.Blocks.Sources.Step" {
        /// Height of the step
        height: Real = 1,
        ..source: signal_source,
    }
}

impl Component for Step {
    fn contribute(p: StepParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.output("y", move |e| Ok(p.source.step(e, p.height)));
        Ok(())
    }
}

component! {
    /// Ramp signal.
    ///
    /// # Equations
    /// `y = offset` before `startTime`, then `y = offset + height (time - startTime) / duration`,
    /// and from `startTime + duration` on `y = offset + height`. With `duration = 0` the signal is
    /// a step.
    ///
    /// # Events
    /// Time events at `startTime` and at the end of the ramp.
    pub struct Ramp = "Modelica.Blocks.Sources.Ramp" {
        /// Height of the ramp
        height: Real = 1,
        /// Duration of the ramp
        duration: Real["s", >= 0],
        ..source: signal_source,
    }
}

impl Component for Ramp {
    fn contribute(p: RampParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.output("y", move |e| Ok(p.source.ramp(e, p.height, p.duration)));
        Ok(())
    }
}

component! {
    /// Constant signal.
    ///
    /// # Equations
    /// `y = k`.
    pub struct Constant = "Modelica.Blocks.Sources.Constant" {
        /// Constant output value
        k: Real,
    }
    variables {
        /// Signal
        y: Real,
    }
}

impl Component for Constant {
    fn contribute(p: ConstantParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.output("y", move |_| Ok(p.k));
        Ok(())
    }
}
