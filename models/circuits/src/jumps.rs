//! Jumps of voltages of capacitors and of currents of inductors, where switches close or open.
//!
//! States that violate new constraints jump as speeds do in a plastic impact: charges flow through
//! the loops of the constraints (and fluxes through the cuts), so that charge is conserved, and
//! energy does not grow.

use crate::companion::LOST;
use crate::couplings::Known;
use crate::elimination::StateVariable;
use crate::ideal::{Constraints, Kind, Network, Row};
use equations::{Bool, Ex, Factor, differentiate, select};
use language::error::Error;
use language::statements::laws::signal_view::SignalView;
use std::collections::BTreeMap;

/// A constraint, with the changes of all stored quantities by its unit impulse.
struct Impulse {
    /// Its derivatives with respect to the variables that may be states.
    gradient: Vec<Ex>,
    /// How these change with the impulse.
    response: Vec<Ex>,
    /// By how much it is violated.
    violation: Ex,
    /// Whether it is a constraint in the present modes.
    counts: Bool,
}

/// Lets states jump at events, and notes how much energy is lost while something is `jumping`.
/// `states` have values where they are no states.
///
/// # Errors
/// A component couples inductances in a way for which jumps are not supported.
pub fn state(
    network: &Network<'_>,
    constraints: &Constraints,
    states: &[StateVariable],
    jumping: Bool,
    e: &mut SignalView<'_>,
) -> Result<(), Error> {
    let when = constraints.is_violated();
    if when.constant_value() == Some(false) {
        return Ok(());
    }
    refuse_active(network, constraints, e);
    let responses = Responses::new(network, e)?;
    let mut impulses: Vec<Impulse> = Vec::new();
    for row in &constraints.rows {
        let (mut gradient, mut response) = (responses.zeros(), responses.zeros());
        for (rated, &factor) in constraints.stored.iter().zip(&row.constraint.of_stored) {
            add(&mut gradient, factor, &derivatives(rated.known.value, states));
            add(&mut response, factor, &responses.by_branch[&rated.known.branch]);
        }
        let (violation, counts) = (row.violation, row.constraint.stored);
        impulses.push(Impulse { gradient, response, violation, counts });
    }
    // Constraints in all modes remain satisfied.
    for state in states {
        let Some(value) = state.value else { continue };
        let gradient = derivatives(state.symbol - value, states);
        let mut response = responses.zeros();
        for (&factor, of) in gradient.iter().zip(&responses.by_state) {
            add(&mut response, factor, of);
        }
        let (violation, counts) = (Ex::zero(), Bool::constant(true));
        impulses.push(Impulse { gradient, response, violation, counts });
    }
    let sizes = sizes(&impulses);
    // Half of the product of each impulse and of what it removes, as in a plastic impact.
    let energies = impulses.iter().zip(&sizes).map(|(of, &size)| -0.5 * size * of.violation);
    let energy = energies.fold(Ex::zero(), |sum, energy| sum + energy);
    let lost = e.model.memory(LOST, 0.0);
    e.model.update(lost, select(jumping, energy, lost.pre()));
    for (k, state) in states.iter().enumerate().filter(|(_, state)| state.value.is_none()) {
        let jump = impulses.iter().zip(&sizes);
        let jump = jump.fold(Ex::zero(), |sum, (of, &size)| sum + of.response[k] * size);
        e.model.reinit(state.symbol, when, state.symbol + jump);
    }
    Ok(())
}

/// Ends the simulation where several voltages or currents jump together that a controlled source
/// relates: which of them jumps how far does not follow from the constraint, because the source
/// gives energy.
fn refuse_active(network: &Network<'_>, constraints: &Constraints, e: &mut SignalView<'_>) {
    for (k, &branch) in constraints.active.iter().enumerate() {
        let jumps = |row: &Row| {
            let one = |of: &Ex| select(of.equals(0.0), 0.0, 1.0);
            let stored = row.constraint.of_stored.iter().map(one);
            let several = stored.fold(Ex::zero(), |sum, one| sum + one).gt(1.5);
            row.jumps() & several & !row.constraint.of_active[k].equals(0.0)
        };
        let any = constraints.rows.iter().map(jumps);
        let any = any.fold(Bool::constant(false), |any, jumps| any | jumps);
        let sentence = format!(
            "{}: an ideal switch makes several voltages or currents jump that this component \
             relates, which is not supported because it supplies energy",
            e.name_of(network.owners[branch])
        );
        e.model.assert(Some(any), Bool::constant(false), &sentence, false);
    }
}

/// The impulses with which no constraint is violated any more.
fn sizes(impulses: &[Impulse]) -> Vec<Ex> {
    let entry = |k: usize, l: usize| {
        let (one, other) = (&impulses[k], &impulses[l]);
        let products = one.gradient.iter().zip(&other.response).map(|(&a, &b)| a * b);
        let effect = products.fold(Ex::zero(), |sum, product| sum + product);
        let unit = if k == l { Ex::one() } else { Ex::zero() };
        select(one.counts & other.counts, effect, unit)
    };
    let n = impulses.len();
    let matrix: Vec<Vec<Ex>> = (0..n).map(|k| (0..n).map(|l| entry(k, l)).collect()).collect();
    let missing: Vec<Ex> =
        impulses.iter().map(|of| select(of.counts, -of.violation, 0.0)).collect();
    Factor::pivoted(&matrix).solve(&missing)
}

/// Adds a multiple to a list.
fn add(to: &mut [Ex], factor: Ex, of: &[Ex]) {
    to.iter_mut().zip(of).for_each(|(to, &of)| *to += factor * of);
}

/// The derivatives of a value with respect to the variables that may be states.
fn derivatives(value: Ex, states: &[StateVariable]) -> Vec<Ex> {
    let by = |state: &StateVariable| differentiate(&[value], &[(state.symbol, Ex::one())])[0];
    states.iter().map(by).collect()
}

/// How variables that may be states change with the charge through a branch with a stored voltage,
/// or with the flux across a branch with a stored current.
struct Responses {
    by_branch: BTreeMap<usize, Vec<Ex>>,
    /// The same by the variable that the branch stores.
    by_state: Vec<Vec<Ex>>,
}

impl Responses {
    fn new(network: &Network<'_>, e: &SignalView<'_>) -> Result<Responses, Error> {
        let none = vec![Ex::zero(); network.states.len()];
        let mut by_branch = BTreeMap::new();
        let mut by_state = vec![none.clone(); network.states.len()];
        for known in network.quantities() {
            let inside = network.states_in(known.value);
            if inside.is_empty() {
                continue;
            }
            let mut response = none.clone();
            for &(branch, factor) in &known.of {
                let along = along(network, &known, branch, e)?;
                for (k, state) in network.states.iter().enumerate() {
                    if network.owners_of_states[k] == network.owners[known.branch] {
                        response[k] += factor * differentiate(&[state.rate], &[along])[0];
                    }
                }
            }
            for state in inside {
                let symbol = network.states[state].symbol;
                let factor = differentiate(&[known.value], &[(symbol, Ex::one())])[0];
                by_state[state] = response.iter().map(|&of| of / factor).collect();
            }
            by_branch.insert(known.branch, response);
        }
        Ok(Responses { by_branch, by_state })
    }

    fn zeros(&self) -> Vec<Ex> {
        vec![Ex::zero(); self.by_state.len()]
    }
}

/// The current of a branch if a charge flows through it, or the potential that a flux across it
/// changes.
fn along(
    network: &Network<'_>,
    known: &Known,
    branch: usize,
    e: &SignalView<'_>,
) -> Result<(Ex, Ex), Error> {
    match known.kind {
        Kind::Loops => Ok((network.unknowns.all[network.nodes + branch], Ex::one())),
        Kind::Cuts => network.own_potential(branch).ok_or_else(|| {
            let name = e.name_of(network.owners[branch]);
            Error::Structure(format!(
                "{name}: both ends of a winding are connected with others of it, which is not \
                 supported in a circuit with ideal switches"
            ))
        }),
    }
}
