//! Circuits: potentials and currents, from Kirchhoff's laws and the laws of branches.
//!
//! All potentials and currents are placeholders until the laws of all components are known. Then
//! they are eliminated one after the other; what remains are small systems of equations. An
//! equation without unknowns, such as that of a loop of capacitors, determines a variable that
//! would be a state; the derivative of the equation replaces it.

mod constraints;
mod elimination;
mod equation;

use crate::compile::build_context::BuildContext;
use crate::compile::loads::awaited_values::AwaitedValues;
use crate::error::Error;
use crate::ids::{BranchId, CircuitStateId, ComponentId, Id, PinNode};
use crate::port::part;
use crate::statements::algebra::graph_search::components;
use crate::statements::contributions::Structure;
use crate::statements::contributions::circuits::CircuitState;
use crate::statements::laws::circuits::{BranchLaws, CircuitSymbols};
use crate::statements::laws::signal_view::SignalView;
use crate::statements::motion::ends::PinEnd;
use elimination::{Elimination, StateVariable};
use equation::{Equation, Origin, Symbols};
use equations::Ex;
use std::collections::{BTreeMap, BTreeSet};

/// Placeholders of all potentials, currents and states.
///
/// # Errors
/// A part of a circuit has no ground.
pub fn declare(
    structure: &Structure,
    build: &mut BuildContext<'_>,
) -> Result<CircuitSymbols, Error> {
    let circuits = &structure.circuits;
    check_grounds(structure)?;
    let mut symbols = CircuitSymbols::default();
    let mut unknown = || {
        let symbol = Ex::symbol();
        build.numeric.set(symbol, 0.0);
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
        build.numeric.set(symbol, state.variable.start.value);
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
        let names = in_a_row(names.iter().map(|component| &*structure.names[*component]));
        return Err(Error::Structure(format!(
            "{names} have no Ground: connect one of their pins to a Ground"
        )));
    }
    Ok(())
}

/// Publishes potential and current of each pin, so that signals can read them.
pub fn publish(structure: &Structure, e: &mut SignalView<'_>) {
    let circuits = &structure.circuits;
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
    e: &mut SignalView<'_>,
    awaited: &mut AwaitedValues,
) -> Result<(), Error> {
    let (circuits, symbols) = (&structure.circuits, &e.circuits().clone());
    if circuits.branches.is_empty() && symbols.potentials.is_empty() {
        return Ok(());
    }
    let laws = std::mem::take(&mut e.branch_laws);
    // Potentials come before currents, which are eliminated first.
    let (mut all, mut names, mut node_numbers) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut guesses = Vec::new();
    for (&node, &potential) in &symbols.potentials {
        if potential.as_leaf().is_some() {
            node_numbers.insert(node, all.len());
            all.push(potential);
            names.push(name_of_node(structure, node));
            let guess = circuits.potential_guesses.get(&node);
            guesses.push(guess.map_or(Ex::zero(), |guess| Ex::from(*guess)));
        }
    }
    for (branch, (current, _)) in symbols.branches.enumerate() {
        all.push(*current);
        names.push(structure.names[circuits.branches[branch].component].clone());
        guesses.push(circuits.guesses.get(&branch).map_or(Ex::zero(), |guess| Ex::from(*guess)));
    }
    let unknowns = Symbols::new(all);
    let (mut equations, mut amplifiers) = (Vec::new(), BTreeSet::new());
    for &node in node_numbers.keys() {
        let leaving = symbols.branches.iter().fold(Ex::zero(), |sum, &(current, [from, to])| {
            let of = |end: PinEnd| if end.node == node { current } else { Ex::zero() };
            sum + of(from) - of(to)
        });
        let origin = Origin { nodes: BTreeSet::from([node_numbers[&node]]), ..Origin::default() };
        equations.push(Equation::of(leaving, &unknowns, origin));
    }
    for (branch, of) in circuits.branches.enumerate() {
        let Some(&residual) = laws.residuals.get(&branch) else {
            let name = &structure.names[of.component];
            return Err(Error::Equations(format!("{name}: a branch has no law")));
        };
        let origin = Origin { laws: BTreeSet::from([branch.index()]), ..Origin::default() };
        let inside = unknowns.inside(residual);
        let (current, ends) = &symbols.branches[branch];
        let own = ends.map(|end| symbols.potentials[&end.node]).into_iter().chain([*current]);
        if unknowns.inside(own.fold(Ex::zero(), |sum, x| sum + x)).is_disjoint(&inside) {
            amplifiers.insert(branch.index());
        }
        equations.push(Equation::of(residual, &unknowns, origin));
    }
    let states = state_variables(structure, symbols, &laws)?;
    let turning = Vec::new();
    let elimination =
        Elimination { structure, unknowns, names, guesses, amplifiers, equations, states, turning };
    elimination.finish(e, awaited)
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
        Ok(StateVariable { symbol, variable, start, rate, value: None })
    };
    structure.circuits.states.enumerate().map(of).collect()
}

/// A name for a node: that of one of its pins.
fn name_of_node(structure: &Structure, node: PinNode) -> String {
    let pin = structure.circuits.pins.iter().find(|pin| pin.node == node);
    pin.map_or_else(String::new, |pin| structure.name_of(pin.port))
}

/// Names in a sentence: `R1, C1 and L1`.
fn in_a_row<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match &names[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    }
}

/// The names of the components whose laws an equation contains.
fn names_of_laws(structure: &Structure, origin: &Origin) -> Vec<String> {
    let of = |branch: &usize| structure.circuits.branches[BranchId::at(*branch)].component;
    let components: BTreeSet<ComponentId> = origin.laws.iter().map(of).collect();
    components.into_iter().map(|component| structure.names[component].clone()).collect()
}
