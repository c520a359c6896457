//! What a component with physical connectors contributes to the mechanics: torques, forces and heat
//! flows, inertias, constraints, and positions with start values.

use super::circuit_part::CircuitPart;
use super::connectors::OfFrame;
use super::reader::{End, Ends, Reader, Reading};
use super::rigid::{Constrains, Constraint, Inertia};
use equations::{Ex, substitute};
use mechanics::Error;
use mechanics::component::Contribution;
use mechanics::domain::{Domain, Word};
use mechanics::start::{Start, StateSelect};
use mechanics::statements::contributions::flanges::MotionLaw;
use mechanics::statements::contributions::start_variable::StartVariable;
use mechanics::statements::laws::signal_view::Signal;
use mechanics::statements::motion::ends::FlangeEnd;
use mechanics::statements::spatial::wrench::Wrench;
use mechanics::vector::Vector;
use std::rc::Rc;

/// The physical part of a component.
#[derive(Clone, Debug, Default)]
pub(super) struct Physical {
    /// Its connectors.
    pub ports: Vec<PhysicalPort>,
    /// Its frames.
    pub frames: Vec<PhysicalFrame>,
    /// Positions with start values.
    pub positions: Vec<PhysicalPosition>,
    /// Constraints between connectors.
    pub constraints: Vec<Constraint>,
    /// Inertias that move with several connectors.
    pub coupled: Vec<Inertia>,
    /// What it contributes to circuits.
    pub circuit: CircuitPart,
}

/// A physical connector.
#[derive(Clone, Debug)]
pub(super) struct PhysicalPort {
    /// Its number among all connectors of the model.
    pub number: usize,
    /// Its name in the component.
    pub name: &'static str,
    /// The domain of a flange; none for a heat port.
    pub domain: Option<&'static Domain>,
    /// Whether the connection is inside of the component, so that the flow leads out.
    pub is_inside: bool,
    /// The name of the end inside of the component, if the flow leads on to it.
    pub inner: Option<&'static str>,
    /// What flows into the component.
    pub flow: Flow,
    /// What moves with it: a moment of inertia, a mass, a heat capacity.
    pub inertia: Option<Ex>,
    /// The temperature of a heat capacity.
    pub temperature: Option<Temperature>,
    /// The symbols of its potential and of the first two derivatives.
    pub symbols: [Option<usize>; 3],
}

/// The temperature of a heat capacity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Temperature {
    /// Its name in the component.
    pub name: &'static str,
    /// Its start value.
    pub start: Start,
    /// The start value if it is an expression.
    pub first: Option<Ex>,
}

/// A frame.
#[derive(Clone, Debug)]
pub(super) struct PhysicalFrame {
    /// Its name in the component.
    pub name: &'static str,
    /// Its full name.
    pub full: Rc<str>,
    /// Whether the connection is inside of the component, so that the load leads out.
    pub is_inside: bool,
    /// The signals with force and torque.
    pub flows: Option<[[&'static str; 3]; 2]>,
    /// The symbols of position and orientation.
    pub potentials: Vec<(usize, OfFrame)>,
}

/// What flows into a component at a connector.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flow {
    /// Nothing by a law.
    None,
    /// The value of a signal of the component.
    Signal(&'static str),
    /// A value, besides what inertias and constraints contribute.
    Value(Ex),
}

/// A position with start values.
#[derive(Clone, Debug)]
pub(super) struct PhysicalPosition {
    /// Ports with their factors, and what is added.
    pub terms: Vec<(usize, Ex)>,
    /// See `terms`.
    pub rest: Ex,
    /// The position and the speed.
    pub variables: [PositionVariable; 2],
    /// The nominal value of the position.
    pub nominal: f64,
    /// Preference as states.
    pub select: StateSelect,
    /// Whether flows depend on the speed.
    pub damped: bool,
}

/// A position or a speed.
#[derive(Clone, Debug)]
pub(super) struct PositionVariable {
    /// Its name in the component.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Whether the text declares it.
    pub is_published: bool,
    /// Its start value, if it is given.
    pub start: Option<Ex>,
    /// Whether it begins at its start value.
    pub fixed: bool,
    /// What initial equations say: how often it is differentiated there, and the value.
    pub conditions: Vec<(usize, Ex)>,
}

/// The name of the signal with the acceleration of a flange.
pub(super) fn acceleration_of(port: &str) -> String {
    format!("acceleration({port})")
}

impl Physical {
    /// The values that its laws compute.
    pub fn values(&self) -> Vec<Ex> {
        let flows = self.ports.iter().filter_map(|port| match port.flow {
            Flow::Value(value) => Some(value),
            Flow::None | Flow::Signal(_) => None,
        });
        let rests = self.constraints.iter().map(|constraint| constraint.rest);
        flows.chain(rests).chain(self.circuit.values()).collect()
    }

    /// States everything.
    ///
    /// # Errors
    /// A connector that is needed is not there.
    pub fn contribute(&self, c: &mut Contribution<'_>, reader: &Rc<Reader>) -> Result<(), Error> {
        for port in &self.ports {
            port.contribute(c, reader);
        }
        for frame in &self.frames {
            frame.contribute(c, reader);
        }
        for position in &self.positions {
            position.contribute(c, reader);
        }
        for (number, inertia) in self.coupled.iter().enumerate() {
            inertia.contribute(c, number, reader);
        }
        for constraint in &self.constraints {
            constrain(c, constraint, reader);
        }
        self.circuit.contribute(c, reader);
        Ok(())
    }
}

impl PhysicalPort {
    fn contribute(&self, c: &mut Contribution<'_>, reader: &Rc<Reader>) {
        let inertia = self.inertia.map(|of| substitute(&[of], c.model_parameters())[0]);
        let end = match self.domain {
            Some(domain) => {
                let end = match self.is_inside {
                    true => c.inner_flange(domain, self.name),
                    false => c.flange(domain, self.name),
                };
                if let Some(inertia) = inertia {
                    c.inertia(end, inertia);
                }
                if let Some(inner) = self.inner {
                    let inner = c.inner_flange(domain, inner);
                    c.linear(&[(end, Ex::one()), (inner, -Ex::one())], Ex::zero());
                }
                if self.symbols[2].is_some() {
                    let name = &*acceleration_of(self.name).leak();
                    c.after(move |e| {
                        let acceleration = e.second_derivative(&e.flange(end));
                        e.define(name, acceleration);
                        Ok(())
                    });
                }
                End::Flange(end)
            }
            None => {
                let end = c.own_heat_port(self.name);
                if let (Some(capacity), Some(of)) = (inertia, self.temperature) {
                    let Temperature { name, start, first } = of;
                    if let Some(first) = first {
                        let reader = Rc::clone(reader);
                        c.law(move |e| {
                            let (first, state) = (reader.value(e, first)?, e.temperature(end));
                            e.model().start_expr(state, first);
                            Ok(())
                        });
                    }
                    let mut variable = c.named_start_variable(name, "K", start);
                    variable.nominal = 300.0;
                    c.heat_capacity(end, capacity, variable);
                }
                End::Heat(end)
            }
        };
        self.note(end, &reader.ends);
        let (flow, reader) = (self.flow, Rc::clone(reader));
        let sign = if self.is_inside { -1.0 } else { 1.0 };
        c.law(move |e| {
            let flow = match flow {
                Flow::None => return Ok(()),
                Flow::Signal(name) => e.read_own(name)?,
                Flow::Value(value) => reader.value(e, value)?,
            };
            let flow = if sign < 0.0 { -flow } else { flow };
            match end {
                End::Flange(end) => e.set_flow(end, flow),
                End::Heat(end) => e.set_heat_flow(end, flow),
            }
            Ok(())
        });
    }

    /// Notes what the symbols of its potential stand for.
    fn note(&self, end: End, ends: &Ends) {
        ends.put(self.number, end);
        let readings = match end {
            End::Flange(end) => [Some(Reading::Position(end)), Some(Reading::Speed(end))],
            End::Heat(end) => [Some(Reading::Temperature(end)), None],
        };
        for (symbol, reading) in self.symbols.into_iter().zip(readings) {
            if let (Some(symbol), Some(reading)) = (symbol, reading) {
                ends.note(symbol, reading);
            }
        }
    }
}

impl PhysicalFrame {
    fn contribute(&self, c: &mut Contribution<'_>, reader: &Rc<Reader>) {
        let end = c.frame(self.name);
        for (number, of) in &self.potentials {
            reader.ends.note(*number, Reading::Frame(end, *of));
        }
        let (Some([force, torque]), is_inside) = (self.flows, self.is_inside) else { return };
        c.law(move |e| {
            let mut read = |[x, y, z]: [&'static str; 3]| {
                Ok::<_, Error>(Vector::new(e.read_own(x)?, e.read_own(y)?, e.read_own(z)?))
            };
            let wrench = Wrench { force: read(force)?, torque: read(torque)? };
            e.set_wrench(end, if is_inside { -wrench } else { wrench });
            Ok(())
        });
    }
}

impl PhysicalPosition {
    fn contribute(&self, c: &mut Contribution<'_>, reader: &Rc<Reader>) {
        let ends = &reader.ends;
        let flanges: Option<Vec<(FlangeEnd, Ex)>> =
            self.terms.iter().map(|(port, factor)| Some((ends.flange(*port)?, *factor))).collect();
        let Some(flanges) = flanges else { return };
        let one = |factor: Ex| factor.constant_value();
        let (a, b) = match (&flanges[..], self.rest.is_constant_zero()) {
            ([(b, factor)], true) if one(*factor) == Some(1.0) => (None, *b),
            ([(x, f), (y, g)], true) if (one(*f), one(*g)) == (Some(-1.0), Some(1.0)) => {
                (Some(*x), *y)
            }
            ([(x, f), (y, g)], true) if (one(*f), one(*g)) == (Some(1.0), Some(-1.0)) => {
                (Some(*y), *x)
            }
            _ => (None, sum(c, (&flanges, self.rest), self.hidden("sum"))),
        };
        let mut conditions = Vec::new();
        let [position, speed] = [0, 1].map(|order| {
            let PositionVariable { name, unit, start, fixed, is_published, conditions: own } =
                &self.variables[order];
            let value = start.map(|start| substitute(&[start], c.model_parameters())[0]);
            let number = value.map_or(0.0, |value| c.number(value).unwrap_or(0.0));
            let mut first = Start { value: number, fixed: false, given: number != 0.0 };
            match value {
                // A start value that follows from parameters is a condition.
                Some(value) if *fixed && value.constant_value().is_none() => {
                    conditions.push((order, value));
                }
                _ => first.fixed = *fixed,
            }
            conditions.extend(own.iter().map(|(rate, value)| (order + rate, *value)));
            let mut variable = c.named_start_variable(name, unit, first);
            variable.published = *is_published;
            variable
        });
        let position = StartVariable { nominal: self.nominal, ..position };
        let id = c.position_between(a, b, [position, speed], self.select);
        if self.damped {
            c.damped(id);
        }
        if conditions.is_empty() {
            return;
        }
        let end = self.difference(c, a, b);
        for (order, value) in conditions {
            let reader = Rc::clone(reader);
            c.initial_condition(end, order, move |e| reader.value(e, value));
        }
    }

    /// The name of a point that no connection can name.
    fn hidden(&self, what: &str) -> &'static str {
        let [position, speed] = &self.variables;
        format!("{what} of {} and {}", position.name, speed.name).leak()
    }

    /// A point that moves as `b` does relative to `a`.
    fn difference(
        &self,
        c: &mut Contribution<'_>,
        a: Option<FlangeEnd>,
        b: FlangeEnd,
    ) -> FlangeEnd {
        let Some(a) = a else { return b };
        let point = c.hidden_point(c.domain_of(a), self.hidden("difference"));
        c.linear(&[(point, Ex::one()), (a, Ex::one()), (b, -Ex::one())], Ex::zero());
        point
    }
}

impl Inertia {
    fn contribute(&self, c: &mut Contribution<'_>, number: usize, reader: &Rc<Reader>) {
        let flanges: Option<Vec<(FlangeEnd, Ex)>> = self
            .terms
            .iter()
            .map(|(port, factor)| Some((reader.ends.flange(*port)?, *factor)))
            .collect();
        let Some(flanges) = flanges else { return };
        let name = format!("point of inertia {number}").leak();
        let point = sum(c, (&flanges, Ex::zero()), name);
        let inertia = substitute(&[self.inertia], c.model_parameters())[0];
        c.inertia(point, inertia);
    }
}

/// A point that moves as a sum of positions and the rest do.
fn sum(
    c: &mut Contribution<'_>,
    (flanges, rest): (&[(FlangeEnd, Ex)], Ex),
    name: &'static str,
) -> FlangeEnd {
    let point = c.hidden_point(c.domain_of(flanges[0].0), name);
    let parameters = c.model_parameters().to_vec();
    let value = |of: Ex| substitute(&[of], &parameters)[0];
    let mut terms = vec![(point, -Ex::one())];
    terms.extend(flanges.iter().map(|(end, factor)| (*end, value(*factor))));
    c.linear(&terms, -value(rest));
    point
}

/// States a constraint, or the motion that an equation prescribes, or a temperature.
fn constrain(c: &mut Contribution<'_>, constraint: &Constraint, reader: &Rc<Reader>) {
    let Constraint { terms, rest, of, position: name } = constraint;
    let rest = *rest;
    let parameters = c.model_parameters().to_vec();
    let value = |of: Ex| substitute(&[of], &parameters)[0];
    let end = |(port, factor): &(usize, Ex)| Some((reader.ends.get(*port)?, value(*factor)));
    let ends: Vec<(End, Ex)> = terms.iter().filter_map(end).collect();
    if let [(End::Heat(end), factor)] = ends[..] {
        c.hold_temperature(end, -value(rest) / factor);
        return;
    }
    let flange = |(end, factor): (End, Ex)| match end {
        End::Flange(end) => Some((end, factor)),
        End::Heat(_) => None,
    };
    let flanges: Vec<(FlangeEnd, Ex)> = ends.into_iter().filter_map(flange).collect();
    let reader = Rc::clone(reader);
    let signal: Signal = Box::new(move |e| Ok(-reader.value(e, rest)?));
    let law = match (of, flanges.first()) {
        (Constrains::Speeds, Some((first, _))) => {
            let [unit, _] = units(c.domain_of(*first));
            let position = c.named_start_variable(name, unit, mechanics::start::free());
            MotionLaw::Speed { position, speed: signal }
        }
        (Constrains::Motion, _) => MotionLaw::Position(signal),
        _ => {
            c.linear(&flanges, -value(rest));
            return;
        }
    };
    c.prescribe(&flanges, law);
}

/// A word for the units of a position and of its speed.
pub(super) fn units(domain: &Domain) -> [&'static str; 2] {
    let Domain { position: Word { unit: position, .. }, speed: Word { unit: speed, .. }, .. } =
        domain;
    [position, speed]
}
