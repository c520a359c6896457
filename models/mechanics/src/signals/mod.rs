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
pub use sources::{Constant, Ramp, Sine, SinePorts, Step};
pub use tables::{
    CombiTable1D, CombiTimeTable, Extrapolation, SignalTablePorts, Smoothness, TimeTablePorts,
};

use crate::compile::evaluation::Evaluation;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use equations::{Bool, Declared, Ex, Limits};

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

const ANY: Limits = Limits::ANY;
const NOT_NEGATIVE: Limits = Limits::NOT_NEGATIVE;
const POSITIVE: Limits = Limits::POSITIVE;

/// A parameter, in the unit of the signal if none is given.
fn setting<'c>(
    c: &'c mut Contribution<'_>,
    local: &str,
    value: f64,
    limits: Limits,
    unit: Option<&str>,
    text: &str,
) -> Result<Declared<'c, Ex>, Error> {
    c.check(local, value, unit.unwrap_or_default(), limits)?;
    let declared = c.parameter(local, value).describe(text).limits(limits);
    Ok(match unit {
        Some(unit) => declared.unit(unit),
        None => declared,
    })
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

impl OldComponent for ExternalInput {
    type Ports = SourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.finite("start", self.start, self.unit)?;
        let name = c.name().to_owned();
        let input: Ex =
            c.model.input(&name, self.start).unit(self.unit).describe(&self.describe).into();
        c.unit_of("y", self.unit);
        c.signal("y", move |_| Ok(input));
        Ok(())
    }
}
