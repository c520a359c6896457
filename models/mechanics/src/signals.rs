//! Signals: sources, and the inputs of the FMU.

use crate::assembly::{At, Quantity};
use crate::component::{Component, Contribution};
use crate::error::Error;
use equations::{Ex, select};

/// The output of a signal source.
#[derive(Clone, Copy, Debug)]
pub struct SourcePorts {
    /// The signal.
    pub y: Quantity,
}

fn source(at: At) -> SourcePorts {
    SourcePorts { y: at.quantity("y") }
}

/// A parameter of a signal source.
fn setting(
    c: &mut Contribution<'_>,
    local: &str,
    value: f64,
    unit: Option<&str>,
    text: &str,
) -> Result<Ex, Error> {
    c.check(local, value, unit.unwrap_or("(unit of the signal)"), true)?;
    let declared = c.parameter(local, value).describe(text).tunable();
    Ok(match unit {
        Some(unit) => declared.unit(unit).into(),
        None => declared.into(),
    })
}

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

    /// Phase in rad.
    pub fn phase(self, phase: f64) -> Self {
        Sine { phase, ..self }
    }

    /// Offset of the signal.
    pub fn offset(self, offset: f64) -> Self {
        Sine { offset, ..self }
    }

    /// Time in s from which the sine is added.
    pub fn start_time(self, start_time: f64) -> Self {
        Sine { start_time, ..self }
    }
}

impl Component for Sine {
    type Ports = SourcePorts;

    fn ports(at: At) -> SourcePorts {
        source(at)
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let amplitude = setting(c, "amplitude", self.amplitude, None, "Amplitude of the sine")?;
        let f = setting(c, "f", self.f, Some("Hz"), "Frequency of the sine")?;
        let phase = setting(c, "phase", self.phase, Some("rad"), "Phase of the sine")?;
        let offset = setting(c, "offset", self.offset, None, "Offset of the signal")?;
        let text = "The signal is the offset before this time";
        let start_time = setting(c, "startTime", self.start_time, Some("s"), text)?;
        c.signal("y", move |e| {
            let on = e.from(start_time);
            let t = e.time() - start_time;
            let sine = (f * t * std::f64::consts::TAU + phase).sin();
            let y = offset + select(on, amplitude * sine, 0.0);
            e.variable("y", y).describe("Signal");
            Ok(y)
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

    /// Offset of the signal.
    pub fn offset(self, offset: f64) -> Self {
        Step { offset, ..self }
    }

    /// Time of the step in s.
    pub fn start_time(self, start_time: f64) -> Self {
        Step { start_time, ..self }
    }
}

impl Component for Step {
    type Ports = SourcePorts;

    fn ports(at: At) -> SourcePorts {
        source(at)
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let height = setting(c, "height", self.height, None, "Height of the step")?;
        let offset = setting(c, "offset", self.offset, None, "Offset of the signal")?;
        let text = "The signal is the offset before this time";
        let start_time = setting(c, "startTime", self.start_time, Some("s"), text)?;
        c.signal("y", move |e| {
            let on = e.from(start_time);
            let y = offset + select(on, height, 0.0);
            e.variable("y", y).describe("Signal");
            Ok(y)
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

    fn ports(at: At) -> SourcePorts {
        source(at)
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k = setting(c, "k", self.k, None, "Constant output value")?;
        c.signal("y", move |e| {
            e.variable("y", k).describe("Signal");
            Ok(k)
        });
        Ok(())
    }
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

    fn ports(at: At) -> SourcePorts {
        source(at)
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.check("start", self.start, self.unit, true)?;
        let name = c.name().to_owned();
        let input: Ex =
            c.model.input(&name, self.start).unit(self.unit).describe(&self.describe).into();
        c.signal("y", move |_| Ok(input));
        Ok(())
    }
}
