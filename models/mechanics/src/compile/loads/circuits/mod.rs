//! Circuits: potentials and currents, from Kirchhoff's laws and the laws of branches.
//!
//! All potentials and currents are placeholders until the laws of all components are known. Then
//! they are eliminated one after the other; what remains are small systems of equations. An
//! equation without unknowns, such as that of a loop of capacitors, determines a variable that
//! would be a state; the derivative of the equation replaces it.

mod companion;
mod constraints;
mod elimination;
mod equation;
mod ideal;
mod jumps;
mod reduction;
mod resistances;

use crate::compile::build_context::BuildContext;
use crate::compile::loads::awaited_values::AwaitedValues;
use crate::error::Error;
use crate::ids::{BranchId, CircuitStateId, ComponentId, Id, PinNode};
use crate::port::part;
use crate::statements::algebra::graph_search::components;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Structure;
use crate::statements::contributions::circuits::{Branch as CircuitBranch, CircuitState};
use crate::statements::laws::circuits::{BranchLaws, CircuitSymbols};
use crate::statements::laws::signal_view::SignalView;
use crate::statements::motion::ends::PinEnd;
use elimination::{Elimination, StateVariable};
use equation::{Equation, Origin, Symbols, Unknown};
use equations::Ex;
use ideal::{Kind, Network, Side};
use resistances::Branch;
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
    let mut symbols = CircuitSymbols { ideal: circuits.ideal, ..CircuitSymbols::default() };
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
    numeric: &Numeric,
    e: &mut SignalView<'_>,
    awaited: &mut AwaitedValues,
) -> Result<(), Error> {
    let (circuits, symbols) = (&structure.circuits, &e.circuits().clone());
    if circuits.branches.is_empty() && symbols.potentials.is_empty() {
        return Ok(());
    }
    let laws = std::mem::take(&mut e.branch_laws);
    let tableau = Tableau::new(structure, symbols);
    let states = state_variables(structure, symbols, &laws)?;
    let residuals = tableau.residuals(&laws)?;
    let mut equations = tableau.equations(&residuals);
    if !circuits.ideal {
        tableau.choose_unknowns(&mut equations, numeric);
        tableau.elimination(equations, states).finish(e, awaited)?;
        return Ok(());
    }
    let unknowns = Symbols::new(tableau.all.clone());
    let network = tableau.network(&unknowns, &equations, &laws, &states);
    let sides = [Kind::Loops, Kind::Cuts].map(|kind| Side::new(kind, &network, e));
    let mut selected: BTreeMap<usize, Ex> = residuals.iter().copied().enumerate().collect();
    sides.iter().for_each(|side| side.laws(&network, &mut selected));
    let selected: Vec<Ex> = selected.into_values().collect();
    let in_jumps = companion::positions(&tableau, &residuals, &laws, &states, e, awaited)?;
    companion::decide(&network, &sides, &in_jumps, &laws, e, awaited);
    let mut ideal = tableau.equations(&selected);
    tableau.choose_unknowns(&mut ideal, numeric);
    let finished = tableau.elimination(ideal, states.clone()).finish(e, awaited)?;
    jumps::state(&network, &sides, &finished, e)
}

/// Unknowns and equations of all circuits. Potentials come before currents, which are eliminated
/// first.
struct Tableau<'a> {
    structure: &'a Structure,
    symbols: &'a CircuitSymbols,
    /// Placeholders of the unknowns.
    all: Vec<Ex>,
    /// Names of the unknowns.
    names: Vec<String>,
    /// Where the search for them begins.
    guesses: Vec<Ex>,
    /// Unknowns that are potentials.
    node_numbers: BTreeMap<PinNode, Unknown>,
}

impl<'a> Tableau<'a> {
    fn new(structure: &'a Structure, symbols: &'a CircuitSymbols) -> Tableau<'a> {
        let (mut all, mut names, mut node_numbers) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut guesses = Vec::new();
        for (&node, &potential) in &symbols.potentials {
            if potential.as_leaf().is_some() {
                node_numbers.insert(node, all.len());
                all.push(potential);
                names.push(name_of_node(structure, node));
                let guess = structure.circuits.potential_guesses.get(&node);
                guesses.push(guess.map_or_else(Ex::zero, |guess| Ex::from(*guess)));
            }
        }
        for (branch, (current, _)) in symbols.branches.enumerate() {
            all.push(*current);
            names.push(structure.names[structure.circuits.branches[branch].component].clone());
            let guess = structure.circuits.guesses.get(&branch);
            guesses.push(guess.map_or_else(Ex::zero, |guess| Ex::from(*guess)));
        }
        Tableau { structure, symbols, all, names, guesses, node_numbers }
    }

    /// The laws of all branches.
    fn residuals(&self, laws: &BranchLaws) -> Result<Vec<Ex>, Error> {
        let of = |(branch, of): (BranchId, &CircuitBranch)| {
            laws.residuals.get(&branch).copied().ok_or_else(|| {
                let name = &self.structure.names[of.component];
                Error::Equations(format!("{name}: a branch has no law"))
            })
        };
        self.structure.circuits.branches.enumerate().map(of).collect()
    }

    /// The current of a branch.
    fn current(&self, branch: BranchId) -> Ex {
        self.all[self.node_numbers.len() + branch.index()]
    }

    /// The same with other placeholders, and which of them take the places of which.
    fn renamed(&self) -> (Tableau<'a>, Vec<(Ex, Ex)>) {
        let all: Vec<Ex> = self.all.iter().map(|_| Ex::symbol()).collect();
        let pairs = self.all.iter().copied().zip(all.iter().copied()).collect();
        let (names, guesses) = (self.names.clone(), self.guesses.clone());
        let node_numbers = self.node_numbers.clone();
        (Tableau { all, names, guesses, node_numbers, ..*self }, pairs)
    }

    /// The circuits as those see them who look for ideal switches.
    fn network<'n>(
        &self,
        unknowns: &'n Symbols,
        equations: &'n [Equation],
        laws: &BranchLaws,
        states: &'n [StateVariable],
    ) -> Network<'n> {
        let (circuits, nodes) = (&self.structure.circuits, self.node_numbers.len());
        Network {
            unknowns,
            branches: equations[nodes..].iter().zip(self.ends()).collect(),
            nodes,
            switches: laws.switches.iter().map(|(&branch, &law)| (branch, law)).collect(),
            states,
            owners: circuits.branches.iter().map(|branch| branch.component).collect(),
            owners_of_states: circuits.states.iter().map(|state| state.component).collect(),
        }
    }

    /// The balances of all nodes, and the laws of all branches.
    fn equations(&self, residuals: &[Ex]) -> Vec<Equation> {
        let unknowns = Symbols::new(self.all.clone());
        let mut equations = Vec::new();
        for (&node, &number) in &self.node_numbers {
            let branches = self.symbols.branches.enumerate();
            let leaving = branches.fold(Ex::zero(), |sum, (branch, &(_, [from, to]))| {
                let current = self.current(branch);
                let of = |end: PinEnd| if end.node == node { current } else { Ex::zero() };
                sum + of(from) - of(to)
            });
            let origin = Origin { nodes: BTreeSet::from([number]), ..Origin::default() };
            equations.push(Equation::of(leaving, &unknowns, origin));
        }
        for (branch, &residual) in residuals.iter().enumerate() {
            let origin = Origin { laws: BTreeSet::from([branch]), ..Origin::default() };
            equations.push(Equation::of(residual, &unknowns, origin));
        }
        equations
    }

    /// The unknowns at the ends of all branches; the ground is none.
    fn ends(&self) -> Vec<[Option<Unknown>; 2]> {
        let of = |end: PinEnd| self.node_numbers.get(&end.node).copied();
        self.symbols.branches.iter().map(|(_, ends)| ends.map(of)).collect()
    }

    /// Chooses whether voltages or currents of resistances are unknowns.
    fn choose_unknowns(&self, equations: &mut [Equation], numeric: &Numeric) {
        let (nodes, laws) = equations.split_at_mut(self.node_numbers.len());
        let with_ends = laws.iter_mut().zip(self.ends()).enumerate();
        let branch = |(k, (law, ends))| Branch { law, current: nodes.len() + k, ends };
        resistances::choose_unknowns(with_ends.map(branch).collect(), numeric);
    }

    fn elimination(&self, equations: Vec<Equation>, states: Vec<StateVariable>) -> Elimination<'a> {
        let (structure, unknowns) = (self.structure, Symbols::new(self.all.clone()));
        let (names, guesses) = (self.names.clone(), self.guesses.clone());
        let nodes = self.node_numbers.len();
        let is_amplifier = |(branch, ends): &(usize, [Option<Unknown>; 2])| {
            let own = ends.iter().flatten().copied().chain([nodes + branch]);
            equations[nodes + branch].unknowns().is_disjoint(&own.collect())
        };
        let branches = self.ends().into_iter().enumerate().filter(is_amplifier);
        let amplifiers = branches.map(|(branch, _)| branch).collect();
        let turning = Vec::new();
        Elimination { structure, unknowns, names, guesses, amplifiers, equations, states, turning }
    }
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
