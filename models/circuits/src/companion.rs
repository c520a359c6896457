//! The companion circuit, whose modes are those in which voltages and currents jump.
//!
//! While states violate constraints, or sources contradict each other, the present modes say
//! nothing about those after the event. In the companion circuit, a short step of the implicit
//! method of Euler takes the place of each capacitor and each inductor, and ideal switches have
//! some resistance and some conductance. The companion has one solution in each mode and is
//! passive, so that the search for modes ends. Its switches decide until nothing is violated any
//! more.

use crate::elimination::StateVariable;
use crate::ideal::{COMPANION, Constraints, Kind, Network};
use crate::solution::Solution;
use crate::tableau::Tableau;
use equations::{Ex, select, substitute};
use language::error::Error;
use language::ids::{BranchId, Id};
use language::statements::laws::circuits::BranchLaws;
use language::statements::laws::signal_view::SignalView;
use std::collections::BTreeMap;

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

/// By which positions switches decide, and what is told about contradictions.
pub fn decide(
    network: &Network<'_>,
    constraints: &Constraints,
    in_jumps: &BTreeMap<BranchId, Ex>,
    laws: &BranchLaws,
    e: &mut SignalView<'_>,
    solution: &mut Solution,
) {
    for (&part, &(residual, _)) in &laws.jumping {
        solution.add("a switch", residual, constraints.excess(part));
    }
    for (&position, &symbol) in &laws.decisions {
        let present = constraints.decisive(network, position);
        let value = match laws.jumping.get(&network.parts.of(position)) {
            Some((_, jumping)) => select(*jumping, in_jumps[&position], present),
            None => present,
        };
        solution.add("a switch", symbol, value);
    }
    for &part in network.parts.ideal.keys() {
        for kind in [Kind::Loops, Kind::Cuts] {
            tell_contradiction(network, constraints, (part, kind), e);
        }
    }
}

/// Ends the simulation where sources in a part contradict each other: at an event, or as soon as a
/// voltage (or current) that vanished at the event begins to grow.
fn tell_contradiction(
    network: &Network<'_>,
    constraints: &Constraints,
    (part, kind): (usize, Kind),
    e: &mut SignalView<'_>,
) {
    let excess = constraints.excess_of_sources((part, kind));
    if excess.constant_value().is_some() {
        return;
    }
    let rows = constraints.rows.iter().filter(|row| row.part == part && row.kind == kind);
    let switches = rows.map(|row| network.switches[row.switch].0.index());
    let given = constraints.given.iter().map(|of| &of.known);
    let given = given.filter(|of| of.kind == kind && network.part(of.branch) == part);
    let sources = network.names(switches.chain(given.map(|of| of.branch)), e);
    let contradiction = match kind {
        Kind::Loops => {
            "those of them that are closed form a loop of voltage sources, whose currents are not \
             determined"
        }
        Kind::Cuts => {
            "those of them that are open cut current sources off, between which potentials are not \
             determined"
        }
    };
    let subject = kind.quantities();
    let name = format!("circuits: {subject} of {sources} contradict each other");
    let contradicts = e.model.relation(&name, excess).done();
    e.model.assert(None, !contradicts, &format!("{sources}: {contradiction}"), false);
}
