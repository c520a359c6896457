//! Clocks of signals: connected signals have the same clock, unless a component says otherwise.

use crate::error::Error;
use crate::ids::{ComponentId, List};
use crate::port::{Connection, PortId, full_name};
use crate::statements::algebra::graph_search::components;
use equations::{Clock, Ex};
use std::collections::{BTreeMap, BTreeSet};

/// How one clock follows from another one.
#[derive(Clone, Copy, Debug)]
pub enum Derivation {
    /// So many times slower.
    Sub(i64),
    /// So many times faster.
    Super(i64),
    /// Later by a fraction of the time between two ticks.
    Shift(i64, i64),
    /// A whole number of times slower: the other clock is known otherwise.
    AnySub,
    /// A whole number of times faster: the other clock is known otherwise.
    AnySuper,
}

impl Derivation {
    fn forwards(self, clock: Clock) -> Option<Clock> {
        match self {
            Derivation::Sub(factor) => clock.slower(factor),
            Derivation::Super(factor) => clock.faster(factor),
            Derivation::Shift(counter, resolution) => clock.shift(counter, resolution),
            Derivation::AnySub | Derivation::AnySuper => None,
        }
    }

    fn backwards(self, clock: Clock) -> Option<Clock> {
        match self {
            Derivation::Sub(factor) => clock.faster(factor),
            Derivation::Super(factor) => clock.slower(factor),
            Derivation::Shift(counter, resolution) => clock.shift(-counter, resolution),
            Derivation::AnySub | Derivation::AnySuper => None,
        }
    }
}

/// The clock of a component follows from that at one of its ports.
#[derive(Clone, Copy, Debug)]
pub struct DerivedClock {
    /// The port.
    pub from: PortId,
    /// How.
    pub by: Derivation,
}

/// What components say about clocks, and the clocks that follow.
#[derive(Default)]
pub struct Clocks {
    /// Ports whose signals need not have the clock of their component.
    pub apart: BTreeSet<PortId>,
    /// Components that have a clock.
    pub given: Vec<(ComponentId, Clock)>,
    /// Components whose clock follows from another one.
    pub derived: Vec<DerivedClock>,
    /// The clocks of components.
    pub of_components: BTreeMap<ComponentId, Clock>,
}

/// Signals with the same clock, by their number.
struct Partitions {
    of_node: BTreeMap<PortId, usize>,
    clocks: Vec<Option<(Clock, ComponentId)>>,
}

impl Clocks {
    /// Where the signal of a port belongs: to the component, or to the port alone.
    fn node(&self, port: PortId) -> PortId {
        if self.apart.contains(&port) { port } else { PortId { port: "", ..port } }
    }

    /// Determines the clocks of components; `number` gives the values of periods.
    ///
    /// # Errors
    /// Signals have two clocks, or a clock cannot be derived.
    pub fn determine(
        &mut self,
        connections: &[Connection],
        names: &List<ComponentId, String>,
        number: &dyn Fn(Ex) -> Option<f64>,
    ) -> Result<(), Error> {
        if self.given.is_empty() {
            return Ok(());
        }
        let mut partitions = self.partitions(connections);
        for &(component, clock) in &self.given {
            partitions.set(PortId { component, port: "" }, (clock, component), names)?;
        }
        for _ in 0..=self.derived.len() {
            for &DerivedClock { from, by } in &self.derived {
                let to = PortId { port: "", ..from };
                let derived = |clock: Option<Clock>| {
                    let name = full_name(&names[from.component], from.port);
                    let sentence = format!(
                        "{name}: no clock follows from that of this signal: a factor or a \
                         resolution is not positive, or a clock counts too far"
                    );
                    clock.ok_or(Error::Connection(sentence))
                };
                match (by, partitions.clock(from), partitions.clock(to)) {
                    (Derivation::AnySub | Derivation::AnySuper, ..) => {}
                    (_, Some((clock, _)), _) => {
                        let clock = derived(by.forwards(clock))?;
                        partitions.set(to, (clock, from.component), names)?;
                    }
                    (_, None, Some((clock, _))) => {
                        let clock = derived(by.backwards(clock))?;
                        partitions.set(from, (clock, from.component), names)?;
                    }
                    (_, None, None) => {}
                }
            }
        }
        self.check_ratios(&partitions, names, number)?;
        let of_component = |node: &PortId| node.port.is_empty();
        let nodes = partitions.of_node.keys().filter(|&node| of_component(node));
        let clocks = nodes.filter_map(|&node| Some((node.component, partitions.clock(node)?.0)));
        self.of_components = clocks.collect();
        Ok(())
    }

    /// Refuses two clocks of which one should be a whole number of times slower than the other.
    fn check_ratios(
        &self,
        partitions: &Partitions,
        names: &List<ComponentId, String>,
        number: &dyn Fn(Ex) -> Option<f64>,
    ) -> Result<(), Error> {
        for &DerivedClock { from, by } in &self.derived {
            let own = partitions.clock(PortId { port: "", ..from });
            let (Some((before, _)), Some((after, _))) = (partitions.clock(from), own) else {
                continue;
            };
            let ratio = match by {
                Derivation::AnySub => after.times_slower_than(&before, number),
                Derivation::AnySuper => before.times_slower_than(&after, number),
                _ => None,
            };
            let is_whole = |ratio: f64| ratio > 0.5 && (ratio / ratio.round() - 1.0).abs() < 1e-9;
            if let Some(ratio) = ratio.filter(|&ratio| !is_whole(ratio)) {
                let (name, way) = (
                    &names[from.component],
                    match by {
                        Derivation::AnySub => "slower",
                        _ => "faster",
                    },
                );
                return Err(Error::Connection(format!(
                    "{name}: the clock of y is {ratio} times {way} than that of u, which is no \
                     whole number"
                )));
            }
        }
        Ok(())
    }

    /// The partitions, whose clocks are not known.
    fn partitions(&self, connections: &[Connection]) -> Partitions {
        let signals = connections.iter().filter_map(|connection| match *connection {
            Connection::Signal { from, to } => Some((self.node(from), self.node(to))),
            _ => None,
        });
        let edges: Vec<(PortId, PortId)> = signals.collect();
        let given = self.given.iter().map(|&(component, _)| PortId { component, port: "" });
        let derived = self.derived.iter().flat_map(|of| [of.from, PortId { port: "", ..of.from }]);
        let connected = edges.iter().flat_map(|&(from, to)| [from, to]);
        let nodes: BTreeSet<PortId> = connected.chain(given).chain(derived).collect();
        let nodes: Vec<PortId> = nodes.into_iter().collect();
        let sets = components(&nodes, edges.into_iter());
        let clocks = vec![None; sets.len()];
        let numbered = sets.into_iter().enumerate();
        let of_node = numbered.flat_map(|(i, set)| set.into_iter().map(move |node| (node, i)));
        Partitions { of_node: of_node.collect(), clocks }
    }
}

impl Partitions {
    fn clock(&self, node: PortId) -> Option<(Clock, ComponentId)> {
        self.of_node.get(&node).and_then(|&i| self.clocks[i])
    }

    /// Gives a clock to signals, which must not have another one.
    fn set(
        &mut self,
        node: PortId,
        (clock, by): (Clock, ComponentId),
        names: &List<ComponentId, String>,
    ) -> Result<(), Error> {
        let known = &mut self.clocks[self.of_node[&node]];
        match known {
            None => *known = Some((clock, by)),
            Some((other, _)) if *other == clock => {}
            Some((_, other)) => {
                let [other, by] = [*other, by].map(|component| &names[component]);
                return Err(Error::Connection(format!(
                    "{other} and {by} give two clocks to the same signals; a SubSample, a \
                     SuperSample or a ShiftSample leads from one clock to another"
                )));
            }
        }
        Ok(())
    }
}
