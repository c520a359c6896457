//! The tableau: all unknowns and equations of circuits.

use crate::elimination::{Elimination, StateVariable};
use crate::ideal::Network;
use crate::names::name_of_node;
use crate::parts::Parts;
use crate::resistances::{self, Branch};
use equations::Ex;
use language::error::Error;
use language::ids::{BranchId, Id, PinNode};
use language::statements::algebra::linear_equation::{Equation, Origin, Symbols, Unknown};
use language::statements::algebra::numeric::Numeric;
use language::statements::contributions::Structure;
use language::statements::contributions::circuits::Branch as CircuitBranch;
use language::statements::laws::circuits::{BranchLaws, CircuitSymbols};
use language::statements::motion::ends::PinEnd;
use std::collections::{BTreeMap, BTreeSet};

/// Unknowns and equations of all circuits. Potentials come before currents, which are eliminated
/// first.
pub struct Tableau<'a> {
    structure: &'a Structure,
    symbols: &'a CircuitSymbols,
    /// Placeholders of the unknowns.
    pub all: Vec<Ex>,
    /// Names of the unknowns.
    names: Vec<String>,
    /// Where the search for them begins.
    guesses: Vec<Ex>,
    /// Unknowns that are potentials.
    node_numbers: BTreeMap<PinNode, Unknown>,
}

impl<'a> Tableau<'a> {
    pub fn new(structure: &'a Structure, symbols: &'a CircuitSymbols) -> Tableau<'a> {
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
    pub fn residuals(&self, laws: &BranchLaws) -> Result<Vec<Ex>, Error> {
        let of = |(branch, of): (BranchId, &CircuitBranch)| {
            laws.residuals.get(&branch).copied().ok_or_else(|| {
                let name = &self.structure.names[of.component];
                Error::Equations(format!("{name}: a branch has no law"))
            })
        };
        self.structure.circuits.branches.enumerate().map(of).collect()
    }

    /// The current of a branch.
    pub fn current(&self, branch: BranchId) -> Ex {
        self.all[self.node_numbers.len() + branch.index()]
    }

    /// The same with other placeholders, and which of them take the places of which.
    pub fn renamed(&self) -> (Tableau<'a>, Vec<(Ex, Ex)>) {
        let all: Vec<Ex> = self.all.iter().map(|_| Ex::symbol()).collect();
        let pairs = self.all.iter().copied().zip(all.iter().copied()).collect();
        let (names, guesses) = (self.names.clone(), self.guesses.clone());
        let node_numbers = self.node_numbers.clone();
        (Tableau { all, names, guesses, node_numbers, ..*self }, pairs)
    }

    /// The circuits as those see them who look for ideal switches.
    pub fn network<'n>(
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
            parts: Parts::new(self.structure),
            switches: laws.switches.iter().map(|(&branch, &law)| (branch, law)).collect(),
            states,
            owners: circuits.branches.iter().map(|branch| branch.component).collect(),
            owners_of_states: circuits.states.iter().map(|state| state.component).collect(),
        }
    }

    /// The balances of all nodes, and the laws of all branches.
    pub fn equations(&self, residuals: &[Ex]) -> Vec<Equation> {
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
    pub fn choose_unknowns(&self, equations: &mut [Equation], numeric: &Numeric) {
        let count = self.node_numbers.len();
        let laws = equations[count..].iter_mut().zip(self.ends()).enumerate();
        let branches = laws.map(|(k, (law, ends))| {
            let ends = related(law, ends, count);
            Branch { law, current: count + k, ends }
        });
        resistances::choose_unknowns(branches.collect(), numeric);
    }

    pub fn elimination(
        &self,
        equations: Vec<Equation>,
        states: Vec<StateVariable>,
    ) -> Elimination<'a> {
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

/// The two nodes whose voltage a law is about: the ends of its branch, unless the law names others.
/// The current of a pin of a component with several pins has the ground as its other end.
fn related(law: &Equation, ends: [Option<Unknown>; 2], count: usize) -> [Option<Unknown>; 2] {
    let potentials: Vec<Unknown> = law.unknowns().into_iter().filter(|of| *of < count).collect();
    match potentials[..] {
        [a, b] => [Some(a), Some(b)],
        _ => ends,
    }
}
