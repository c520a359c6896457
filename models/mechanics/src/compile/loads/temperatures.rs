//! Heat: temperatures of connected heat ports, from the balance of heat flows.
//!
//! A heat node has one temperature, and linked nodes have the same one. With a heat capacity, the
//! temperature is a state; a component may also give it. Otherwise the temperature is a
//! placeholder, and follows from the balance of the heat flows. The heat flow through a link
//! follows from the balance of the nodes on one side of it.

use crate::compile::build_context::BuildContext;
use crate::compile::loads::awaited_values::AwaitedValues;
use crate::error::Error;
use crate::ids::{ComponentId, HeatLinkId, HeatNode, List};
use crate::port::part;
use crate::statements::algebra::equation_blocks::blocks;
use crate::statements::algebra::graph_search::components;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Structure;
use crate::statements::contributions::heat::{Heat, HeatCapacity, HeatPortOf, HeldTemperature};
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::laws::signal_view::{HeatFlow, SignalView};
use equations::{Ex, Model, jacobian};
use std::collections::{BTreeMap, BTreeSet};

/// What determines a temperature.
#[derive(Clone, Debug)]
enum Source {
    /// A state, of the sum of the heat capacities.
    Capacity(Ex),
    /// A given temperature, and the node at which it is given.
    Held(HeatNode),
    /// A placeholder for the temperature that a law of a component states.
    Prescribed(HeatNode, ComponentId),
    /// The balance of heat flows.
    Balance,
}

/// The temperatures of all heat nodes.
#[derive(Default)]
pub struct Temperatures {
    /// Temperatures by the first of the linked nodes.
    sets: BTreeMap<HeatNode, (Ex, Source)>,
    /// The first of the nodes with which a node is linked.
    first: BTreeMap<HeatNode, HeatNode>,
    /// Placeholders of the heat flows through links.
    pub links: List<HeatLinkId, Ex>,
}

/// First guess of a temperature that a balance determines, in K.
const ROOM: f64 = 293.15;

impl Temperatures {
    /// Declares the states and the placeholders of all nodes.
    pub fn declare(
        structure: &Structure,
        build: &mut BuildContext<'_>,
    ) -> Result<Temperatures, Error> {
        let BuildContext { numeric, model } = build;
        let first = linked_nodes(structure)?;
        let mut sets: BTreeMap<HeatNode, (Ex, Source)> = BTreeMap::new();
        let mut unknown = |value: f64| {
            let symbol = Ex::symbol();
            numeric.set(symbol, value);
            symbol
        };
        for &HeldTemperature { component, node, temperature } in &structure.heat.held {
            let held = match temperature {
                Some(temperature) => (temperature, Source::Held(node)),
                None => (unknown(ROOM), Source::Prescribed(node, component)),
            };
            if sets.insert(first[&node], held).is_some() {
                return Err(Error::Structure(format!(
                    "{}: its temperature is already given by another component",
                    structure.names[component]
                )));
            }
        }
        let mut fixed: BTreeMap<HeatNode, (f64, &str)> = BTreeMap::new();
        let mut capacities: Vec<&HeatCapacity> = structure.heat.capacities.iter().collect();
        // A fixed start value has priority over guesses.
        capacities.sort_by_key(|capacity| !capacity.temperature.start.fixed);
        for capacity in capacities {
            let variable = &capacity.temperature;
            let set = first[&capacity.node];
            match sets.get_mut(&set) {
                None => {
                    let state = state(variable, model);
                    sets.insert(set, (state, Source::Capacity(capacity.capacity)));
                }
                Some((state, Source::Capacity(sum))) => {
                    *sum += capacity.capacity;
                    model.local(&variable.name, *state).unit(variable.unit);
                }
                Some(_) => {
                    return Err(Error::Structure(format!(
                        "{}: another component already gives the temperature of its heat port",
                        structure.names[capacity.component]
                    )));
                }
            }
            let (value, name) = (variable.start.value, variable.name.as_str());
            let &mut (first, of) = fixed.entry(set).or_insert((value, name));
            if variable.start.fixed && first != value {
                return Err(Error::Initial(format!(
                    "{name}: its fixed start value {value} K cannot be: {of}, which is connected, \
                     has {first} K"
                )));
            }
        }
        for port in &structure.heat.ports {
            let set = first[&port.node];
            sets.entry(set).or_insert_with(|| (unknown(ROOM), Source::Balance));
        }
        let mut links = List::default();
        for _ in structure.heat.links.iter() {
            links.push(unknown(0.0));
        }
        Ok(Temperatures { sets, first, links })
    }

    /// The temperature of each node in K.
    pub fn by_node(&self) -> BTreeMap<HeatNode, Ex> {
        self.first.iter().map(|(&node, first)| (node, self.sets[first].0)).collect()
    }

    /// Lets signals read the heat flow into the component that gives a temperature.
    fn define_flow_of_holder(
        &self,
        structure: &Structure,
        (set, into_others): (HeatNode, Ex),
        e: &mut SignalView<'_>,
    ) {
        let Heat { held, ports, .. } = &structure.heat;
        let is_here = |node: &HeatNode| self.first[node] == set;
        let mut holders = held.iter().filter(|held| is_here(&held.node));
        let (Some(holder), None) = (holders.next(), holders.next()) else { return };
        let is_own =
            |of: &&HeatPortOf| of.node == holder.node && of.port.component == holder.component;
        if let Some(port) = ports.iter().find(is_own) {
            e.component = holder.component;
            e.define(part(port.port.port, "Q_flow"), -into_others);
        }
    }

    /// Adds the balances of heat flows, once all flows are known.
    pub fn balance(
        &self,
        structure: &Structure,
        numeric: &Numeric,
        e: &mut SignalView<'_>,
        awaited: &mut AwaitedValues,
    ) -> Result<(), Error> {
        let mut into_components: BTreeMap<HeatNode, Ex> = BTreeMap::new();
        let mut into_sets: BTreeMap<HeatNode, Ex> = BTreeMap::new();
        for &HeatFlow { end, flow } in &e.heat_flows {
            *into_components.entry(end.node).or_insert_with(Ex::zero) += flow;
            *into_sets.entry(self.first[&end.node]).or_insert_with(Ex::zero) += flow;
        }
        let flow = |set: &HeatNode| into_sets.get(set).copied().unwrap_or_else(Ex::zero);
        let (mut residuals, mut unknowns, mut ports) = (Vec::new(), Vec::new(), Vec::new());
        for (set, (temperature, source)) in &self.sets {
            if let Source::Held(_) | Source::Prescribed(..) = source {
                self.define_flow_of_holder(structure, (*set, flow(set)), e);
            }
            match source {
                Source::Held(_) => {}
                Source::Prescribed(node, component) => {
                    let name = &structure.names[*component];
                    let value = e.prescribed_temperatures.get(node).copied().ok_or_else(|| {
                        Error::Equations(format!("{name}: no law states its temperature"))
                    })?;
                    awaited.add_guessed(name, *temperature, value, ROOM);
                }
                Source::Capacity(capacity) => {
                    e.model.derivative(*temperature, -flow(set) / *capacity);
                }
                Source::Balance => {
                    residuals.push(flow(set));
                    unknowns.push(*temperature);
                    let port = structure.heat.ports.iter().find(|p| self.first[&p.node] == *set);
                    ports.extend(port.map(|p| e.full_of(p.port)));
                }
            }
        }
        self.flows_through_links(structure, &into_components, &flow, awaited);
        let matrix = jacobian(&residuals, &unknowns);
        let guesses = vec![Ex::from(ROOM); unknowns.len()];
        let mut is_first = true;
        for block in blocks(&matrix) {
            let (rows, columns) = (&block.rows, &block.columns);
            let n = rows.len();
            let numbers = nalgebra::DMatrix::from_row_slice(
                n,
                columns.len(),
                &numeric.all(&block.matrix.concat()),
            );
            if n == 0 || n != columns.len() || numbers.rank(1e-12 * numbers.amax().max(1e-300)) < n
            {
                let all = rows.iter().chain(columns).collect::<BTreeSet<_>>();
                let names: Vec<&str> = all.into_iter().map(|&i| ports[i].as_str()).collect();
                return Err(Error::Structure(format!(
                    "{}: nothing determines the temperature here: connect a HeatCapacitor, a \
                     FixedTemperature or a Convection",
                    names.join(", ")
                )));
            }
            // Only one block can have this name.
            let name = match std::mem::replace(&mut is_first, false) {
                true => "heat ports without heat capacity".to_owned(),
                false => format!("heat ports without heat capacity at {}", ports[columns[0]]),
            };
            for (symbol, value) in block.solve(e.model, &name, &residuals, &unknowns, &guesses) {
                awaited.add_guessed(&name, symbol, value, ROOM);
            }
        }
        Ok(())
    }

    /// Adds the heat flows through links: each follows from the nodes on that side of the link on
    /// which no temperature is given, preferably without a heat capacity.
    fn flows_through_links(
        &self,
        structure: &Structure,
        into_components: &BTreeMap<HeatNode, Ex>,
        into_set: &dyn Fn(&HeatNode) -> Ex,
        awaited: &mut AwaitedValues,
    ) {
        let Heat { links, capacities, .. } = &structure.heat;
        for (id, link) in links.enumerate() {
            let [from, to] = link.ends.map(|end| end.node);
            let set = self.first[&from];
            let others = links.enumerate().filter(|(other, _)| *other != id);
            let pairs = others.map(|(_, of)| (of.ends[0].node, of.ends[1].node));
            let nodes: Vec<HeatNode> = self
                .first
                .iter()
                .filter(|(_, first)| **first == set)
                .map(|(node, _)| *node)
                .collect();
            let pairs = pairs.filter(|(node, _)| self.first[node] == set);
            let sides = components(&nodes, pairs);
            let side_of = |node| sides.iter().find(|side| side.contains(&node));
            let stored = |side: &[HeatNode]| {
                let here = capacities.iter().filter(|of| side.contains(&of.node));
                here.map(|of| of.capacity).reduce(|sum, of| sum + of)
            };
            let rank = |side: &[HeatNode]| match self.sets[&set].1 {
                Source::Held(node) | Source::Prescribed(node, _) if side.contains(&node) => 2,
                _ => u8::from(stored(side).is_some()),
            };
            let sides = [(from, -1.0), (to, 1.0)].map(|(node, sign)| (side_of(node), sign));
            let best = sides.iter().filter_map(|(side, sign)| Some(((*side)?, *sign)));
            let Some((side, sign)) = best.min_by_key(|(side, _)| rank(side)) else { continue };
            let flows = side.iter().filter_map(|node| into_components.get(node).copied());
            let mut sum = flows.reduce(|sum, flow| sum + flow).unwrap_or_else(Ex::zero);
            if let (Some(stored), Source::Capacity(all)) = (stored(side), &self.sets[&set].1) {
                sum += -stored * into_set(&set) / *all;
            }
            awaited.add(&structure.names[link.component], self.links[id], sum * sign);
        }
    }
}

/// The first node of the set of linked nodes to which each node belongs.
///
/// # Errors
/// Links form a loop, or join a port with itself.
fn linked_nodes(structure: &Structure) -> Result<BTreeMap<HeatNode, HeatNode>, Error> {
    let Heat { ports, links, .. } = &structure.heat;
    let nodes: Vec<HeatNode> = ports.iter().map(|port| port.node).collect();
    let mut joined: Vec<(HeatNode, HeatNode)> = Vec::new();
    for link in links.iter() {
        let [from, to] = link.ends.map(|end| end.node);
        let sets = components(&nodes, joined.iter().copied());
        if sets.iter().any(|set| set.contains(&from) && set.contains(&to)) {
            return Err(Error::Structure(format!(
                "{}: its two heat ports are already connected otherwise, so that the heat flow \
                 through it is not determined",
                structure.names[link.component]
            )));
        }
        joined.push((from, to));
    }
    let sets = components(&nodes, joined.into_iter());
    Ok(sets.iter().flat_map(|set| set.iter().map(|node| (*node, set[0]))).collect())
}

fn state(variable: &StartVariable, model: &mut Model) -> Ex {
    model
        .state_from_slot(&variable.name, variable.slot)
        .unit(variable.unit)
        .nominal(variable.nominal)
        .done()
}
