//! Physical connectors in the components that equations become.

use super::added::Maker;
use super::component::Initial;
use super::connectors::FramePort;
use super::physical::{
    Flow, Physical, PhysicalFrame, PhysicalPort, PhysicalPosition, PositionVariable, Temperature,
    acceleration_of, units,
};
use super::pins::inside;
use super::positions::Position;
use super::rigid::{Constrains, Constraint};
use super::symbols::Meaning;
use super::system::{Equations, Unknown};
use crate::instance::Instance;
use crate::source::{Checked, Complaint};
use equations::Ex;
use mechanics::assembly::AnyPort;
use mechanics::declaration::{Port, Variable};
use mechanics::port::{At, PortId, part};
use mechanics::start::{Start, StateSelect};
use std::rc::Rc;

/// What a variable is for the mechanics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Nothing: its value follows from equations.
    None,
    /// A position, a speed or a temperature, which the mechanics gives.
    Given,
    /// A flow that is a signal of the component; a heat flow is published.
    Flow { is_published: bool },
    /// A flow that follows from accelerations or constraints.
    Reaction,
}

impl Maker<'_> {
    /// What a variable is for the mechanics.
    pub(super) fn part_of(&self, number: usize, unknown: &Unknown) -> Part {
        if self.of.is_flow_of_frame(&unknown.name) {
            return Part::Flow { is_published: false };
        }
        let circuits = &self.of.circuits;
        if let Some(pin) = self.of.pin_of(&unknown.name) {
            return if pin.is_whole() { Part::Given } else { Part::None };
        }
        if circuits.states.contains(&number) {
            return Part::Given;
        }
        let Some(port) = self.of.port_of_flow(&unknown.name) else {
            let is_given = self.positions.iter().any(|position| {
                position.variables.iter().flatten().any(|at| self.is_unknown(*at, unknown))
            });
            let is_temperature = self.temperature_of(number).is_some();
            return if is_given || is_temperature { Part::Given } else { Part::None };
        };
        let has_inner = self.of.ports[port].has_inner;
        let is_free = self.solutions.free.contains(&number);
        if is_free || has_inner || self.rigid.applied.contains_key(&port) {
            return Part::Reaction;
        }
        Part::Flow { is_published: self.of.ports[port].kind.domain().is_none() }
    }

    fn is_unknown(&self, at: usize, unknown: &Unknown) -> bool {
        self.of.unknowns[at].name == unknown.name
    }

    /// The heat port with a capacity whose temperature a variable is.
    pub(super) fn temperature_of(&self, number: usize) -> Option<usize> {
        let value = self.solutions.values.get(&number)?;
        let of = self.of.symbols.number_of(*value)?;
        let Meaning::Variable(name) = self.of.symbols.get(of).meaning.clone() else { return None };
        let port = self.of.ports.iter().position(|port| port.potential == name)?;
        let has_capacity = self.rigid.inertias.iter().any(|of| of.of_port(port).is_some());
        (has_capacity && self.of.ports[port].kind.domain().is_none()).then_some(port)
    }

    /// Whether the mechanics gives the value of a symbol.
    ///
    /// # Errors
    /// It is a derivative that the mechanics does not give.
    pub(super) fn is_mechanical(&self, number: usize) -> Checked<bool> {
        if self.of.circuits.gives(number) {
            return Ok(true);
        }
        let symbols = &self.of.symbols;
        let symbol = symbols.get(number).clone();
        let name = match symbol.meaning {
            Meaning::Variable(name) => {
                return Ok(self.of.is_potential(&name) || self.of.is_of_frame(&name));
            }
            Meaning::Derivative(of) => match symbols.get(of).meaning.clone() {
                Meaning::Derivative(_) => {
                    let of = symbols.twice_differentiated(number);
                    return Ok(of.is_some_and(|of| self.of.is_potential(&of)));
                }
                Meaning::Variable(name) => name,
                _ => return Ok(false),
            },
            _ => return Ok(false),
        };
        let refuse = || {
            let sentence = format!("the derivative of {name} is not known");
            Err(Complaint::at(&symbol.span, sentence))
        };
        if self.of.is_of_frame(&name) {
            return if name.contains(".r_0[") { Ok(true) } else { refuse() };
        }
        if let Some(port) = self.of.ports.iter().find(|port| port.potential == name) {
            return if port.kind.domain().is_some() { Ok(true) } else { refuse() };
        }
        let own = symbols.variable(&name);
        match own.and_then(|own| Some((own, &self.of.unknowns[*self.by_number.get(&own)?]))) {
            Some((own, unknown)) if self.part_of(own, unknown) == Part::Reaction => refuse(),
            _ => Ok(false),
        }
    }

    /// The owners of connectors that equations name.
    pub(super) fn owners_of_ports(&self) -> impl Iterator<Item = &Rc<Instance>> {
        let used = self.of.ports.iter().filter(|port| self.of.has_port(&port.name));
        let frames = self.of.frames.iter().filter(|frame| self.of.has_frame(&frame.name));
        let pins = self.of.pins.iter().filter(|pin| self.of.has_pins(&pin.connector));
        let pins = pins.map(|pin| &pin.owner);
        used.map(|port| &port.owner).chain(frames.map(|frame| &frame.owner)).chain(pins)
    }

    /// Puts components that need the connectors of others after these.
    pub(super) fn order(&self, owners: &mut [&Rc<Instance>]) {
        owners.sort_by_key(|owner| {
            self.positions.iter().any(|position| {
                let is_own = self.owner_of(position).name == owner.name;
                let mut terms = position.form.terms.iter();
                is_own && terms.any(|(port, _)| self.of.ports[*port].owner.name != owner.name)
            })
        });
    }

    fn owner_of(&self, position: &Position) -> &Rc<Instance> {
        match position.variables.iter().flatten().next() {
            Some(at) => &self.of.unknowns[*at].owner,
            None => &self.of.ports[position.form.terms[0].0].owner,
        }
    }

    /// The physical part of the component of an instance; `earlier` are those before it.
    pub(super) fn physical(&self, owner: &Rc<Instance>, earlier: &[&Rc<Instance>]) -> Physical {
        let is_own = |of: &Rc<Instance>| of.name == owner.name;
        let is_known =
            |of: &Rc<Instance>| is_own(of) || earlier.iter().any(|other| other.name == of.name);
        let ports = self.of.ports.iter().enumerate();
        let ports = ports.filter(|(_, port)| is_own(&port.owner) && self.of.has_port(&port.name));
        let ports = ports.map(|(number, _)| self.port(number)).collect();
        let frames = self.of.frames.iter();
        let frames = frames.filter(|of| is_own(&of.owner) && self.of.has_frame(&of.name));
        let frames = frames.map(|frame| self.frame(frame)).collect();
        let positions = self.positions.iter().filter(|position| is_own(self.owner_of(position)));
        let positions = positions.map(|position| self.position(position)).collect();
        let is_here = |terms: &[(usize, Ex)]| {
            let owners = || terms.iter().map(|(port, _)| &self.of.ports[*port].owner);
            owners().all(is_known) && owners().any(is_own)
        };
        let constraints = self.rigid.constraints.iter().filter(|of| is_here(&of.terms));
        let coupled = self.rigid.inertias.iter();
        let coupled = coupled.filter(|of| of.terms.len() > 1 && is_here(&of.terms));
        let coupled = coupled.cloned().collect();
        let named = |constraint: &Constraint| {
            let position = match constraint.of {
                Constrains::Speeds => self.hidden_name(&constraint.terms, 0),
                Constrains::Potentials | Constrains::Motion => "",
            };
            Constraint { position, ..constraint.clone() }
        };
        let constraints = constraints.map(named).collect();
        let circuit = self.circuit_part(owner);
        Physical { ports, frames, positions, constraints, coupled, circuit }
    }

    /// The name of a port in its component.
    pub(super) fn local(&self, number: usize) -> &'static str {
        let port = &self.of.ports[number];
        local_in(&port.owner, &port.name).to_owned().leak()
    }

    fn frame(&self, frame: &FramePort) -> PhysicalFrame {
        let local = |name: &str| local_in(&frame.owner, name).to_owned();
        let flows = frame.flows();
        let has_flows = flows.iter().flatten().any(|of| self.of.symbols.variable(of).is_some());
        PhysicalFrame {
            name: local(&frame.name).leak(),
            full: Rc::clone(&frame.name),
            is_inside: frame.is_inside,
            flows: has_flows
                .then(|| flows.map(|vector| vector.map(|of| flow_of_frame(local(&of).leak())))),
            potentials: frame.potentials(&self.of.symbols),
        }
    }

    fn port(&self, number: usize) -> PhysicalPort {
        let port = &self.of.ports[number];
        let name = self.local(number);
        let symbols = &self.of.symbols;
        let potential = symbols.variable(&port.potential);
        let speed = potential.and_then(|number| self.rate(number));
        let acceleration = speed.and_then(|number| self.rate(number));
        let acceleration = acceleration.filter(|number| self.used.contains(number));
        let inertia = self.rigid.inertias.iter().find_map(|of| of.of_port(number));
        let flow = match self.rigid.applied.get(&number) {
            Some(value) if value.is_constant_zero() => Flow::None,
            Some(value) => Flow::Value(*value),
            None => match symbols.variable(&port.flow) {
                Some(of) if self.solutions.values.contains_key(&of) => {
                    Flow::Signal(flow_name(self.of, number, name).leak())
                }
                _ => Flow::None,
            },
        };
        let is_capacity = port.kind.domain().is_none() && inertia.is_some();
        PhysicalPort {
            number,
            name,
            domain: port.kind.domain(),
            is_inside: port.is_inside,
            inner: port.has_inner.then(|| &*inside(name).leak()),
            flow,
            inertia,
            temperature: is_capacity.then(|| self.temperature(number, name)),
            symbols: [potential, speed, acceleration],
        }
    }

    /// The name and the start value of the temperature of a heat port with a capacity.
    fn temperature(&self, port: usize, name: &str) -> Temperature {
        let mut own =
            self.determined().filter(|(number, _)| self.temperature_of(*number) == Some(port));
        let Some((number, unknown)) = own.next() else {
            let (name, start) = (part(name, "T"), mechanics::start::guess(293.15));
            return Temperature { name, start, first: None };
        };
        let given = unknown.start.and_then(Ex::constant_value);
        let value = given.unwrap_or(293.15);
        let start = Start { value, fixed: unknown.fixed, given: !unknown.fixed };
        let first = match self.initial.get(&number) {
            Some(Initial::Value(first)) => Some(*first),
            _ => unknown.start.filter(|_| given.is_none()),
        };
        Temperature { name: self.local_name(unknown), start, first }
    }

    /// The name of a variable in its component.
    pub(super) fn local_name(&self, unknown: &Unknown) -> &'static str {
        match unknown.is_published {
            // The component publishes its input itself.
            true => format!("given({})", unknown.name).leak(),
            false => local_in(&unknown.owner, &unknown.name).to_owned().leak(),
        }
    }

    fn position(&self, position: &Position) -> PhysicalPosition {
        let (port, _) = position.form.terms[0];
        let domain = self.of.ports[port].kind.domain();
        let units = domain.map_or(["", ""], units);
        let of = |order: usize| position.variables[order].map(|at| &self.of.unknowns[at]);
        let variable = |order: usize| match of(order) {
            Some(unknown) => {
                let number = self.of.symbols.variable(&unknown.name);
                let conditions = self.conditions.iter().filter(|(of, ..)| Some(*of) == number);
                let unit = if unknown.unit.is_empty() { units[order] } else { &unknown.unit };
                PositionVariable {
                    name: self.local_name(unknown),
                    unit: unit.to_owned().leak(),
                    is_published: true,
                    start: unknown.start,
                    fixed: unknown.fixed,
                    conditions: conditions.map(|(_, order, value)| (*order, *value)).collect(),
                }
            }
            None => PositionVariable {
                name: self.hidden_name(&position.form.terms, order),
                unit: units[order],
                is_published: false,
                start: None,
                fixed: false,
                conditions: Vec::new(),
            },
        };
        let select = [0, 1].into_iter().filter_map(|order| Some(of(order)?.preference()));
        let nominal = of(0).and_then(|unknown| unknown.nominal);
        PhysicalPosition {
            terms: position.form.terms.clone(),
            rest: position.form.rest,
            variables: [variable(0), variable(1)],
            nominal: nominal.unwrap_or(1.0),
            select: select.max().unwrap_or(StateSelect::Avoid),
            damped: position.damped,
        }
    }

    /// The name of a position or a speed that the text does not declare.
    fn hidden_name(&self, terms: &[(usize, Ex)], order: usize) -> &'static str {
        let ports = terms.iter().map(|(port, _)| self.local(*port));
        let ports = ports.collect::<Vec<_>>().join("_");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let ports = ports.replace(|c: char| !is_plain(c), "_");
        let what = if order == 0 { "position" } else { "speed" };
        format!("{ports}_{what}").leak()
    }

    /// Declarations of connectors and of what they need.
    pub(super) fn declare(
        &self,
        physical: &Physical,
        ports: &mut Vec<Port>,
        variables: &mut Vec<Variable>,
    ) {
        for PhysicalPort { name, inner, number, temperature, .. } in &physical.ports {
            let kind = self.of.ports[*number].kind.declared();
            for name in [Some(*name), *inner].into_iter().flatten() {
                ports.push(Port { field: name, name, kind, unit: "", text: "Connector" });
            }
            if let Some(Temperature { name, .. }) = temperature {
                variables.push(hidden(name, "K"));
            }
        }
        let prescribed = physical.constraints.iter().filter(|of| !of.position.is_empty());
        variables.extend(prescribed.map(|of| hidden(of.position, "")));
        for PhysicalFrame { name, .. } in &physical.frames {
            ports.push(Port { field: name, name, kind: "Frame", unit: "", text: "Connector" });
        }
        for name in physical.circuit.names_of_pins() {
            ports.push(Port { field: name, name, kind: "Pin", unit: "", text: "Connector" });
        }
        for PhysicalPosition { variables: own, .. } in &physical.positions {
            let unpublished = own.iter().filter(|own| !own.is_published);
            variables.extend(unpublished.map(|own| hidden(own.name, own.unit)));
        }
    }

    /// Notes where values that the mechanics gives are.
    pub(super) fn place_ports(&self, physical: &Physical, at: At) {
        let mut places = self.places.borrow_mut();
        for PhysicalPort { name, number, domain, symbols, .. } in &physical.ports {
            if let Some(acceleration) = symbols[2] {
                let port = acceleration_of(name).leak();
                places.insert(acceleration, PortId { component: at.0, port });
            }
            let flow = self.of.symbols.variable(&self.of.ports[*number].flow);
            let is_reaction = flow.is_some_and(|flow| {
                self.solutions.free.contains(&flow)
                    || self.of.ports[*number].has_inner
                    || self.rigid.applied.contains_key(number)
            });
            if let (Some(flow), Some(domain), true) = (flow, domain, is_reaction) {
                let port = part(name, domain.flow.local);
                places.insert(flow, PortId { component: at.0, port });
            }
        }
    }

    /// The connectors of a component, as other components are connected with them.
    pub(super) fn any_ports(&self, physical: &Physical, at: At) -> Vec<(Rc<str>, AnyPort)> {
        let any = |of: &PhysicalPort, name: &'static str| match of.domain {
            None => AnyPort::HeatPort(at.heat_port(name)),
            Some(domain) if domain.port == "Flange" => AnyPort::Flange(at.flange(name)),
            Some(_) => AnyPort::TranslationalFlange(at.translational_flange(name)),
        };
        let named = |of: &PhysicalPort| {
            let full = &self.of.ports[of.number].name;
            let inner = (inside(full).into(), any(of, of.inner.unwrap_or(of.name)));
            [(Rc::clone(full), any(of, of.name)), inner]
        };
        let frame = |of: &PhysicalFrame| (Rc::clone(&of.full), AnyPort::Frame(at.frame(of.name)));
        let pins = physical.circuit.pins.iter().flat_map(|of| {
            let connector = &self.of.pins[of.number].connector;
            let outer = (Rc::clone(connector), AnyPort::Pin(at.pin(of.name)));
            let inner = AnyPort::Pin(at.pin(of.inner.unwrap_or(of.name)));
            [outer, (inside(connector).into(), inner)]
        });
        let others = physical.frames.iter().map(frame).chain(pins);
        physical.ports.iter().flat_map(named).chain(others).collect()
    }
}

/// The name in a component of something in it.
pub(super) fn local_in<'n>(owner: &Instance, name: &'n str) -> &'n str {
    match owner.name.len() {
        0 => name,
        length => &name[length + 1..],
    }
}

/// The name of the signal with the flow of a port.
pub(super) fn flow_name(of: &Equations, port: usize, local: &str) -> String {
    match of.ports[port].kind.domain() {
        Some(_) => format!("flow({local})"),
        None => format!("{local}.Q_flow"),
    }
}

/// The name of the signal with an element of a force or torque of a frame.
pub(super) fn flow_of_frame(local: &str) -> &'static str {
    format!("flow({local})").leak()
}

/// A variable that the mechanics publishes only if it is a state.
fn hidden(name: &'static str, unit: &'static str) -> Variable {
    let text = "Variable that may be a state";
    Variable { field: name, name, optional: true, kind: "Real", unit, text }
}
