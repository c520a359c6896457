//! Signals: sources, blocks, tables, and the inputs of the FMU.

mod blocks;
mod dynamic;
mod filter;
mod motion;
mod periodic;
mod sources;
mod tables;

pub use blocks::{
    Abs, Add, BlockPorts, Feedback, Gain, GreaterThreshold, Limiter, Product, TwoInputsPorts,
};
pub use dynamic::{FirstOrder, Integrator, PI};
pub use filter::CriticalDamping;
pub use motion::KinematicPTP;
pub use periodic::{Pulse, Trapezoid};
pub use sources::{Constant, Ramp, Sine, Step};
pub use tables::{
    CombiTable1D, CombiTimeTable, Extrapolation, SignalTablePorts, Smoothness, TimeTablePorts,
};

use crate::compile::evaluation::Evaluation;
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::ports;
use equations::{Bool, Declared, Ex};

ports! {
    /// The output of a signal source.
    pub struct SourcePorts {
        /// The signal.
        y: quantity,
    }
}

/// Publishes the signal that a law gives.
fn give(
    c: &mut Contribution<'_>,
    port: &'static str,
    law: impl FnOnce(&mut Evaluation<'_>) -> Result<Ex, Error> + 'static,
) {
    c.signal(port, move |e| {
        let y = law(e)?;
        e.variable(port, y).describe("Signal");
        Ok(y)
    });
}

/// True from an instant (in s) on; the event is known by a name of the instance.
fn from_instant(e: &mut Evaluation<'_>, local: &str, instant: Ex) -> Bool {
    let name = e.full(local);
    e.model().time_relation(&name, instant)
}

/// Possible values of a parameter: smallest and largest.
type Range = (f64, f64);

const ANY: Range = (f64::NEG_INFINITY, f64::INFINITY);
const NOT_NEGATIVE: Range = (0.0, f64::INFINITY);
/// As in Modelica, whose smallest number this is.
const POSITIVE: Range = (1e-60, f64::INFINITY);

/// A parameter, in the unit of the signal if none is given.
fn setting<'c>(
    c: &'c mut Contribution<'_>,
    local: &str,
    value: f64,
    (min, max): Range,
    unit: Option<&str>,
    text: &str,
) -> Result<Declared<'c, Ex>, Error> {
    let shown = unit.unwrap_or("(unit of the signal)");
    c.check(local, value, shown, min <= value && value <= max)?;
    let mut declared = c.parameter(local, value).describe(text);
    if let Some(unit) = unit {
        declared = declared.unit(unit);
    }
    if min.is_finite() {
        declared = declared.min(min);
    }
    if max.is_finite() {
        declared = declared.max(max);
    }
    Ok(declared)
}

fn offset<'c>(c: &'c mut Contribution<'_>, value: f64) -> Result<Declared<'c, Ex>, Error> {
    setting(c, "offset", value, ANY, None, "Offset of the signal")
}

fn start_time<'c>(c: &'c mut Contribution<'_>, value: f64) -> Result<Declared<'c, Ex>, Error> {
    let text = "The signal is the offset before this time";
    setting(c, "startTime", value, ANY, Some("s"), text)
}

/// An input of the FMU; the instance's name is the input's name.
///
/// # Equations
/// `y` is what the importer sets.
///
/// # Variables
/// The input, in the unit given; its start value holds until it is set.
#[derive(Clone, Debug)]
pub struct ExternalInput {
    unit: &'static str,
    start: f64,
    describe: String,
}

impl ExternalInput {
    /// In a unit, with the value that it has until it is set.
    pub fn unit_start(unit: &'static str, start: f64) -> Self {
        ExternalInput { unit, start, describe: String::new() }
    }

    /// One line about it.
    pub fn describe(self, describe: impl Into<String>) -> Self {
        ExternalInput { describe: describe.into(), ..self }
    }
}

impl Component for ExternalInput {
    type Ports = SourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.check("start", self.start, self.unit, true)?;
        let name = c.name().to_owned();
        let input: Ex =
            c.model.input(&name, self.start).unit(self.unit).describe(&self.describe).into();
        c.signal("y", move |_| Ok(input));
        Ok(())
    }
}
