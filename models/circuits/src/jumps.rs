//! Jumps of voltages of capacitors and of currents of inductors, where switches close or open.
//!
//! States that violate new constraints jump as speeds do in a plastic impact: charges flow through
//! the loops of the constraints (and fluxes through the cuts), so that charge is conserved, and
//! energy does not grow.

use crate::elimination::StateVariable;
use crate::ideal::{Kind, Network, Side};
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

/// Lets states jump at events. `states` have values where they are no states.
///
/// # Errors
/// A component couples inductances in a way for which jumps are not supported.
pub fn state(
    network: &Network<'_>,
    sides: &[Side; 2],
    states: &[StateVariable],
    e: &mut SignalView<'_>,
) -> Result<(), Error> {
    let when = sides.iter().fold(Bool::constant(false), |any, side| any | side.is_violated());
    if when.constant_value() == Some(false) {
        return Ok(());
    }
    let responses = Responses::new(network, e)?;
    let mut impulses: Vec<Impulse> = Vec::new();
    for side in sides {
        let all = side.constraints.iter().zip(&side.violations);
        impulses.extend(all.map(|(constraint, &violation)| {
            let (mut gradient, mut response) = (responses.zeros(), responses.zeros());
            for (known, &factor) in side.stored.iter().zip(&constraint.of_stored) {
                add(&mut gradient, factor, &derivatives(known.value, states));
                add(&mut response, factor, &responses.by_branch[&known.branch]);
            }
            Impulse { gradient, response, violation, counts: constraint.stored }
        }));
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
    for (k, state) in states.iter().enumerate().filter(|(_, state)| state.value.is_none()) {
        let jump = impulses.iter().zip(&sizes);
        let jump = jump.fold(Ex::zero(), |sum, (of, &size)| sum + of.response[k] * size);
        e.model.reinit(state.symbol, when, state.symbol + jump);
    }
    Ok(())
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
        for kind in [Kind::Loops, Kind::Cuts] {
            for (branch, value) in network.known(kind) {
                let inside = network.states_in(value);
                if inside.is_empty() {
                    continue;
                }
                let along = match kind {
                    Kind::Loops => (network.unknowns.all[network.nodes + branch], Ex::one()),
                    Kind::Cuts => network.own_potential(branch).ok_or_else(|| {
                        let name = e.name_of(network.owners[branch]);
                        Error::Structure(format!(
                            "{name}: both ends of a winding are connected with others of it, which \
                             is not supported in a circuit with ideal switches"
                        ))
                    })?,
                };
                let mut response = none.clone();
                for (k, state) in network.states.iter().enumerate() {
                    if network.owners_of_states[k] == network.owners[branch] {
                        response[k] = differentiate(&[state.rate], &[along])[0];
                    }
                }
                inside.into_iter().for_each(|state| by_state[state].clone_from(&response));
                by_branch.insert(branch, response);
            }
        }
        Ok(Responses { by_branch, by_state })
    }

    fn zeros(&self) -> Vec<Ex> {
        vec![Ex::zero(); self.by_state.len()]
    }
}
