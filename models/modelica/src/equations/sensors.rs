//! Sensors of frames: the variables of a connector in space that its component does not publish;
//! and sensors of the temperatures of heat ports.
//!
//! A sensor has the name of the frame, such as `rod.frame_b`, so that its variables have those of
//! Modelica: `rod.frame_b.f[1]`. Where a load is read, the sensor stands between the frame and
//! everything that is connected to the frame; the load is that on the component.

use super::added::{Ports, find, rates_of};
use super::symbols::Meaning;
use super::system::Equations;
use equations::Ex;
use libraries::class;
use mechanics::Error;
use mechanics::assembly::{AnyPort, Assembly, NamedPorts};
use mechanics::component::{AnyComponent, Contribution};
use mechanics::declaration::{Declaration, Parameter, Value, Variable};
use mechanics::port::{At, Frame, HeatPort, element, place};
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::vector::Vector;
use std::any::{Any, TypeId};
use std::collections::{BTreeMap, BTreeSet};

const ROTATION: &str = "R.T";
const TURNING: &str = "R.w";
const VELOCITY: &str = "der(r_0)";
const FORCE: &str = "f";
const TORQUE: &str = "t";

const fn variable(
    name: &'static str,
    [kind, unit]: [&'static str; 2],
    text: &'static str,
) -> Variable {
    Variable { field: name, name, optional: true, kind, unit, text }
}

/// The variables that a sensor can measure.
static DECLARATION: Declaration = Declaration {
    name: "sensor of a frame",
    class: "",
    summary: "Variables of a frame",
    text: "",
    parameters: &[],
    ports: &[],
    variables: &[
        variable(ROTATION, ["Matrix", "1"], "Transformation matrix from world frame to the frame"),
        variable(TURNING, ["Vector", "rad/s"], "Angular velocity, resolved in the frame"),
        variable(VELOCITY, ["Vector", "m/s"], "Velocity, resolved in world frame"),
        variable(FORCE, ["Vector", "N"], "Cut force on the component, resolved in the frame"),
        variable(TORQUE, ["Vector", "N.m"], "Cut torque on the component, resolved in the frame"),
    ],
};

/// The frame on the side of the component, and the frame that takes its connections.
const SIDES: [&str; 2] = ["inside", "outside"];

/// A sensor at a frame of one of our components.
#[derive(Debug)]
struct FrameSensor {
    /// The variables that it measures.
    measured: BTreeSet<&'static str>,
}

/// The variables of a sensor, and the frame that takes connections, under the empty name.
#[derive(Debug)]
struct SensorPorts {
    at: At,
    outside: Option<Frame>,
    names: Vec<&'static str>,
}

impl NamedPorts for SensorPorts {
    fn named(&self, name: &str) -> Vec<AnyPort> {
        if name.is_empty() {
            return self.outside.map(AnyPort::Frame).into_iter().collect();
        }
        let known = self.names.iter().find(|known| **known == name);
        known.map(|known| AnyPort::Quantity(self.at.quantity(known))).into_iter().collect()
    }
}

impl FrameSensor {
    fn measures_load(&self) -> bool {
        [FORCE, TORQUE].iter().any(|name| self.measured.contains(name))
    }

    /// The names of the elements of all variables.
    fn names(&self) -> Vec<&'static str> {
        self.measured.iter().flat_map(|name| elements(name)).collect()
    }
}

/// The names of the elements of a variable.
fn elements(name: &str) -> Vec<&'static str> {
    match name {
        ROTATION => (0..9).map(|k| element(name, place(k))).collect(),
        _ => (1..=3).map(|k| element(name, k)).collect(),
    }
}

impl AnyComponent for FrameSensor {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn component_type(&self) -> TypeId {
        TypeId::of::<FrameSensor>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn given_values(&self) -> Vec<(&'static Parameter, Option<Value>)> {
        Vec::new()
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let [inside, outside] = SIDES.map(|side| c.hidden_frame(side));
        let mut motion = |name: &'static str, value: fn(&SignalView<'_>, FrameEnd) -> Vec<Ex>| {
            if !self.measured.contains(name) {
                return;
            }
            for (k, name) in elements(name).into_iter().enumerate() {
                c.signal(name, move |e| {
                    let value = value(e, inside)[k];
                    // Pictures may need the same variable, and derivatives have other names in FMI.
                    let full = e.full(name);
                    if !(name.starts_with(VELOCITY) || e.model().has_variable(&full)) {
                        e.variable(name, value);
                    }
                    Ok(value)
                });
            }
        };
        motion(ROTATION, |e, frame| e.pose(frame).t.transpose().iter().copied().collect());
        motion(TURNING, |e, frame| e.velocity(frame).w.iter().copied().collect());
        motion(VELOCITY, |e, frame| {
            let v: Vector = e.pose(frame).t.transpose() * e.velocity(frame).v;
            v.iter().copied().collect()
        });
        if self.measures_load() {
            let cut = c.cut(outside, inside);
            let measured = self.measured.clone();
            c.after(move |e| {
                let load = e.cut_load(&cut);
                for (name, value) in [(FORCE, load.force), (TORQUE, load.torque)] {
                    if measured.contains(name) {
                        e.publish(name, &value);
                    }
                }
                Ok(())
            });
        }
        Ok(())
    }
}

impl Equations {
    /// Adds sensors for the variables of frames, and for the temperatures of heat ports, that
    /// equations read, or that somebody wants, and that no component publishes.
    pub fn add_sensors(&self, assembly: &mut Assembly, ports: &mut Ports, wanted: &[String]) {
        let mut measured: BTreeMap<String, (Frame, BTreeSet<&'static str>)> = BTreeMap::new();
        let mut temperatures: BTreeMap<String, HeatPort> = BTreeMap::new();
        let read = (0..self.symbols.count()).flat_map(|number| self.names_read(number));
        for name in read.chain(wanted.iter().cloned()) {
            if find(&name, ports).is_some() {
                continue;
            }
            if let Some((at, frame, variable)) = variable_of_frame(&name, ports) {
                measured.entry(at).or_insert((frame, BTreeSet::new())).1.insert(variable);
            }
            if let Some((at, port)) = heat_port_of(&name, ports) {
                temperatures.insert(at, port);
            }
        }
        for (name, port) in temperatures {
            let class = class("thermal::TemperatureSensor");
            let none: [(&str, Value); 0] = [];
            let sensor = class.and_then(|class| assembly.add_by_name(class, name.clone(), none));
            let Ok(sensor) = sensor else { continue };
            if let Some(AnyPort::HeatPort(measuring)) = sensor.port("port") {
                assembly.connect(measuring, port);
            }
            ports.insert(name, sensor);
        }
        for (name, (frame, measured)) in measured {
            let sensor = FrameSensor { measured };
            let (names, cuts) = (sensor.names(), sensor.measures_load());
            let at = assembly.add_component(name.clone(), Box::new(sensor));
            let [inside, outside] = SIDES.map(|side| at.frame(side));
            assembly.connect(inside, frame);
            let outside = cuts.then_some(outside);
            ports.insert(name, Box::new(SensorPorts { at, outside, names }));
        }
    }

    /// The names that the variable may have for which a symbol stands.
    pub(super) fn names_read(&self, number: usize) -> Vec<String> {
        match &self.symbols.get(number).meaning {
            Meaning::Variable(name) => vec![name.to_string()],
            Meaning::Derivative(of) => {
                self.names_read(*of).iter().flat_map(|name| rates_of(name)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The frame to which a variable belongs, with its name, and the variable as a sensor names it.
fn variable_of_frame(name: &str, ports: &Ports) -> Option<(String, Frame, &'static str)> {
    let mut dots = name.match_indices('.').map(|(at, _)| at);
    dots.find_map(|at| {
        let (component, (port, local)) = (ports.get(&name[..at])?, name[at + 1..].split_once('.')?);
        let AnyPort::Frame(frame) = component.port(port)? else { return None };
        let mut variables = DECLARATION.variables.iter().map(|variable| variable.name);
        let variable =
            variables.find(|known| *known == local || elements(known).contains(&local))?;
        Some((format!("{}.{port}", &name[..at]), frame, variable))
    })
}

/// The heat port whose temperature a variable is, with its name.
fn heat_port_of(name: &str, ports: &Ports) -> Option<(String, HeatPort)> {
    let at = name.strip_suffix(".T")?;
    let (component, port) = at.rsplit_once('.')?;
    let AnyPort::HeatPort(port) = ports.get(component)?.port(port)? else { return None };
    Some((at.to_owned(), port))
}
