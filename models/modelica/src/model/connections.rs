//! Connections: sets of ports that are connected, also through the connectors of composite
//! components and through buses.

use crate::equations::{Determined, Equations, Ports};
use crate::evaluate::Evaluator;
use crate::instance::{Content, Instance, Scope, Variable, is_of};
use crate::leaf::leaf_of;
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Causality, ClassKind, Part, Reference};
use mechanics::Assembly;
use mechanics::assembly::AnyPort;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// An end of a connection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// The component of one of our classes, if it is a port of one.
    pub component: Option<String>,
    /// The name of the port there, or the full name of another connector.
    pub name: String,
    /// `input` or `output` of a connector of the model itself.
    of_model: Option<bool>,
    /// Whether members of it come to be by connecting.
    expandable: bool,
}

impl End {
    fn full(&self) -> String {
        match &self.component {
            Some(component) => format!("{component}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

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
}

impl Connections {
    /// Connects ends one by one.
    ///
    /// # Errors
    /// Their numbers differ.
    pub fn connect(&mut self, a: Vec<End>, b: Vec<End>, span: &Span) -> Checked<()> {
        if a.len() != b.len() {
            // A side that does not exist takes its connections with it.
            if a.is_empty() || b.is_empty() {
                return Ok(());
            }
            let sentence = format!("{} connectors and {} connectors do not fit", a.len(), b.len());
            return Err(Complaint::at(span, sentence));
        }
        for (a, b) in a.into_iter().zip(b) {
            let (a, b) = (self.number(a, span), self.number(b, span));
            let (a, b) = (self.root(a), self.root(b));
            self.parents[a.max(b)] = a.min(b);
        }
        Ok(())
    }

    fn number(&mut self, end: End, span: &Span) -> usize {
        let next = self.ends.len();
        let number = *self.by_name.entry(end.full()).or_insert(next);
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
                let prefix = format!("{}.", self.ends[bus].name);
                let others: Vec<usize> = (0..count)
                    .filter(|other| *other != bus && self.root(*other) == self.root(bus))
                    .collect();
                let members: Vec<usize> =
                    (0..count).filter(|k| self.ends[*k].name.starts_with(&prefix)).collect();
                for member in members {
                    let local = self.ends[member].name[prefix.len()..].to_owned();
                    for other in &others {
                        let name = format!("{}.{local}", self.ends[*other].name);
                        let expandable = self.ends[member].expandable;
                        let end = End { component: None, name, of_model: None, expandable };
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
        let others = self.ends.iter().filter(|end| end.component.is_none());
        open.others = others.map(|end| end.name.clone()).collect();
        let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for end in 0..self.ends.len() {
            sets.entry(self.root(end)).or_default().push(end);
        }
        for set in sets.into_values() {
            self.add_set(&set, assembly, (ports, equations), &mut open)?;
        }
        Ok(open)
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
        for end in set {
            let End { component, name, .. } = &self.ends[*end];
            let Some(component) = component else {
                if let Some(input) = equations.input(name, ports) {
                    found.push((*end, input));
                } else if equations.names(name) {
                    variables.push(*end);
                }
                continue;
            };
            let port = ports.get(component).and_then(|ports| ports.port(name));
            let port = port.ok_or_else(|| {
                let sentence = format!("the connector {component}.{name} is not supported");
                Complaint::at(&self.spans[*end], sentence)
            })?;
            found.push((*end, port));
        }
        let is_source = |(_, port): &&(usize, AnyPort)| matches!(port, AnyPort::Quantity(_));
        let source = found.iter().find(is_source).copied();
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
}

impl OpenEnds {
    /// Whether a variable is connected with something.
    pub fn connects(&self, name: &str) -> bool {
        self.others.contains(name)
    }

    /// Adds the connections to an assembly.
    ///
    /// # Errors
    /// A port is no input.
    pub fn add_to(self, assembly: &mut Assembly, determined: &Determined) -> Checked<()> {
        for (variable, port, span) in self.inputs {
            let Some(quantity) = determined.get(&variable) else { continue };
            let connected = assembly.connect_by_name(AnyPort::Quantity(quantity), port);
            connected.map_err(|error| Complaint::at(&span, error.to_string()))?;
        }
        for (output, variable) in self.outputs {
            if let Some(quantity) = determined.get(&variable) {
                assembly.output(output, quantity);
            }
        }
        Ok(())
    }
}

/// The ends that a reference in a `connect` means.
///
/// # Errors
/// There is no such connector.
pub fn ends(evaluator: &Evaluator<'_>, reference: &Reference, scope: &Scope) -> Checked<Vec<End>> {
    let Some(instance) = &scope.instance else { return Ok(Vec::new()) };
    let finder = Finder { evaluator, scope, span: &reference.span };
    finder.in_instance(instance, &reference.parts)
}

/// Finds the connectors of a reference.
struct Finder<'f> {
    evaluator: &'f Evaluator<'f>,
    scope: &'f Scope,
    span: &'f Span,
}

impl Finder<'_> {
    fn in_instance(&self, instance: &Rc<Instance>, parts: &[Part]) -> Checked<Vec<End>> {
        let library = self.evaluator.library;
        let Some((first, rest)) = parts.split_first() else {
            return Err(Complaint::at(self.span, "a component, not a connector"));
        };
        let members = instance.members(library)?;
        let is_leaf = leaf_of(library, instance)?.is_some();
        let Some(member) = members.get(&first.name.text) else {
            let sentence = format!("{} has no element {}", instance.class.path, first.name.text);
            return Err(Complaint::at(&first.name.span, sentence));
        };
        let content = self.evaluator.content(instance, member)?;
        let component = is_leaf.then(|| instance.name.clone());
        self.in_content(instance, &content, component.as_deref(), first, rest)
    }

    fn in_content(
        &self,
        instance: &Rc<Instance>,
        content: &Content,
        component: Option<&str>,
        part: &Part,
        rest: &[Part],
    ) -> Checked<Vec<End>> {
        match content {
            Content::Absent => Ok(Vec::new()),
            Content::Variable(variable) => self.of_variable(instance, variable, component, part),
            Content::Array(elements) => {
                let Some((subscript, others)) = part.subscripts.split_first() else {
                    let all = elements
                        .iter()
                        .map(|element| self.in_content(instance, element, component, part, rest));
                    return Ok(all.collect::<Checked<Vec<_>>>()?.concat());
                };
                let inner = Part { name: part.name.clone(), subscripts: others.to_vec() };
                let positions = self.positions(subscript, elements.len())?;
                let chosen = positions
                    .into_iter()
                    .map(|k| self.in_content(instance, &elements[k], component, &inner, rest));
                Ok(chosen.collect::<Checked<Vec<_>>>()?.concat())
            }
            Content::Instance(inner) => {
                if !is_of(self.evaluator.library, &inner.class, ClassKind::Connector)? {
                    return self.in_instance(inner, rest);
                }
                self.of_connector(inner, component, rest)
            }
        }
    }

    fn positions(&self, subscript: &crate::syntax::Subscript, size: usize) -> Checked<Vec<usize>> {
        let chosen = self.evaluator.chosen_indices(subscript, size, self.scope, self.span)?;
        Ok(chosen.positions())
    }

    /// A connector that is a variable, such as `u` or `y[2]`.
    fn of_variable(
        &self,
        instance: &Rc<Instance>,
        variable: &Rc<Variable>,
        component: Option<&str>,
        part: &Part,
    ) -> Checked<Vec<End>> {
        let local = |name: &str| match component {
            Some(component) => name[component.len() + 1..].to_owned(),
            None => name.to_owned(),
        };
        let of_model = (instance.name.is_empty() && variable.causality.is_some())
            .then(|| variable.causality == Some(Causality::Input));
        let end = |name: String| End {
            component: component.map(str::to_owned),
            name: local(&name),
            of_model,
            expandable: false,
        };
        let sizes = self.evaluator.declared_sizes(&variable.sizes)?;
        let sizes = sizes.unwrap_or_default();
        let mut names = vec![(variable.name.clone(), 0)];
        for (dimension, size) in sizes.iter().enumerate() {
            let positions = match part.subscripts.get(dimension) {
                Some(subscript) => self.positions(subscript, *size)?,
                None => (0..*size).collect(),
            };
            names = names
                .into_iter()
                .flat_map(|(name, _)| {
                    let indexed = |k: &usize| match name.strip_suffix(']') {
                        Some(open) if dimension > 0 => (format!("{open},{}]", k + 1), 0),
                        _ => (format!("{name}[{}]", k + 1), 0),
                    };
                    positions.iter().map(indexed).collect::<Vec<_>>()
                })
                .collect();
        }
        Ok(names.into_iter().map(|(name, _)| end(name)).collect())
    }

    /// A connector of connectors is not connected as a whole.
    fn refuse_connectors_inside(&self, connector: &Rc<Instance>) -> Checked<()> {
        let library = self.evaluator.library;
        for member in &connector.members(library)?.list {
            if is_of(library, &member.class, ClassKind::Connector)? {
                let sentence = format!(
                    "{} contains the connector {}: connect its connectors one by one",
                    connector.name, member.declaration.name.text
                );
                return Err(Complaint::at(self.span, sentence));
            }
        }
        Ok(())
    }

    /// A connector with variables of its own, or a member of a bus.
    fn of_connector(
        &self,
        connector: &Rc<Instance>,
        component: Option<&str>,
        rest: &[Part],
    ) -> Checked<Vec<End>> {
        let is_bus = connector.class.syntax.expandable;
        let mut name = connector.name.clone();
        for part in rest {
            name = format!("{name}.{}", part.name.text);
            if !part.subscripts.is_empty() {
                let texts = part.subscripts.iter().map(|subscript| {
                    let positions = self.positions(subscript, usize::MAX >> 1)?;
                    Ok(positions.first().map_or(0, |k| k + 1).to_string())
                });
                let texts = texts.collect::<Checked<Vec<_>>>()?;
                name = format!("{name}[{}]", texts.join(","));
            }
        }
        if !is_bus
            && let Some((first, deeper)) = rest.split_first()
            && let Some(member) = connector.members(self.evaluator.library)?.get(&first.name.text)
            && let Content::Instance(inner) = self.evaluator.content(connector, member)?
        {
            return self.of_connector(&inner, component, deeper);
        }
        if !is_bus && rest.is_empty() {
            self.refuse_connectors_inside(connector)?;
        }
        let local = match component {
            Some(component) => name[component.len() + 1..].to_owned(),
            None => name,
        };
        // A member of a bus may be a bus.
        let expandable = is_bus;
        let component = component.map(str::to_owned);
        Ok(vec![End { component, name: local, of_model: None, expandable }])
    }
}
