//! Connection sets: which ports are one node, and which variable feeds which input.

use crate::error::Error;
use crate::ids::{ComponentId, FlangeNode, FrameNode, HeatNode, Id, PinNode};
use crate::port::{Connection, PortId};
use std::collections::{BTreeMap, BTreeSet};

/// Ports merged by connections of one kind.
#[derive(Debug, Default)]
struct Sets {
    node_of: BTreeMap<PortId, usize>,
    /// The node that a node was merged into, or itself.
    parent: Vec<usize>,
}

impl Sets {
    fn node(&mut self, port: PortId) -> usize {
        let next = self.parent.len();
        let node = *self.node_of.entry(port).or_insert(next);
        if node == next {
            self.parent.push(next);
        }
        self.root(node)
    }

    fn root(&self, mut node: usize) -> usize {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    fn merge(&mut self, a: PortId, b: PortId) {
        let (a, b) = (self.node(a), self.node(b));
        let (first, second) = (a.min(b), a.max(b));
        self.parent[second] = first;
    }
}

/// The connections of a model, by port.
#[derive(Debug, Default)]
pub struct Wiring {
    flanges: Sets,
    frames: Sets,
    heat_ports: Sets,
    pins: Sets,
    sources: BTreeMap<PortId, PortId>,
    /// The ports that connections name, except variables that feed inputs.
    connected: BTreeSet<PortId>,
}

impl Wiring {
    /// Reads the connections; `name` gives a port's full name for messages.
    pub fn new(connections: &[Connection], name: impl Fn(PortId) -> String) -> Result<Self, Error> {
        let mut wiring = Wiring::default();
        for connection in connections {
            wiring.connected.extend(connection.ports());
            match *connection {
                Connection::Frames(a, b) => wiring.frames.merge(a, b),
                Connection::Flanges(a, b) => wiring.flanges.merge(a, b),
                Connection::HeatPorts(a, b) => wiring.heat_ports.merge(a, b),
                Connection::Pins(a, b) => wiring.pins.merge(a, b),
                Connection::Signal { from, to } => {
                    let before = wiring.sources.insert(to, from);
                    if let Some(before) = before.filter(|&before| before != from) {
                        return Err(Error::Connection(format!(
                            "{}: the input is connected to both {} and {}",
                            name(to),
                            name(before),
                            name(from)
                        )));
                    }
                }
            }
        }
        Ok(wiring)
    }

    /// The node of a flange.
    pub fn flange_node(&mut self, port: PortId) -> FlangeNode {
        FlangeNode::at(self.flanges.node(port))
    }

    /// The node of a heat port.
    pub fn heat_node(&mut self, port: PortId) -> HeatNode {
        HeatNode::at(self.heat_ports.node(port))
    }

    /// The node of a pin.
    pub fn pin_node(&mut self, port: PortId) -> PinNode {
        PinNode::at(self.pins.node(port))
    }

    /// The node of a frame.
    pub fn frame_node(&mut self, port: PortId) -> FrameNode {
        FrameNode::at(self.frames.node(port))
    }

    /// Whether any connection names the port.
    pub fn is_connected(&self, port: PortId) -> bool {
        self.connected.contains(&port)
    }

    /// The ports of a component that connections name, in the order of their names.
    pub fn connected_ports(&self, of: ComponentId) -> impl Iterator<Item = &'static str> {
        let first = PortId { component: of, port: "" };
        let own = self.connected.range(first..).take_while(move |id| id.component == of);
        own.map(|id| id.port)
    }

    /// The variable that feeds an input.
    pub fn source(&self, port: PortId) -> Option<PortId> {
        self.sources.get(&port).copied()
    }

    /// The number of flange nodes, merged ones included.
    pub fn flange_count(&self) -> usize {
        self.flanges.parent.len()
    }
}
