//! Heat: temperatures of connected heat ports, from the balance of heat flows.
//!
//! A heat node has one temperature. With a heat capacity, the temperature is a state; a component
//! may also give it. Otherwise the temperature is a placeholder, and follows from the balance of
//! the node's heat flows.

use crate::compile::build_context::BuildContext;
use crate::compile::loads::awaited_values::AwaitedValues;
use crate::error::Error;
use crate::ids::HeatNode;
use crate::statements::algebra::equation_blocks::blocks;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Structure;
use crate::statements::contributions::heat::{HeatCapacity, HeldTemperature};
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::laws::signal_view::{HeatFlow, SignalView};
use equations::{Ex, Model, jacobian};
use std::collections::{BTreeMap, BTreeSet};

/// What determines the temperature of a node.
#[derive(Clone, Debug)]
enum NodeTemperature {
    /// A state, of the sum of the heat capacities.
    Capacity(Ex),
    /// A given temperature.
    Held,
    /// The balance of heat flows.
    Balance,
}

/// The temperatures of all heat nodes.
#[derive(Default)]
pub struct Temperatures {
    nodes: BTreeMap<HeatNode, (Ex, NodeTemperature)>,
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
        let mut nodes: BTreeMap<HeatNode, (Ex, NodeTemperature)> = BTreeMap::new();
        for &HeldTemperature { component, node, temperature } in &structure.heat.held {
            if nodes.insert(node, (temperature, NodeTemperature::Held)).is_some() {
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
            match nodes.get_mut(&capacity.node) {
                None => {
                    let state = state(variable, model);
                    nodes.insert(
                        capacity.node,
                        (state, NodeTemperature::Capacity(capacity.capacity)),
                    );
                }
                Some((state, NodeTemperature::Capacity(sum))) => {
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
            let &mut (first, of) = fixed.entry(capacity.node).or_insert((value, name));
            if variable.start.fixed && first != value {
                return Err(Error::Initial(format!(
                    "{name}: its fixed start value {value} K cannot be: {of}, which is connected, \
                     has {first} K"
                )));
            }
        }
        for port in &structure.heat.ports {
            nodes.entry(port.node).or_insert_with(|| {
                let symbol = Ex::symbol();
                numeric.set(symbol, ROOM);
                (symbol, NodeTemperature::Balance)
            });
        }
        Ok(Temperatures { nodes })
    }

    /// The temperature of each node in K.
    pub fn by_node(&self) -> BTreeMap<HeatNode, Ex> {
        self.nodes.iter().map(|(&node, &(temperature, _))| (node, temperature)).collect()
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
        for &HeatFlow { end, flow } in &e.heat_flows {
            *into_components.entry(end.node).or_insert_with(Ex::zero) += flow;
        }
        let flow = |node: &HeatNode| into_components.get(node).copied().unwrap_or_else(Ex::zero);
        let (mut residuals, mut unknowns, mut ports) = (Vec::new(), Vec::new(), Vec::new());
        for (node, (temperature, kind)) in &self.nodes {
            match kind {
                NodeTemperature::Held => {}
                NodeTemperature::Capacity(capacity) => {
                    e.model.derivative(*temperature, -flow(node) / *capacity);
                }
                NodeTemperature::Balance => {
                    residuals.push(flow(node));
                    unknowns.push(*temperature);
                    let port = structure.heat.ports.iter().find(|p| p.node == *node);
                    ports.extend(port.map(|p| e.full_of(p.port)));
                }
            }
        }
        let matrix = jacobian(&residuals, &unknowns);
        let guesses = vec![Ex::from(ROOM); unknowns.len()];
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
            let name = "heat ports without heat capacity";
            for (symbol, value) in block.solve(e.model, name, &residuals, &unknowns, &guesses) {
                awaited.add(name, symbol, value);
            }
        }
        Ok(())
    }
}

fn state(variable: &StartVariable, model: &mut Model) -> Ex {
    model
        .state_from_slot(&variable.name, variable.slot)
        .unit(variable.unit)
        .nominal(variable.nominal)
        .done()
}
