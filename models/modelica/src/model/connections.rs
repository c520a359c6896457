//! Connections: sets of ports that are connected, also through the connectors of composite
//! components and through buses.

use super::ends::{End, Side};
use crate::equations::{Determined, Equations, Ports, inside};
use crate::source::{Checked, Complaint, Span};
use mechanics::Assembly;
use mechanics::assembly::AnyPort;
use mechanics::port::{Input, PortId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most connectors of a model.
const MOST_ENDS: usize = 100_000;

/// The connections of a model.
#[derive(Debug, Default)]
pub struct Connections {
    ends: Vec<End>,
    by_name: HashMap<String, usize>,
    /// The set to which an end belongs, by another end of it.
    parents: Vec<usize>,
    /// The place of the first connection of an end.
    spans: Vec<Span>,
    /// The connectors of composites: first the ones with connections in the text of their
    /// component, then the ones with connections outside.
    faces: [HashSet<String>; 2],
}

impl Connections {
    /// Connects the connectors of two sides in pairs.
    ///
    /// # Errors
    /// A connector has no partner.
    pub fn connect(&mut self, a: Side, b: Side, span: &Span) -> Checked<()> {
        let pairs = a.pairs(b).map_err(|why| Complaint::at(span, why))?;
        for (a, b) in pairs {
            self.note_faces([&a, &b]);
            let (a, b) = (self.number(a, span), self.number(b, span));
            let (a, b) = (self.root(a), self.root(b));
            self.parents[a.max(b)] = a.min(b);
        }
        Ok(())
    }

    /// Notes on which side of their components connectors are connected.
    fn note_faces(&mut self, ends: [&End; 2]) {
        for end in ends.into_iter().filter(|end| end.component.is_none()) {
            self.faces[usize::from(!end.is_inside)].insert(end.name.clone());
        }
    }

    fn number(&mut self, end: End, span: &Span) -> usize {
        let next = self.ends.len();
        // A connector has two sides, until it is known that no equation names its flow.
        let name = if end.is_inner_end() { inside(&end.name) } else { end.full() };
        let number = *self.by_name.entry(name).or_insert(next);
        if number == next {
            self.ends.push(end);
            self.parents.push(next);
            self.spans.push(span.clone());
        }
        number
    }

    fn root(&self, mut end: usize) -> usize {
        while self.parents[end] != end {
            end = self.parents[end];
        }
        end
    }

    /// Members of buses that are connected as a whole are connected with each other.
    fn join_members(&mut self) -> Checked<()> {
        loop {
            let count = self.ends.len();
            let mut joined = false;
            for bus in 0..count {
                if !self.ends[bus].expandable {
                    continue;
                }
                let prefix = self.ends[bus].name.clone();
                let is_inside = |name: &str| {
                    name.strip_prefix(&prefix).is_some_and(|rest| rest.starts_with(['.', '[']))
                };
                let others: Vec<usize> = (0..count)
                    .filter(|other| *other != bus && self.root(*other) == self.root(bus))
                    .collect();
                let members: Vec<usize> =
                    (0..count).filter(|k| is_inside(&self.ends[*k].name)).collect();
                for member in members {
                    let local = self.ends[member].name[prefix.len()..].to_owned();
                    for other in &others {
                        let name = format!("{}{local}", self.ends[*other].name);
                        let expandable = self.ends[member].expandable;
                        let form = self.ends[member].form.clone();
                        let (component, of_model, is_inside) = (None, None, false);
                        let end = End { component, name, of_model, expandable, is_inside, form };
                        let span = self.spans[member].clone();
                        let (a, b) = (self.number(end, &span), member);
                        let (a, b) = (self.root(a), self.root(b));
                        joined |= a != b;
                        self.parents[a.max(b)] = a.min(b);
                    }
                }
            }
            if !joined && count == self.ends.len() {
                return Ok(());
            }
            if self.ends.len() > MOST_ENDS {
                let sentence = "a bus is connected with a member of its own";
                return Err(Complaint::at(&self.spans[self.ends.len() - 1], sentence));
            }
        }
    }

    /// Joins the two sides of connectors whose flows no equation names.
    fn join_sides(&mut self, equations: &Equations) {
        for inner in 0..self.ends.len() {
            let end = &self.ends[inner];
            if !end.is_inner_end() || equations.has_flow(&end.name) {
                continue;
            }
            if let Some(outer) = self.by_name.get(&end.name) {
                let (a, b) = (self.root(inner), self.root(*outer));
                self.parents[a.max(b)] = a.min(b);
            }
        }
    }

    /// Whether a port of a component is connected with another one.
    pub fn is_connected(&self, component: &str, port: &str) -> bool {
        let Some(end) = self.by_name.get(&format!("{component}.{port}")) else { return false };
        let root = self.root(*end);
        (0..self.ends.len()).any(|other| other != *end && self.root(other) == root)
    }

    /// Adds the connections between ports of our classes to an assembly.
    ///
    /// # Errors
    /// Two ports cannot be connected.
    pub fn add_to(
        mut self,
        assembly: &mut Assembly,
        ports: &Ports,
        equations: &mut Equations,
    ) -> Checked<OpenEnds> {
        let mut open = OpenEnds::default();
        self.join_members()?;
        self.join_sides(equations);
        let others = self.ends.iter().filter(|end| end.component.is_none());
        open.others = others.map(|end| end.name.clone()).collect();
        open.faces = std::mem::take(&mut self.faces);
        let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for end in 0..self.ends.len() {
            sets.entry(self.root(end)).or_default().push(end);
        }
        for set in sets.into_values() {
            self.add_set(&set, assembly, (ports, equations), &mut open)?;
        }
        Ok(open)
    }

    /// Refuses a signal that comes from two sources: variables of our components, or outputs.
    fn check_sources(
        &self,
        found: &[(usize, AnyPort)],
        outputs: impl Iterator<Item = usize>,
    ) -> Checked<()> {
        let is_source = |port: &AnyPort| matches!(port, AnyPort::Quantity(_));
        let ports = found.iter().filter(|(_, port)| is_source(port)).map(|(end, _)| *end);
        let mut sources: Vec<usize> = ports.chain(outputs).collect();
        sources.sort_unstable();
        let [first, second, ..] = sources[..] else { return Ok(()) };
        let target = found.iter().find(|(_, port)| !is_source(port));
        let target = target.map_or("a signal".to_owned(), |(end, _)| self.ends[*end].full());
        let [one, other] = [first, second].map(|end| self.ends[end].full());
        let place = self.spans[first].place();
        let sentence =
            format!("{target} has two sources: {other}, and {one}, which is connected at {place}");
        Err(Complaint::at(&self.spans[second], sentence))
    }

    fn add_set(
        &self,
        set: &[usize],
        assembly: &mut Assembly,
        (ports, equations): (&Ports, &mut Equations),
        open: &mut OpenEnds,
    ) -> Checked<()> {
        let mut found: Vec<(usize, AnyPort)> = Vec::new();
        let mut variables: Vec<usize> = Vec::new();
        let mut own: Vec<(String, Span)> = Vec::new();
        for end in set {
            let End { component, name, .. } = &self.ends[*end];
            let Some(component) = component else {
                if let Some(input) = equations.input(name, ports) {
                    found.push((*end, input));
                } else if equations.has_port(name) {
                    let is_apart = self.ends[*end].is_inner_end() && equations.has_flow(name);
                    let name = if is_apart { inside(name) } else { name.clone() };
                    own.push((name, self.spans[*end].clone()));
                } else if equations.names(name) {
                    variables.push(*end);
                }
                continue;
            };
            // A sensor at a frame takes its connections.
            let sensor = ports.get(&self.ends[*end].full()).and_then(|sensor| sensor.port(""));
            let port = sensor.or_else(|| ports.get(component)?.port(name));
            let port = port.ok_or_else(|| {
                let sentence = format!("the connector {component}.{name} is not supported");
                Complaint::at(&self.spans[*end], sentence)
            })?;
            found.push((*end, port));
        }
        if !own.is_empty() {
            let others = found.into_iter().map(|(end, port)| (port, self.spans[end].clone()));
            open.physical.push(PhysicalSet { own, others: others.collect() });
            return Ok(());
        }
        let is_source = |(_, port): &&(usize, AnyPort)| matches!(port, AnyPort::Quantity(_));
        let source = found.iter().find(is_source).copied();
        // An output that is connected inside of its component gets its value there.
        let is_source = |end: &usize| {
            let name = &self.ends[*end].name;
            equations.is_output(name) && !open.faces(name)[0]
        };
        self.check_sources(&found, variables.iter().copied().filter(is_source))?;
        let of_set = source.map(|(end, _)| end).or_else(|| variables.first().copied());
        for variable in variables.iter().filter(|variable| Some(**variable) != of_set) {
            let Some(of) = of_set else { continue };
            let (name, of) = (self.ends[*variable].full(), self.ends[of].full());
            equations.alias(&name, &of, &self.spans[*variable]);
        }
        if let (None, Some(variable)) = (source, of_set) {
            let variable = self.ends[variable].full();
            let inputs = found.into_iter().map(|(end, port)| (port, self.spans[end].clone()));
            open.inputs.extend(inputs.map(|(port, span)| (variable.clone(), port, span)));
            let ends = set.iter().map(|end| &self.ends[*end]);
            let outputs =
                ends.filter(|end| end.of_model == Some(false) && !equations.names(&end.name));
            open.outputs.extend(outputs.map(|end| (end.name.clone(), variable.clone())));
            return Ok(());
        }
        let is_own_output = |end: &&usize| equations.is_output(&self.ends[**end].name);
        if let (None, false, Some(output)) =
            (source, found.is_empty(), set.iter().find(is_own_output))
        {
            let sentence = format!("no equation determines {}", self.ends[*output].full());
            return Err(Complaint::at(&self.spans[*output], sentence));
        }
        let first = source.or_else(|| found.first().copied());
        let Some((source, first)) = first else { return Ok(()) };
        for (end, port) in &found {
            if *end != source {
                let connected = assembly.connect_by_name(first, *port);
                connected.map_err(|error| Complaint::at(&self.spans[*end], error.to_string()))?;
            }
        }
        // An output of the model itself.
        for end in set {
            if let (End { of_model: Some(false), name, .. }, AnyPort::Quantity(quantity)) =
                (&self.ends[*end], first)
                && !equations.names(name)
            {
                assembly.output(name.clone(), quantity);
            }
        }
        Ok(())
    }
}

/// Ends that are connected with variables of equations.
#[derive(Debug, Default)]
pub struct OpenEnds {
    /// Inputs of our components: the variable, the input, the place of the connection.
    inputs: Vec<(String, AnyPort, Span)>,
    /// Outputs of the model: the output, the variable.
    outputs: Vec<(String, String)>,
    /// The connectors that are no ports of our components.
    others: HashSet<String>,
    /// See [`Connections`].
    faces: [HashSet<String>; 2],
    physical: Vec<PhysicalSet>,
}

/// Connected physical connectors.
#[derive(Debug)]
struct PhysicalSet {
    /// Those that equations name.
    own: Vec<(String, Span)>,
    /// Those of our components.
    others: Vec<(AnyPort, Span)>,
}

impl OpenEnds {
    /// Whether an input of one of our components is connected with a variable.
    pub fn drives(&self, input: PortId) -> bool {
        self.inputs.iter().any(|(_, port, _)| port.id() == input)
    }

    /// Connects an input of one of our components with the variable of the same name.
    pub fn drive(&mut self, name: &str, input: PortId, span: Span) {
        self.inputs.push((name.to_owned(), AnyPort::Input(Input(input)), span));
    }

    /// Whether a variable is connected with something.
    pub fn connects(&self, name: &str) -> bool {
        self.others.contains(name)
    }

    /// Whether a connector is connected in the text of its component, and outside of it.
    pub fn faces(&self, name: &str) -> [bool; 2] {
        [0, 1].map(|side| self.faces[side].contains(name))
    }

    /// Adds the connections to an assembly.
    ///
    /// # Errors
    /// Ports cannot be connected.
    pub fn add_to(self, assembly: &mut Assembly, determined: &Determined) -> Checked<()> {
        for (variable, port, span) in self.inputs {
            let Some(quantity) = determined.get(&variable) else {
                return Err(Complaint::at(&span, format!("no equation determines {variable}")));
            };
            let connected = assembly.connect_by_name(AnyPort::Quantity(quantity), port);
            connected.map_err(|error| Complaint::at(&span, error.to_string()))?;
        }
        for PhysicalSet { own, others } in self.physical {
            let own = own.into_iter().map(|(name, span)| (determined.ports(&name).to_vec(), span));
            let others = others.into_iter().map(|(port, span)| (vec![port], span));
            let mut ends = own.filter(|(ports, _)| !ports.is_empty()).chain(others);
            let Some((first, _)) = ends.next() else { continue };
            for (ports, span) in ends {
                for (port, first) in ports.into_iter().zip(&first) {
                    let connected = assembly.connect_by_name(*first, port);
                    connected.map_err(|error| Complaint::at(&span, error.to_string()))?;
                }
            }
        }
        for (output, variable) in self.outputs {
            if let Some(quantity) = determined.get(&variable) {
                assembly.output(output, quantity);
            }
        }
        Ok(())
    }
}
