//! The companion circuit, whose modes are those in which voltages and currents jump.
//!
//! While states violate constraints, or sources contradict each other, the present modes say
//! nothing about those after the event. In the companion circuit, a short step of the implicit
//! method of Euler takes the place of each capacitor and each inductor, and ideal switches have
//! some resistance and some conductance. The companion has one solution in each mode and is
//! passive, so that the search for modes ends. Its switches decide until nothing is violated any
//! more.

use crate::elimination::StateVariable;
use crate::ideal::{COMPANION, Kind, Network, Side};
use crate::names::in_a_row;
use crate::solution::Solution;
use crate::tableau::Tableau;
use equations::{Bool, Ex, select, substitute};
use language::error::Error;
use language::ids::{BranchId, Id};
use language::statements::laws::circuits::BranchLaws;
use language::statements::laws::signal_view::SignalView;
use std::collections::{BTreeMap, BTreeSet};

/// Duration of the step in s.
const STEP: f64 = 1e-8;

/// The positions of all switches in the companion circuit.
pub fn positions(
    tableau: &Tableau<'_>,
    residuals: &[Ex],
    laws: &BranchLaws,
    states: &[StateVariable],
    e: &mut SignalView<'_>,
    solution: &mut Solution,
) -> Result<BTreeMap<BranchId, Ex>, Error> {
    let (other, renamed) = tableau.renamed();
    let rates: Vec<Ex> = states.iter().map(|state| state.rate).collect();
    let steps = substitute(&rates, &renamed).into_iter().zip(states);
    let stepped = steps.map(|(rate, state)| (state.symbol, state.symbol + STEP * rate));
    let by: Vec<(Ex, Ex)> = renamed.iter().copied().chain(stepped).collect();
    let mut residuals = residuals.to_vec();
    for (branch, law) in &laws.switches {
        let at_least = |value: Ex, least: f64| {
            if value.is_constant_zero() { Ex::from(least) } else { value }
        };
        let resistance = at_least(law.resistance, COMPANION[0]);
        let conductance = at_least(law.conductance, COMPANION[1]);
        let (v, i, s) = (e.voltage(*branch), e.current(*branch), e.current(law.position));
        let of_branch = v - select(law.is_open, 1.0, resistance) * s - law.knee;
        // A switch without conductance lets no current through at its knee either.
        let at_knee = law.conductance * law.knee;
        let of_position = i - select(law.is_open, conductance, 1.0) * s - at_knee;
        residuals[branch.index()] = of_branch;
        residuals[law.position.index()] = of_position;
    }
    let equations = other.equations(&substitute(&residuals, &by));
    other.elimination(equations, Vec::new()).finish(e, solution)?;
    let symbol = |branch: BranchId| other.current(branch);
    Ok(laws.switches.values().map(|law| (law.position, symbol(law.position))).collect())
}

/// By which positions switches decide, and what is told about jumps and contradictions.
pub fn decide(
    network: &Network<'_>,
    sides: &[Side; 2],
    in_jumps: &BTreeMap<BranchId, Ex>,
    laws: &BranchLaws,
    e: &mut SignalView<'_>,
    solution: &mut Solution,
) {
    let most = |of_sources_only: bool| {
        sides[0].excess(of_sources_only).max(sides[1].excess(of_sources_only))
    };
    let jumping = match most(false).constant_value() {
        Some(_) => Bool::constant(false),
        None => e.model.sampled("circuits: something jumps", most(false)),
    };
    for (&position, &symbol) in &laws.decisions {
        let value = select(jumping, in_jumps[&position], network.current(position));
        solution.add("a switch", symbol, value);
    }
    for side in sides {
        tell(network, side, jumping, e);
    }
}

/// What is told about the constraints of one kind.
fn tell(network: &Network<'_>, side: &Side, jumping: Bool, e: &mut SignalView<'_>) {
    let names = |branches: &mut dyn Iterator<Item = usize>| {
        let owners: BTreeSet<_> = branches.map(|branch| network.owners[branch]).collect();
        in_a_row(owners.iter().map(|owner| e.name_of(*owner)))
    };
    let switches = side.switches.iter().map(|&k| network.switches[k].0.index());
    let given = side.given.iter().map(|known| known.branch);
    let of_sources = names(&mut switches.chain(given));
    let of_stored = names(&mut side.stored.iter().map(|known| known.branch));
    let (subject, contradiction, jump) = match side.kind {
        Kind::Loops => (
            "voltages",
            "those of them that are closed form a loop of voltage sources, whose currents are not \
             determined",
            "a switch closes a loop of such voltages, which jump; energy is lost",
        ),
        Kind::Cuts => (
            "currents",
            "those of them that are open cut current sources off, between which potentials are not \
             determined",
            "a switch cuts such currents off, which jump; energy is lost",
        ),
    };
    let excess = side.excess(true);
    if excess.constant_value().is_none() {
        let name = format!("circuits: {subject} of {of_sources} contradict each other");
        let contradicts = e.model.sampled(&name, excess);
        e.model.assert(None, !contradicts, &format!("{of_sources}: {contradiction}"), false);
    }
    if !side.stored.is_empty() {
        let sentence = format!("{of_stored}: {jump}");
        e.model.assert(Some(jumping), Bool::constant(false), &sentence, true);
    }
}
