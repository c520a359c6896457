//! Jumps of voltages of capacitors and of currents of inductors, where switches close or open.
//!
//! States that violate new constraints jump as speeds do in a plastic impact: charges flow through
//! the loops of the constraints (and fluxes through the cuts), so that charge is conserved, and
//! energy does not grow.

use crate::couplings::Known;
use crate::elimination::StateVariable;
use crate::ideal::{Constraints, Kind, Network, Row};
use equations::{Bool, Ex, Factor, differentiate, select};
use language::error::Error;
use language::ids::{ComponentId, Id};
use language::statements::laws::signal_view::SignalView;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

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

/// Lets states jump at events, and tells how much energy is lost. `states` have values where they
/// are no states.
///
/// # Errors
/// A component couples inductances in a way for which jumps are not supported.
pub fn state(
    network: &Network<'_>,
    constraints: &Constraints,
    states: &[StateVariable],
    e: &mut SignalView<'_>,
) -> Result<(), Error> {
    let parts = network.parts.ideal.keys();
    let when: BTreeMap<usize, Bool> =
        parts.map(|&part| (part, constraints.is_violated(network, part))).collect();
    if when.values().all(|when| when.constant_value() == Some(false)) {
        return Ok(());
    }
    refuse_active(network, constraints, e);
    let responses = Responses::new(network, e)?;
    let mut impulses: Vec<Impulse> = Vec::new();
    for row in &constraints.rows {
        let mut gradient = vec![Ex::zero(); states.len()];
        let mut response = gradient.clone();
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
        let response = responses.to(&gradient);
        let (violation, counts) = (Ex::zero(), Bool::constant(true));
        impulses.push(Impulse { gradient, response, violation, counts });
    }
    let sizes = sizes(&impulses);
    // Half of the product of each impulse and of what it removes, as in a plastic impact.
    let energies = impulses.iter().zip(&sizes).map(|(of, &size)| -0.5 * size * of.violation);
    let energies: Vec<(&Row, Ex)> = constraints.rows.iter().zip(energies).collect();
    for (&part, name) in &network.parts.ideal {
        for kind in [Kind::Loops, Kind::Cuts] {
            let of = energies.iter().filter(|(row, _)| row.part == part && row.kind == kind);
            let title = format!("{} at {name}", kind.quantities());
            tell(network, constraints, &of.copied().collect::<Vec<_>>(), &title, e);
        }
    }
    for (k, state) in states.iter().enumerate().filter(|(_, state)| state.value.is_none()) {
        let owner = network.owners_of_states[k];
        let part = network.owners.iter().position(|of| *of == owner).map(|of| network.part(of));
        let Some(&when) = part.and_then(|part| when.get(&part)) else { continue };
        let jump = impulses.iter().zip(&sizes);
        let jump = jump.fold(Ex::zero(), |sum, (of, &size)| sum + of.response[k] * size);
        e.model.reinit(state.symbol, when, state.symbol + jump);
    }
    Ok(())
}

/// Tells when voltages (or currents) of a part jump by the constraint of a switch for the first
/// time, and how much energy they lose.
fn tell(
    network: &Network<'_>,
    constraints: &Constraints,
    rows: &[(&Row, Ex)],
    title: &str,
    e: &mut SignalView<'_>,
) {
    let is_certain = |jumps: Bool| jumps.constant_value() == Some(false);
    let jumping: Vec<(&Row, Bool)> = rows.iter().map(|(row, _)| (*row, row.jumps())).collect();
    let any = jumping.iter().fold(Bool::constant(false), |any, (_, jumps)| any | *jumps);
    if is_certain(any) {
        return;
    }
    let energy = rows.iter().fold(Ex::zero(), |sum, (_, energy)| sum + *energy);
    let lost = format!("circuits: energy in J lost by {title}");
    let memory = e.model.memory(&lost, 0.0);
    e.model.update(memory, select(any, energy, memory.pre()));
    for &(row, jumps) in jumping.iter().filter(|(_, jumps)| !is_certain(*jumps)) {
        let switch = e.name_of(network.owners[network.switches[row.switch].0.index()]).to_owned();
        let stored = constraints.stored.iter().zip(&row.constraint.of_stored);
        let stored = stored.filter(|(_, factor)| !factor.is_constant_zero());
        let branches: Vec<usize> = stored.map(|(rated, _)| rated.known.branch).collect();
        // With other switches, the modes of these decide which of the elements are in the row.
        let some = if rows.len() > 1 && branches.len() > 1 { "some of " } else { "" };
        let elements = network.names(branches.into_iter(), e);
        let what = match row.kind {
            Kind::Loops => "closes a loop in which stored voltages jump",
            Kind::Cuts => "cuts stored currents off, which jump",
        };
        let told = e.model.memory(&format!("{switch}: it has made {title} jump"), 0.0);
        e.model.update(told, told.pre_bool() | jumps);
        let sentence =
            format!("{switch}: it {what} ({some}{elements}); {{{lost}}} J of energy is lost");
        let first = jumps & !told.pre_bool();
        e.model.assert(Some(first), Bool::constant(false), &sentence, true);
    }
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
        let effect = product(&one.gradient, &other.response);
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
///
/// With the energy `x M x / 2` and a stored voltage `g x`, the power `i g x` of a current `i` is
/// `x M der(x)`, so that the response to a charge is `M^-1 g`.
struct Responses {
    by_branch: BTreeMap<usize, Vec<Ex>>,
    stores: Vec<Store>,
}

/// What a component stores.
struct Store {
    /// The variables that may be states in its stored voltages and currents.
    states: Vec<usize>,
    /// These voltages and currents: the branch, and the derivatives with respect to these states.
    gradients: Vec<(usize, Vec<Ex>)>,
}

impl Responses {
    fn new(network: &Network<'_>, e: &SignalView<'_>) -> Result<Responses, Error> {
        let mut by_branch = BTreeMap::new();
        let mut of_owners: BTreeMap<ComponentId, Vec<(Known, Vec<usize>)>> = BTreeMap::new();
        for known in network.quantities() {
            let (inside, owner) = (network.states_in(known.value), network.owners[known.branch]);
            if inside.is_empty() {
                continue;
            }
            let mut response = vec![Ex::zero(); network.states.len()];
            for &(branch, factor) in &known.of {
                let along = along(network, &known, branch, e)?;
                for (k, state) in network.states.iter().enumerate() {
                    if network.owners_of_states[k] == owner {
                        response[k] += factor * differentiate(&[state.rate], &[along])[0];
                    }
                }
            }
            by_branch.insert(known.branch, response);
            of_owners.entry(owner).or_default().push((known, inside));
        }
        let stores = of_owners.into_values().map(|of| Store::new(network, &of)).collect();
        Ok(Responses { by_branch, stores })
    }

    /// The response to a gradient, as a sum of those to the gradients of branches.
    fn to(&self, gradient: &[Ex]) -> Vec<Ex> {
        let mut response = vec![Ex::zero(); gradient.len()];
        for store in &self.stores {
            for (branch, share) in store.shares(gradient) {
                add(&mut response, share, &self.by_branch[&branch]);
            }
        }
        response
    }
}

impl Store {
    fn new(network: &Network<'_>, of: &[(Known, Vec<usize>)]) -> Store {
        let states: BTreeSet<usize> = of.iter().flat_map(|(_, inside)| inside).copied().collect();
        let states: Vec<usize> = states.into_iter().collect();
        let gradient = |known: &Known| {
            let by = |&k: &usize| {
                differentiate(&[known.value], &[(network.states[k].symbol, Ex::one())])[0]
            };
            (known.branch, states.iter().map(by).collect())
        };
        let gradients = of.iter().map(|(known, _)| gradient(known)).collect();
        Store { states, gradients }
    }

    /// The branches of whose gradients a gradient is the sum, with their factors.
    fn shares(&self, gradient: &[Ex]) -> Vec<(usize, Ex)> {
        let own: Vec<Ex> = self.states.iter().map(|&k| gradient[k]).collect();
        if own.iter().all(|of| of.is_constant_zero()) {
            return Vec::new();
        }
        let rows: Vec<&[Ex]> = self.gradients.iter().map(|(_, of)| &of[..]).collect();
        let columns: Vec<Vec<Ex>> =
            (0..own.len()).map(|k| rows.iter().map(|row| row[k]).collect()).collect();
        let columns: Vec<&[Ex]> = columns.iter().map(Vec::as_slice).collect();
        let times = |of: &[&[Ex]], x: &[Ex]| of.iter().map(|row| product(row, x)).collect();
        let gram = |of: &[&[Ex]]| of.iter().map(|one| times(of, one)).collect::<Vec<Vec<Ex>>>();
        // There may be more branches than states, as in a transformer without stray fields, or more
        // states than branches, as in a stack of cells.
        let shares: Vec<Ex> = match rows.len().cmp(&own.len()) {
            Ordering::Equal => {
                let matrix: Vec<Vec<Ex>> = columns.iter().map(|of| of.to_vec()).collect();
                Factor::pivoted(&matrix).solve(&own)
            }
            Ordering::Greater => times(&rows, &Factor::pivoted(&gram(&columns)).solve(&own)),
            Ordering::Less => Factor::pivoted(&gram(&rows)).solve(&times(&rows, &own)),
        };
        self.gradients.iter().map(|(branch, _)| *branch).zip(shares).collect()
    }
}

/// The sum of the products of elements.
fn product(a: &[Ex], b: &[Ex]) -> Ex {
    a.iter().zip(b).fold(Ex::zero(), |sum, (&a, &b)| sum + a * b)
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
