//! Sources of signals of type Boolean and Integer.

use super::interfaces::boolean_signal;
use crate::signals::periodic::Period;
use equations::{Bool, select};
use mechanics::declaration::{group, prelude::*};

component! {
    /// Constant signal of type Boolean.
    ///
    /// # Equations
    /// `y = k`.
    pub struct BooleanConstant = "Modelica.Blocks.Sources.BooleanConstant" {
        /// Constant output value
        k: bool[constant] = true,
        ..boolean_signal,
    }
}

impl Component for BooleanConstant {
    fn contribute(p: BooleanConstantParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.boolean_output("y", move |_| Ok(Bool::constant(p.k)));
        Ok(())
    }
}

component! {
    /// Step signal of type Boolean.
    ///
    /// # Equations
    /// `y = startValue` before `startTime`, then `y = not startValue`.
    ///
    /// # Events
    /// A time event at `startTime`.
    pub struct BooleanStep = "Modelica.Blocks.Sources.BooleanStep" {
        /// Time of the step
        start_time "startTime": Real["s"] = 0,
        /// Output before the step
        start_value "startValue": bool[constant] = false,
        ..boolean_signal,
    }
}

impl Component for BooleanStep {
    fn contribute(p: BooleanStepParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.boolean_output("y", move |e| {
            let begun = e.from(p.start_time);
            Ok(if p.start_value { !begun } else { begun })
        });
        Ok(())
    }
}

component! {
    /// Pulse signal of type Boolean.
    ///
    /// # Equations
    /// `y` is true during the first `width` percent of each period. The first period begins at
    /// `startTime`.
    ///
    /// # Events
    /// Time events at the beginning of every period and at the end of every pulse.
    pub struct BooleanPulse = "Modelica.Blocks.Sources.BooleanPulse" {
        /// Width of the pulse in percent of the period
        width: Real["%", 0..=100, fixed] = 50,
        /// Time of one period
        period: Real["s", > 0, fixed],
        /// Time of the first pulse
        start_time "startTime": Real["s", fixed] = 0,
        ..boolean_signal,
    }
    variables {
        /// Number of the present period, counted from 0, or -1 before the first one
        count: Real["1"],
    }
}

impl Component for BooleanPulse {
    fn contribute(p: BooleanPulseParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.boolean_output("y", move |e| {
            let period = Period::begin(e, p.start_time, p.period, f64::INFINITY);
            Ok(period.running & !period.passed(e, "endOfPulse", p.width / 100.0))
        });
        Ok(())
    }
}

component! {
    /// Trigger for sampled systems.
    ///
    /// # Equations
    /// `y` is true in one event iteration at `startTime`, `startTime + period`, ..
    ///
    /// # Events
    /// A time event at each of these instants.
    pub struct SampleTrigger = "Modelica.Blocks.Sources.SampleTrigger" {
        /// Time between two triggers
        period: Real["s", > 0, fixed],
        /// Time of the first trigger
        start_time "startTime": Real["s", fixed] = 0,
        ..boolean_signal,
    }
}

impl Component for SampleTrigger {
    fn contribute(p: SampleTriggerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.boolean_output("y", move |e| Ok(e.sample("trigger", p.start_time, p.period)));
        Ok(())
    }
}

group! {
    /// A block with an output of type Integer.
    pub struct IntegerSignal(integer_signal) {}
    variables {
        /// Signal
        y: Integer,
    }
}

component! {
    /// Constant signal of type Integer.
    ///
    /// # Equations
    /// `y = k`.
    pub struct IntegerConstant = "Modelica.Blocks.Sources.IntegerConstant" {
        /// Constant output value
        k: Integer["1"],
        ..integer_signal,
    }
}

impl Component for IntegerConstant {
    fn contribute(p: IntegerConstantParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.integer_output("y", move |_| Ok(Ex::constant(p.k as f64)));
        Ok(())
    }
}

component! {
    /// Step signal of type Integer.
    ///
    /// # Equations
    /// `y = offset` before `startTime`, then `y = offset + height`.
    ///
    /// # Events
    /// A time event at `startTime`.
    pub struct IntegerStep = "Modelica.Blocks.Sources.IntegerStep" {
        /// Height of the step
        height: Integer["1"] = 1,
        /// Offset of the signal
        offset: Integer["1"] = 0,
        /// Start time; before it, the signal is the offset
        start_time "startTime": Real["s"] = 0,
        ..integer_signal,
    }
}

impl Component for IntegerStep {
    fn contribute(p: IntegerStepParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let end = p.offset.checked_add(p.height).filter(|end| i32::try_from(*end).is_ok());
        let Some(end) = end else {
            let (least, greatest) = (i32::MIN, i32::MAX);
            let why = format!("offset + height: an Integer must be from {least} to {greatest}");
            return Err(c.refuse("height", why));
        };
        let [before, after] = [p.offset, end].map(|number| number as f64);
        c.integer_output("y", move |e| Ok(select(e.from(p.start_time), after, before)));
        Ok(())
    }
}
