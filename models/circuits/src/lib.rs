//! Circuits: potentials and currents, from Kirchhoff's laws and the laws of branches.
//!
//! All potentials and currents are placeholders until the laws of all components are known. Then
//! they are eliminated one after the other; what remains are small systems of equations. An
//! equation without unknowns, such as the equation of a loop of capacitors, determines a variable
//! that would be a state; the derivative of the equation replaces the equation.

mod companion;
mod constraints;
mod couplings;
mod elimination;
mod graph;
mod ideal;
mod jumps;
mod names;
mod parts;
mod resistances;
mod solution;
mod switch_rows;
mod tableau;

use elimination::StateVariable;
use equations::Ex;
use ideal::Constraints;
use language::error::Error;
use language::ids::{CircuitStateId, ComponentId, PinNode};
use language::port::part;
use language::statements::algebra::graph_search::components;
use language::statements::algebra::linear_equation::Symbols;
use language::statements::algebra::numeric::Numeric;
use language::statements::contributions::Structure;
use language::statements::contributions::circuits::CircuitState;
use language::statements::laws::circuits::{BranchLaws, CircuitSymbols};
use language::statements::laws::signal_view::SignalView;
use language::statements::motion::ends::PinEnd;
use names::in_a_row;
use parts::Parts;
pub use solution::{Solution, Steady, Value};
use std::collections::{BTreeMap, BTreeSet};
use tableau::Tableau;

/// Placeholders of all potentials, currents and states.
///
/// # Errors
/// A part of a circuit has no ground.
pub fn declare(structure: &Structure, numeric: &mut Numeric) -> Result<CircuitSymbols, Error> {
    let circuits = &structure.circuits;
    check_grounds(structure)?;
    let mut symbols =
        CircuitSymbols { ideal: !circuits.ideal.is_empty(), ..CircuitSymbols::default() };
    let mut unknown = || {
        let symbol = Ex::symbol();
        numeric.set(symbol, 0.0);
        symbol
    };
    for pin in circuits.pins.iter() {
        let is_ground = circuits.grounds.contains(&pin.node);
        let potentials = &mut symbols.potentials;
        potentials
            .entry(pin.node)
            .or_insert_with(|| if is_ground { Ex::zero() } else { unknown() });
    }
    for branch in circuits.branches.iter() {
        symbols.branches.push((unknown(), branch.ends));
    }
    for state in circuits.states.iter() {
        let symbol = Ex::symbol();
        numeric.set(symbol, state.variable.start.value);
        symbols.states.push(symbol);
    }
    Ok(symbols)
}

/// Refuses connected components without ground.
fn check_grounds(structure: &Structure) -> Result<(), Error> {
    let circuits = &structure.circuits;
    let nodes: Vec<PinNode> = circuits.pins.iter().map(|pin| pin.node).collect();
    let pairs = circuits.branches.iter().map(|branch| (branch.ends[0].node, branch.ends[1].node));
    for part in components(&nodes, pairs) {
        if part.iter().any(|node| circuits.grounds.contains(node)) {
            continue;
        }
        let here = circuits.pins.iter().filter(|pin| part.contains(&pin.node));
        let names: BTreeSet<ComponentId> = here.map(|pin| pin.port.component).collect();
        let (has, its) = if names.len() == 1 { ("has", "its") } else { ("have", "their") };
        let names = in_a_row(names.iter().map(|component| &*structure.names[*component]));
        return Err(Error::Structure(format!(
            "{names} {has} no Ground: connect one of {its} pins to a Ground"
        )));
    }
    Ok(())
}

/// Publishes potential and current of each pin, so that signals can read them.
pub fn publish(structure: &Structure, e: &mut SignalView<'_>) {
    let circuits = &structure.circuits;
    // The search for modes looks at jumps before it looks at the modes of switches.
    for (part, name) in Parts::new(structure).ideal {
        let residual = Ex::symbol();
        let jumping = e.model.sampled(&format!("circuits: something jumps at {name}"), residual);
        e.branch_laws.jumping.insert(part, (residual, jumping));
    }
    let symbols = e.circuits().clone();
    for (id, pin) in circuits.pins.enumerate().filter(|(_, pin)| pin.published) {
        let into = symbols.branches.iter().fold(Ex::zero(), |sum, &(current, [from, to])| {
            let of = |end: PinEnd| if end.end == id { current } else { Ex::zero() };
            sum + of(from) - of(to)
        });
        e.component = pin.port.component;
        let [v, i] = ["v", "i"].map(|variable| part(pin.port.port, variable));
        e.undeclared(v, symbols.potentials[&pin.node]).unit("V").describe("Potential at the pin");
        // The current into a ground follows from those of all others.
        if !circuits.grounds.contains(&pin.node) || !into.is_constant_zero() {
            e.undeclared(i, into).unit("A").describe("Current flowing into the pin");
        }
    }
}

/// Solves all circuits, once the laws of all components are known.
///
/// # Errors
/// A branch has no law, or a voltage or a current is not determined.
pub fn solve(
    structure: &Structure,
    numeric: &Numeric,
    e: &mut SignalView<'_>,
) -> Result<Solution, Error> {
    let (circuits, symbols) = (&structure.circuits, &e.circuits().clone());
    let mut solution = Solution::default();
    if circuits.branches.is_empty() && symbols.potentials.is_empty() {
        return Ok(solution);
    }
    let laws = std::mem::take(&mut e.branch_laws);
    let tableau = Tableau::new(structure, symbols);
    let states = state_variables(structure, symbols, &laws)?;
    let residuals = tableau.residuals(&laws)?;
    let mut equations = tableau.equations(&residuals);
    if circuits.ideal.is_empty() {
        tableau.choose_unknowns(&mut equations, numeric);
        tableau.elimination(equations, states).finish(e, &mut solution)?;
        return Ok(solution);
    }
    let unknowns = Symbols::new(tableau.all.clone());
    let network = tableau.network(&unknowns, &equations, &laws, &states);
    network.note_parallel(e);
    let constraints = Constraints::new(&network, e);
    constraints.refuse_inputs(&network, structure, e.model);
    let mut selected: BTreeMap<usize, Ex> = residuals.iter().copied().enumerate().collect();
    constraints.laws(&network, &mut selected, e);
    let selected: Vec<Ex> = selected.into_values().collect();
    let in_jumps = companion::positions(&tableau, &residuals, &laws, &states, e, &mut solution)?;
    companion::decide(&network, &constraints, &in_jumps, &laws, e, &mut solution);
    let mut ideal = tableau.equations(&selected);
    tableau.choose_unknowns(&mut ideal, numeric);
    let finished = tableau.elimination(ideal, states.clone()).finish(e, &mut solution)?;
    jumps::state(&network, &constraints, &finished, e)?;
    Ok(solution)
}

/// The variables that may be states, with their derivatives.
fn state_variables(
    structure: &Structure,
    symbols: &CircuitSymbols,
    laws: &BranchLaws,
) -> Result<Vec<StateVariable>, Error> {
    let of = |(id, state): (CircuitStateId, &CircuitState)| {
        let name = &state.variable.name;
        let rate = laws.rates.get(&id).copied().ok_or_else(|| {
            Error::Equations(format!("{name}: the equations do not state its derivative"))
        })?;
        let (symbol, variable) = (symbols.states[id], state.variable.clone());
        let start = laws.starts.get(&id).copied();
        let is_steady = state.is_steady;
        Ok(StateVariable { symbol, variable, start, is_steady, rate, value: None })
    };
    structure.circuits.states.enumerate().map(of).collect()
}
