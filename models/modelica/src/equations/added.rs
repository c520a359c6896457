//! Equations that are solved, as components of an assembly.

use super::causality::{Solutions, solve};
use super::circuit_part::Law;
use super::circuits;
use super::component::{Block, BlockVariable, Happenings, Initial, Kind, Role};
use super::component::{declaration_of, inputs_of};
use super::placing::{Part, flow_name, flow_of_frame};
use super::ports::Connected;
use super::positions::{self, Forms, Position};
use super::reader::Ends;
use super::resolved::solve_cycles;
use super::rigid::{self, Rigid};
use super::symbols::Meaning;
use super::system::{Equations, Reinit, Unknown};
use crate::instance::{Instance, Type};
use crate::source::{Checked, Complaint, Complaints, Span};
use crate::syntax::Causality;
use equations::Ex;
use mechanics::Assembly;
use mechanics::assembly::{AnyPort, NamedPorts};
use mechanics::declaration::Variable;
use mechanics::port::{
    At, Flange, Frame, HeatPort, Input, Pin, PortId, Quantity, TranslationalFlange, part,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The ports of the components of our classes, by the names of the components.
pub type Ports = HashMap<String, Box<dyn NamedPorts>>;

/// The variables of our components whose derivative is a variable too.
const RATES: [(&str, &str); 12] = [
    ("phi", "w"),
    ("w", "a"),
    ("s", "v"),
    ("v", "a"),
    ("phi_rel", "w_rel"),
    ("w_rel", "a_rel"),
    ("s_rel", "v_rel"),
    ("v_rel", "a_rel"),
    ("r_0", "v_0"),
    ("v_0", "a_0"),
    ("angle", "w"),
    ("r_rel_a", "v_rel_a"),
];

/// The variables of components that equations determine.
#[derive(Debug, Default)]
pub struct Determined {
    variables: HashMap<Rc<str>, Quantity>,
    /// Inputs of our components that equations read: the number of the symbol, the input, and where
    /// its name stands.
    inputs: Vec<(usize, PortId, Span)>,
    places: Rc<RefCell<HashMap<usize, PortId>>>,
    /// The physical connectors by their names; a space phasor has one port for each axis.
    ports: HashMap<Rc<str>, Vec<AnyPort>>,
}

impl Determined {
    /// The ports of the physical connector of this name.
    pub fn ports(&self, name: &str) -> &[AnyPort] {
        self.ports.get(name).map_or(&[], |ports| ports)
    }

    /// The variable of this name.
    pub fn get(&self, name: &str) -> Option<Quantity> {
        self.variables.get(name).copied()
    }

    /// Lets equations that read inputs of our components read what these are connected to, after
    /// all connections are made.
    ///
    /// # Errors
    /// An input is not connected.
    pub fn connect_inputs(self, assembly: &Assembly) -> Checked<()> {
        for (number, input, span) in self.inputs {
            let source = assembly.source(input).ok_or_else(|| {
                Complaint::at(&span, format!("{} is not connected", assembly.name_of(input)))
            })?;
            self.places.borrow_mut().insert(number, source);
        }
        Ok(())
    }
}

/// Where the value of a variable of one of our components is.
pub(super) enum Place {
    Variable(PortId),
    /// At the variable to which this input is connected.
    Input(PortId),
}

/// What is known while components are made.
pub(super) struct Maker<'m> {
    pub(super) of: &'m Equations,
    pub(super) ports: &'m Ports,
    pub(super) solutions: Solutions,
    pub(super) by_number: HashMap<usize, usize>,
    /// The symbols that are read.
    pub(super) used: BTreeSet<usize>,
    pub(super) initial: HashMap<usize, Initial>,
    /// Initial equations for variables that are positions or speeds of connectors: the variable,
    /// how often it is differentiated, and the value.
    pub(super) conditions: Vec<(usize, usize, Ex)>,
    /// Other initial equations: values that vanish at the start, each with the component whose text
    /// states it.
    pub(super) residuals: Vec<(Rc<Instance>, Ex)>,
    /// The variables that are positions or speeds of connectors, and those with start values.
    forms: Forms,
    pub(super) positions: Vec<Position>,
    pub(super) rigid: Rigid,
    /// The laws of circuits, by the names of components.
    pub(super) laws: HashMap<String, Vec<Law>>,
    ends: Rc<Ends>,
    pub(super) starts: HashMap<usize, Ex>,
    /// The places of variables of our components.
    pub(super) foreign: HashMap<usize, PortId>,
    /// See [`Determined`].
    pub(super) inputs: Vec<(usize, PortId, Span)>,
    pub(super) places: Rc<RefCell<HashMap<usize, PortId>>>,
}

impl Equations {
    /// What users should know.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Refuses variables without a value: those that no equation names and nothing connects.
    fn check_unnamed(&self, is_connected: &dyn Fn(&str) -> bool) -> Result<(), Complaints> {
        let unnamed = self.unknowns.iter().filter(|unknown| {
            !unknown.is_input
                && unknown.variable.causality != Some(Causality::Input)
                && self.symbols.variable(&unknown.name).is_none()
                && self.port_of_flow(&unknown.name).is_none()
                && !self.is_flow_of_frame(&unknown.name)
                && !self.is_current(&unknown.name)
                && !is_connected(&unknown.name)
        });
        let complaints = unnamed.map(|Unknown { name, variable, .. }| {
            Complaint::at(&variable.span, format!("no equation determines {name}"))
        });
        let complaints: Complaints = complaints.collect();
        if complaints.is_empty() { Ok(()) } else { Err(complaints) }
    }

    /// Refuses variables that neither equations nor our components have.
    fn check_foreign(&self, ports: &Ports) -> Result<(), Complaints> {
        let mut complaints = Vec::new();
        for number in 0..self.symbols.count() {
            let symbol = self.symbols.get(number);
            let Meaning::Variable(name) = &symbol.meaning else { continue };
            let is_own = self.by_name.contains_key(name)
                || self.is_potential(name)
                || self.is_of_frame(name)
                || self.is_potential_of_pin(name);
            if is_own || find(name, ports).is_some() {
                continue;
            }
            let mut dots = name.match_indices('.').map(|(at, _)| at);
            let sentence = match dots.any(|at| ports.contains_key(&name[..at])) {
                true => format!("{name} is no variable that its component publishes"),
                false => format!(
                    "{name} belongs to a connector or to a record for which equations are not \
                     supported"
                ),
            };
            complaints.push(Complaint::at(&symbol.span, sentence));
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints) }
    }

    /// Solves the equations and adds a component for each model or block that has some.
    ///
    /// # Errors
    /// They cannot be solved, or name variables that there are not.
    pub fn add_to(
        &mut self,
        assembly: &mut Assembly,
        ports: &Ports,
        connected: &Connected<'_>,
    ) -> Result<Determined, Complaints> {
        let one = |complaint| vec![complaint];
        self.check_unnamed(connected.at_all)?;
        self.check_foreign(ports)?;
        self.check_ports(connected)?;
        self.check_frames(connected)?;
        self.check_pins(connected);
        self.circuits = circuits::find(self)?;
        let mut solutions = solve(self)?;
        let flows = rigid::flows(self, &solutions);
        solve_cycles(&self.symbols, &mut solutions, &flows);
        let mut maker = Maker {
            of: self,
            ports,
            conditions: Vec::new(),
            residuals: Vec::new(),
            forms: Forms::find(self, &solutions),
            positions: Vec::new(),
            rigid: rigid::read(self, &solutions)?,
            laws: self.laws_of_circuits(),
            ends: Rc::default(),
            solutions,
            by_number: HashMap::new(),
            used: BTreeSet::new(),
            initial: HashMap::new(),
            starts: HashMap::new(),
            foreign: HashMap::new(),
            inputs: Vec::new(),
            places: Rc::default(),
        };
        for (at, unknown) in self.unknowns.iter().enumerate() {
            if let Some(number) = self.symbols.variable(&unknown.name) {
                maker.by_number.insert(number, at);
            }
        }
        maker.read_initial().map_err(one)?;
        let conditions = &maker.conditions;
        let has_condition = |number| conditions.iter().any(|(of, ..)| *of == number);
        maker.positions = positions::choose(self, &maker.solutions, &maker.forms, &has_condition);
        maker.find_used();
        maker.check().map_err(one)?;
        maker.place_foreign().map_err(one)?;
        let mut owners: Vec<&Rc<Instance>> = Vec::new();
        let of_unknowns = maker.determined().map(|(_, unknown)| &unknown.owner);
        let others = self.assertions.iter().map(|(owner, _)| owner);
        let others = others.chain(self.terminations.iter().map(|(owner, _)| owner));
        let others = others.chain(maker.foreign_reinits().map(|(owner, _)| owner));
        let others = others.chain(maker.residuals.iter().map(|(owner, _)| owner));
        for owner in of_unknowns.chain(others).chain(maker.owners_of_ports()) {
            if !owners.iter().any(|other| other.name == owner.name) {
                owners.push(owner);
            }
        }
        maker.order(&mut owners);
        let mut determined = Determined {
            variables: HashMap::new(),
            inputs: maker.inputs.clone(),
            places: Rc::clone(&maker.places),
            ports: HashMap::new(),
        };
        for (at, owner) in owners.iter().enumerate() {
            maker.add(owner, &owners[..at], assembly, &mut determined).map_err(one)?;
        }
        Ok(determined)
    }
}

impl Maker<'_> {
    /// The variables that equations determine, with the numbers of their symbols.
    pub(super) fn determined(&self) -> impl Iterator<Item = (usize, &Unknown)> {
        let unknowns = self.of.unknowns.iter().filter(|unknown| !unknown.is_input);
        unknowns.filter_map(|unknown| Some((self.of.symbols.variable(&unknown.name)?, unknown)))
    }

    /// New values at events of states of our components.
    pub(super) fn foreign_reinits(&self) -> impl Iterator<Item = &(Rc<Instance>, Reinit)> {
        self.of.reinits.iter().filter(|(_, reinit)| !self.by_number.contains_key(&reinit.state))
    }

    /// What initial equations say about states.
    fn read_initial(&mut self) -> Checked<()> {
        let symbols = &self.of.symbols;
        'equations: for (owner, equation) in &self.of.initial {
            let sides = [(equation.left, equation.right), (equation.right, equation.left)];
            let mut found = None;
            for (side, value) in sides {
                let Some(number) = symbols.number_of(side) else { continue };
                let meaning = symbols.get(number).meaning.clone();
                let is_state = |number: &usize| {
                    self.solutions.states.contains(number)
                        || self.of.circuits.states.contains(number)
                        || self.temperature_of(*number).is_some()
                };
                let is_motion = |number: &usize| self.forms.by_number.contains_key(number);
                let of_motion = match meaning {
                    Meaning::Variable(_) if is_motion(&number) => Some((number, 0)),
                    Meaning::Derivative(of) if is_motion(&of) => Some((of, 1)),
                    _ => None,
                };
                if let (Some((of, order)), None) = (of_motion, found) {
                    self.conditions.push((of, order, value));
                    continue 'equations;
                }
                found = found.or(match meaning {
                    Meaning::Variable(_) if is_state(&number) => {
                        Some((number, Initial::Value(value)))
                    }
                    Meaning::Derivative(of)
                        if self.solutions.states.contains(&of) && value.is_constant_zero() =>
                    {
                        Some((of, Initial::Steady))
                    }
                    Meaning::Pre(of) => Some((of, Initial::Fixed)),
                    Meaning::Variable(_) if self.changes_at_events(number) => {
                        Some((number, Initial::Fixed))
                    }
                    _ => None,
                });
                if let Some((of, Initial::Fixed)) = found {
                    self.starts.entry(of).or_insert(value);
                }
            }
            let Some((of, initial)) = found else {
                let residual = equation.left - equation.right;
                self.residuals.push((Rc::clone(owner), residual));
                continue;
            };
            let is_fixed = self.by_number.get(&of).is_some_and(|at| self.of.unknowns[*at].fixed);
            if is_fixed || self.initial.insert(of, initial).is_some() {
                let sentence = "this variable has an initial value already";
                return Err(Complaint::at(&equation.span, sentence));
            }
        }
        let fixed: Vec<_> = self.fixed_values().collect();
        self.residuals.extend(fixed);
        Ok(())
    }

    /// Start values with `fixed = true` of variables that are no states: each is an initial
    /// equation.
    fn fixed_values(&self) -> impl Iterator<Item = (Rc<Instance>, Ex)> {
        let is_state = |number: usize| {
            self.solutions.states.contains(&number)
                || self.of.circuits.states.contains(&number)
                || self.changes_at_events(number)
                || self.forms.by_number.contains_key(&number)
                || self.temperature_of(number).is_some()
        };
        let fixed = self.determined().filter(|(_, unknown)| unknown.fixed);
        fixed.filter(move |(number, _)| !is_state(*number)).map(|(number, unknown)| {
            let start = unknown.start.unwrap_or(Ex::zero());
            (Rc::clone(&unknown.owner), self.of.symbols.ex(number) - start)
        })
    }

    /// The number of the derivative of a variable.
    pub(super) fn rate(&self, number: usize) -> Option<usize> {
        self.of.symbols.find(&Meaning::Derivative(number))
    }

    /// Adds the component with the variables of an instance.
    fn add(
        &self,
        owner: &Rc<Instance>,
        earlier: &[&Rc<Instance>],
        assembly: &mut Assembly,
        determined: &mut Determined,
    ) -> Checked<()> {
        let mut variables = Vec::new();
        let mut declared = Vec::new();
        let physical = self.physical(owner, earlier);
        let mut values = physical.values();
        let own = self.determined().filter(|(number, unknown)| {
            unknown.owner.name == owner.name && self.part_of(*number, unknown) != Part::Reaction
        });
        let own: Vec<(usize, &Unknown)> = own.collect();
        for (number, unknown) in &own {
            let variable = self.variable(*number, unknown);
            values.extend(match &variable.role {
                Role::State { reinits, .. } => {
                    reinits.iter().flat_map(|of| of.values(&self.of.symbols)).collect()
                }
                Role::Value(value) | Role::Hidden(value) | Role::Memory(value, _) => vec![*value],
                Role::Given => Vec::new(),
            });
            values.extend(variable.rate.map(|(_, rate)| rate));
            declared.push(declared_variable(&variable, unknown));
            variables.push(variable);
        }
        let happenings = self.happenings(owner);
        values.extend(happenings.values(&self.of.symbols));
        let sources = self.sources(&values, assembly);
        let mut ports = inputs_of(&sources);
        self.declare(&physical, &mut ports, &mut declared);
        let class = &owner.class;
        let block = Block {
            declaration: declaration_of(class.name(), &class.syntax.description, ports, declared),
            variables: variables.clone(),
            happenings,
            symbols: Rc::clone(&self.of.symbols),
            places: Rc::clone(&self.places),
            physical: physical.clone(),
            ends: Rc::clone(&self.ends),
        };
        let at = assembly.add_component(owner.name.clone(), Box::new(block));
        for (name, source) in &sources {
            let ends =
                (AnyPort::Quantity(Quantity(*source)), AnyPort::Input(Input(at.input(name).0)));
            let connected = assembly.connect_by_name(ends.0, ends.1);
            connected.map_err(|error| Complaint::general(error.to_string()))?;
        }
        self.place_ports(&physical, at);
        for (name, port) in self.any_ports(&physical, at) {
            determined.ports.entry(name).or_default().push(port);
        }
        for ((number, unknown), variable) in own.iter().zip(&variables) {
            self.place(*number, variable, at);
            let quantity = at.quantity(variable.name);
            determined.variables.insert(Rc::clone(&unknown.name), quantity);
            let is_output = unknown.variable.causality == Some(Causality::Output);
            // A variable of a component of ours, which its text determines, is no output.
            if is_output && owner.name.is_empty() && !unknown.name.contains('.') {
                assembly.outputs([quantity]);
            }
        }
        Ok(())
    }

    /// What the text of an instance lets happen, besides the values of its variables.
    fn happenings(&self, owner: &Rc<Instance>) -> Happenings {
        fn own<T: Clone>(all: &[(Rc<Instance>, T)], owner: &Instance) -> Vec<T> {
            let own = all.iter().filter(|(of, _)| of.name == owner.name);
            own.map(|(_, one)| one.clone()).collect()
        }
        let foreign: Vec<_> = self.foreign_reinits().cloned().collect();
        Happenings {
            reinits: own(&foreign, owner),
            assertions: own(&self.of.assertions, owner),
            terminations: own(&self.of.terminations, owner),
            residuals: own(&self.residuals, owner),
        }
    }

    /// The variables of our components that expressions read.
    fn sources(&self, values: &[Ex], assembly: &Assembly) -> Vec<(&'static str, PortId)> {
        let numbers = self.of.symbols.all_needed_by(values);
        let places = numbers.iter().filter_map(|number| self.foreign.get(number));
        let named = places.map(|place| (assembly.name_of(*place), *place));
        let sources: BTreeMap<String, PortId> = named.collect();
        sources.into_iter().map(|(name, place)| (&*name.leak(), place)).collect()
    }

    fn variable(&self, number: usize, unknown: &Unknown) -> BlockVariable {
        let mut name = self.local_name(unknown);
        let part = self.part_of(number, unknown);
        if let Some(port) = self.of.port_of_flow(&unknown.name) {
            name = flow_name(self.of, port, self.local(port)).leak();
        }
        if self.of.is_flow_of_frame(&unknown.name) {
            name = flow_of_frame(name);
        }
        let is_state =
            self.solutions.states.contains(&number) || self.of.circuits.states.contains(&number);
        let rate = self.rate(number).filter(|rate| self.used.contains(rate) || is_state);
        let rate = rate.and_then(|rate| self.solutions.values.get(&rate));
        let rate = rate.map(|value| (&*format!("der({name})").leak(), *value));
        let value = self.solutions.values.get(&number).copied().unwrap_or(Ex::zero());
        let role = if part == Part::Given {
            Role::Given
        } else if (part == Part::Flow { is_published: false }) {
            Role::Hidden(value)
        } else if self.of.circuits.unknowns.contains(&number)
            || self.of.circuits.of_pins.contains(&number)
        {
            Role::Value(self.of.symbols.ex(number))
        } else if self.solutions.states.contains(&number) {
            let initial = match self.initial.get(&number) {
                Some(initial) => *initial,
                None if unknown.fixed => Initial::Fixed,
                None => Initial::Open,
            };
            let reinits = self.of.reinits.iter().map(|(_, reinit)| reinit);
            let reinits = reinits.filter(|reinit| reinit.state == number).cloned().collect();
            Role::State { initial, reinits }
        } else if self.is_memory(number, value) {
            Role::Memory(value, ["pre", "last"].map(|of| &*format!("{of}({name})").leak()))
        } else if unknown.is_published {
            Role::Hidden(value)
        } else {
            Role::Value(value)
        };
        let kind = match unknown.variable.kind {
            Type::Boolean => Kind::Boolean,
            Type::Integer | Type::Enumeration(_) => Kind::Integer,
            _ => Kind::Real,
        };
        let start = self.starts.get(&number).copied().or(unknown.start);
        BlockVariable { name, kind, start, nominal: unknown.nominal, role, rate }
    }

    /// Notes where the values of a variable are.
    fn place(&self, number: usize, variable: &BlockVariable, at: At) {
        let mut places = self.places.borrow_mut();
        places.insert(number, at.quantity(variable.name).0);
        if let (Some(rate), Some((name, _))) = (self.rate(number), variable.rate) {
            places.insert(rate, at.quantity(name).0);
        }
        if let Some(before) = self.before(number) {
            let name = match &variable.role {
                Role::Memory(_, [before, _]) => before,
                _ => variable.name,
            };
            places.insert(before, at.quantity(name).0);
        }
    }
}

/// The declaration of a variable.
fn declared_variable(variable: &BlockVariable, unknown: &Unknown) -> Variable {
    Variable {
        field: variable.name,
        name: variable.name,
        optional: matches!(variable.role, Role::Hidden(_) | Role::Given),
        kind: match variable.kind {
            Kind::Real => "Real",
            Kind::Integer => "Integer",
            Kind::Boolean => "Boolean",
        },
        unit: unknown.unit.clone().leak(),
        text: unknown.variable.description.clone().leak(),
    }
}

/// The names that the derivative of a variable of one of our components may have.
pub(super) fn rates_of(name: &str) -> Vec<String> {
    // Elements of vectors: angular velocities, and vectors that may be resolved in moving frames.
    if name.ends_with(']') && (name.contains("w[") || name.contains("v[")) {
        return Vec::new();
    }
    let Some((component, local)) = name.rsplit_once('.') else { return Vec::new() };
    let (word, index) = local.split_at(local.find('[').unwrap_or(local.len()));
    let known = RATES.iter().find(|(of, _)| *of == word);
    let known = known.map(|(_, rate)| format!("{component}.{rate}{index}"));
    known.into_iter().chain([format!("{component}.der({word}){index}")]).collect()
}

/// A variable of one of our components.
pub(super) fn find(name: &str, ports: &Ports) -> Option<Place> {
    let dots = name.match_indices('.').map(|(at, _)| at);
    let mut found = dots.filter_map(|at| {
        let (ports, local) = (ports.get(&name[..at])?, &name[at + 1..]);
        if let Some(Quantity(place)) = ports.variable(local) {
            return Some(Place::Variable(place));
        }
        if let Some(input) = ports.port(local).and_then(AnyPort::input) {
            return Some(Place::Input(input));
        }
        // A variable of a connector.
        let (port, variable) = local.rsplit_once('.')?;
        let (of, is_known) = match ports.port(port)? {
            AnyPort::Flange(Flange(of)) => (of, ["phi", "tau", "der(phi)"].contains(&variable)),
            AnyPort::TranslationalFlange(TranslationalFlange(of)) => {
                (of, ["s", "f", "der(s)"].contains(&variable))
            }
            AnyPort::HeatPort(HeatPort(of)) => (of, variable == "Q_flow"),
            AnyPort::Pin(Pin(of)) => (of, ["v", "i"].contains(&variable)),
            AnyPort::Frame(Frame(of)) => (of, variable.starts_with("r_0[")),
            _ => return None,
        };
        is_known.then(|| Place::Variable(PortId { port: part(of.port, variable), ..of }))
    });
    found.next()
}
