//! The components of a model as a graph, and its division.

use super::{Crossing, Cut, CutModel, FlangeDomain};
use crate::content::File;
use equations::similar;
use mechanics::assembly::{Class, Connection, Netlist, PortId, Registry};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The classes of points that do not move, or have a given potential: whatever is connected with
/// them is not joined by them.
const GROUNDS: [&str; 4] =
    ["multibody::World", "rotational::Fixed", "translational::Fixed", "electrical::Ground"];

/// A port: the index of its component, and its name in it.
type Port = (usize, &'static str);

/// The components of a model and their connections.
pub(super) struct Graph {
    names: Vec<String>,
    classes: Vec<Option<&'static Class>>,
    is_ground: Vec<bool>,
    /// Sets of ports that are connected, in the order of the model.
    nodes: Vec<Vec<Port>>,
    /// Signals that can be divided: variable and input.
    signals: Vec<(Port, Port)>,
    /// Components that cannot be divided, because the equations of one read the other.
    bound: Vec<(usize, usize)>,
}

impl Graph {
    pub(super) fn of(file: &File, netlist: &Netlist, registry: &Registry) -> Graph {
        let names: Vec<String> = netlist.components.iter().map(|c| c.name.clone()).collect();
        let paths: BTreeMap<&str, &str> =
            file.components.iter().map(|c| (c.name.as_str(), c.class.as_str())).collect();
        let class = |name: &String| registry.class(paths.get(name.as_str())?).ok();
        let is_ground =
            |name: &String| paths.get(name.as_str()).is_some_and(|path| GROUNDS.contains(path));
        let mut graph = Graph {
            classes: names.iter().map(class).collect(),
            is_ground: names.iter().map(is_ground).collect(),
            names,
            nodes: Vec::new(),
            signals: Vec::new(),
            bound: Vec::new(),
        };
        let index: BTreeMap<String, usize> = graph.names.iter().cloned().zip(0..).collect();
        let unknown = graph.names.len();
        let port = |id: PortId| {
            let component = netlist.component_of(id).and_then(|c| index.get(&c.name));
            (component.copied().unwrap_or(unknown), id.port)
        };
        for connection in &netlist.connections {
            match *connection {
                Connection::Signal { from, to } => {
                    let (from, to) = (port(from), port(to));
                    if [from.0, to.0]
                        .iter()
                        .all(|c| graph.classes.get(*c).is_some_and(Option::is_some))
                    {
                        graph.signals.push((from, to));
                    } else if from.0 < graph.names.len() && to.0 < graph.names.len() {
                        graph.bound.push((from.0, to.0));
                    }
                }
                Connection::Frames(a, b)
                | Connection::Flanges(a, b)
                | Connection::HeatPorts(a, b)
                | Connection::Pins(a, b) => {
                    let (a, b) = (port(a), port(b));
                    if a.0 < graph.names.len() && b.0 < graph.names.len() {
                        graph.join(a, b);
                    }
                }
            }
        }
        graph
    }

    /// Joins the sets of two ports.
    fn join(&mut self, a: Port, b: Port) {
        let set = |port: Port| self.nodes.iter().position(|set| set.contains(&port));
        match (set(a), set(b)) {
            (None, None) => self.nodes.push(vec![a, b]),
            (Some(k), None) => self.nodes[k].push(b),
            (None, Some(k)) => self.nodes[k].push(a),
            (Some(k), Some(l)) if k != l => {
                let (first, second) = (k.min(l), k.max(l));
                let moved = self.nodes.remove(second);
                self.nodes[first].extend(moved);
            }
            _ => {}
        }
    }

    /// The name of a port.
    fn label(&self, (component, port): Port) -> String {
        format!("{}.{port}", self.names[component])
    }

    /// The domain of a port that is a flange.
    fn domain(&self, (component, port): Port) -> Option<FlangeDomain> {
        // The port of a list has an index: `flange_b[2]`.
        let name = port.split('[').next().unwrap_or(port);
        let declared = self.classes.get(component)?.as_ref()?.declaration.ports;
        let kind = declared.iter().find(|p| p.name == name)?.kind;
        match kind.trim_start_matches('[').split([';', ']']).next()?.trim() {
            "Flange" => Some(FlangeDomain::Rotational),
            "TranslationalFlange" => Some(FlangeDomain::Translational),
            _ => None,
        }
    }

    /// Whether a component sticks and slides: it publishes its mode.
    fn has_friction(&self, component: usize) -> bool {
        let variables =
            self.classes[component].map_or(&[][..], |class| class.declaration.variables);
        variables.iter().any(|variable| variable.name == "mode")
    }

    /// The names of all flanges that are connected.
    pub(super) fn all_flanges(&self) -> Vec<String> {
        let ports = self.nodes.iter().flatten().copied().filter(|port| !self.is_ground[port.0]);
        ports.filter(|port| self.domain(*port).is_some()).map(|port| self.label(port)).collect()
    }

    /// See [`super::flanges`].
    pub(super) fn flanges(&self, name: &str) -> Result<Vec<String>, String> {
        let all = self.all_flanges();
        if all.iter().any(|flange| flange == name) {
            return Ok(vec![name.to_owned()]);
        }
        if let Some(component) = self.names.iter().position(|known| known == name) {
            let own = self.nodes.iter().flatten().filter(|port| port.0 == component);
            let own: Vec<String> =
                own.filter(|p| self.domain(**p).is_some()).map(|p| self.label(*p)).collect();
            return match own.is_empty() {
                true => Err(format!("{name} has no flange that is connected")),
                false => Ok(own),
            };
        }
        let known = all.iter().chain(&self.names).map(String::as_str);
        Err(match similar(name, known) {
            Some(similar) => {
                format!("there is no flange or component `{name}`; is it `{similar}`?")
            }
            None => format!("there is no flange or component `{name}`"),
        })
    }

    /// See [`CutModel::new`].
    pub(super) fn cut(&self, file: &File, at: &[String]) -> Result<CutModel, Vec<String>> {
        let mut errors = Vec::new();
        let mut places = Vec::new();
        for name in at {
            match self.place(name) {
                Ok(place) => places.push((name, place)),
                Err(error) => errors.push(error),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        for (k, (name, (port, _))) in places.iter().enumerate() {
            let earlier = places[..k].iter().find(|(_, (p, o))| p == port || o.contains(port));
            if let Some((earlier, _)) = earlier {
                errors.push(format!("{name} and {earlier} are the same connection"));
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let removed: Vec<Port> = places.iter().map(|(_, (port, _))| *port).collect();
        let islands = self.islands(&removed);
        for (name, (port, others)) in &places {
            let other =
                others.iter().find(|o| islands[o.0] == islands[port.0] && !self.is_ground[o.0]);
            if let Some(other) = other {
                errors.push(self.inseparable(name, *port, *other, &removed));
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        // The parts in the order in which the cuts name them: the side of the flange first.
        let mut parts: Vec<usize> = Vec::new();
        let mut cuts = Vec::new();
        for (name, (port, others)) in &places {
            let Some(other) = others.iter().find(|other| !self.is_ground[other.0]) else {
                return Err(vec![format!("{name} is connected with fixed points only")]);
            };
            let mut part = |island: usize| {
                parts.iter().position(|known| *known == island).unwrap_or_else(|| {
                    parts.push(island);
                    parts.len() - 1
                })
            };
            cuts.push(Cut {
                at: (*name).clone(),
                domain: self.domain(*port).unwrap_or(FlangeDomain::Rotational),
                friction: std::iter::once(port)
                    .chain(others)
                    .filter(|port| self.has_friction(port.0))
                    .map(|port| self.names[port.0].clone())
                    .collect(),
                parts: [part(islands[port.0]), part(islands[other.0])],
                ports: [vec![self.label(*port)], others.iter().map(|o| self.label(*o)).collect()],
            });
        }
        let part_of = self.assigned(&islands, &parts);
        Ok(CutModel {
            file: file.clone(),
            crossings: self.crossings(&part_of),
            part_of: self.names.iter().cloned().zip(part_of).collect(),
            grounds: (0..self.names.len())
                .filter(|c| self.is_ground[*c])
                .map(|c| self.names[c].clone())
                .collect(),
            count: parts.len(),
            cuts,
        })
    }

    /// The port of a flange, and the other ports that are connected with it.
    fn place(&self, name: &str) -> Result<(Port, Vec<Port>), String> {
        let found = self.nodes.iter().find_map(|node| {
            let port = node.iter().find(|port| self.label(**port) == name)?;
            Some((*port, node.iter().filter(|other| *other != port).copied().collect()))
        });
        let known = || self.all_flanges();
        let (port, others): (Port, Vec<Port>) =
            found.ok_or_else(|| match similar(name, known().iter().map(String::as_str)) {
                Some(similar) => format!("there is no flange `{name}`; is it `{similar}`?"),
                None => format!("there is no flange `{name}`"),
            })?;
        match self.domain(port) {
            Some(_) if self.is_ground[port.0] => Err(format!("{name} is a fixed point")),
            Some(_) => Ok((port, others)),
            None => Err(format!("{name} is not a flange: a model is cut at flanges")),
        }
    }

    /// The island of each component: components that are connected without the removed ports have
    /// the same number. Fixed points join nothing.
    fn islands(&self, removed: &[Port]) -> Vec<usize> {
        let mut island: Vec<usize> = (0..self.names.len()).collect();
        let mut merge = |a: usize, b: usize| {
            let (a, b) = (island[a], island[b]);
            island.iter_mut().filter(|i| **i == b).for_each(|i| *i = a);
        };
        for node in &self.nodes {
            if node.iter().any(|port| self.is_ground[port.0]) {
                continue;
            }
            let mut kept = node.iter().filter(|port| !removed.contains(port));
            let Some(first) = kept.next() else { continue };
            kept.for_each(|other| merge(first.0, other.0));
        }
        self.bound.iter().for_each(|(a, b)| merge(*a, *b));
        island
    }

    /// The sentence that two sides of a cut are joined elsewhere too, with the way.
    fn inseparable(&self, name: &str, from: Port, to: Port, removed: &[Port]) -> String {
        let neighbours = |component: usize| -> BTreeSet<usize> {
            let nodes = self.nodes.iter().filter(|node| {
                !node.iter().any(|port| self.is_ground[port.0])
                    && node.iter().any(|port| port.0 == component && !removed.contains(port))
            });
            let physical = nodes.flatten().filter(|port| !removed.contains(port)).map(|p| p.0);
            let bound = self.bound.iter().filter(|(a, b)| *a == component || *b == component);
            physical.chain(bound.flat_map(|(a, b)| [*a, *b])).collect()
        };
        let mut before: BTreeMap<usize, usize> = BTreeMap::new();
        let mut waiting = VecDeque::from([from.0]);
        while let Some(component) = waiting.pop_front() {
            for next in neighbours(component) {
                if next != from.0 && !before.contains_key(&next) {
                    before.insert(next, component);
                    waiting.push_back(next);
                }
            }
        }
        let mut way = vec![self.names[to.0].as_str()];
        let mut component = to.0;
        while let Some(previous) = before.get(&component) {
            way.push(&self.names[*previous]);
            component = *previous;
        }
        way.reverse();
        match way.as_slice() {
            [only] => format!("a cut at {name} does not divide the model: {only} is on both sides"),
            _ => format!(
                "a cut at {name} does not divide the model: its sides are also joined by {}",
                way.join(" - ")
            ),
        }
    }

    /// The part of each component. What no cut divides belongs to the part that reads its signals,
    /// or else to the part whose signals it reads, or else to the first part.
    fn assigned(&self, islands: &[usize], parts: &[usize]) -> Vec<usize> {
        let mut part: BTreeMap<usize, usize> =
            parts.iter().enumerate().map(|(index, island)| (*island, index)).collect();
        for follows_readers in [true, false] {
            let of = |(from, to): &(Port, Port)| match follows_readers {
                true => (from.0, to.0),
                false => (to.0, from.0),
            };
            loop {
                let pairs = self
                    .signals
                    .iter()
                    .map(of)
                    .map(|(own, other)| (islands[own], part.get(&islands[other]).copied()));
                let new = pairs.filter_map(|(own, other)| Some((own, other?)));
                let Some((island, of_part)) =
                    new.into_iter().find(|(own, _)| !part.contains_key(own))
                else {
                    break;
                };
                part.insert(island, of_part);
            }
        }
        islands.iter().map(|island| part.get(island).copied().unwrap_or(0)).collect()
    }

    /// The signals between parts.
    fn crossings(&self, part_of: &[usize]) -> Vec<Crossing> {
        let mut found: Vec<Crossing> = Vec::new();
        for (from, to) in &self.signals {
            let (source, sink) = (part_of[from.0], part_of[to.0]);
            if source == sink || self.is_ground[from.0] {
                continue;
            }
            let (variable, input) = (self.label(*from), self.label(*to));
            let known = found.iter_mut().find(|c| c.variable == variable && c.to == sink);
            if let Some(known) = known {
                known.inputs.push(input);
                continue;
            }
            let (class, unit) = self.signal(*from, *to);
            found.push(Crossing {
                variable,
                from: source,
                to: sink,
                inputs: vec![input],
                class,
                unit,
            });
        }
        found
    }

    /// The class of an input for a signal, and the unit of the variable or else of the reader.
    fn signal(&self, from: Port, to: Port) -> (&'static str, String) {
        let declaration = |port: Port| self.classes[port.0].map(|class| class.declaration);
        let name = from.1.split('[').next().unwrap_or(from.1);
        let variable = declaration(from).and_then(|d| d.variables.iter().find(|v| v.name == name));
        let name = to.1.split('[').next().unwrap_or(to.1);
        let input = declaration(to).and_then(|d| d.ports.iter().find(|p| p.name == name));
        let class = match input.map(|input| input.kind) {
            Some(kind) if kind.contains("BooleanInput") => "signals::ExternalBoolean",
            Some(kind) if kind.contains("IntegerInput") => "signals::ExternalInteger",
            _ => "signals::ExternalInput",
        };
        let units = [variable.map(|v| v.unit), input.map(|input| input.unit)];
        let unit = units.into_iter().flatten().find(|unit| !unit.is_empty()).unwrap_or("1");
        (class, unit.to_owned())
    }
}
