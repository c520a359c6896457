//! Ideal switches: without resistance when they are closed, or without conductance when they are
//! open.
//!
//! A closed switch without resistance may close a loop of capacitors and voltage sources, and an
//! open one without conductance may cut inductors and current sources off. The law of the switch
//! then says something about states, and the derivative of this constraint takes its place. Which
//! switches do so depends on the modes (`switch_rows`), so each law is selected.

use crate::couplings::Known;
use crate::elimination::StateVariable;
use crate::graph::Graph;
use crate::names::in_a_row;
use crate::parts::Parts;
use crate::switch_rows::Constraint;
use equations::{Bool, Ex, Leaf, Model, differentiate, leaves_of, select};
use language::ids::{BranchId, ComponentId, Id};
use language::statements::algebra::linear_equation::{Equation, Symbols, Unknown, varies};
use language::statements::contributions::Structure;
use language::statements::laws::circuits::SwitchLaw;
use language::statements::laws::signal_view::SignalView;
use std::collections::{BTreeMap, BTreeSet};

/// Resistance in Ohm of a closed switch, and conductance in S of an open one, where the ideal one
/// has none of it: in the companion circuit, and between sources.
pub const COMPANION: [f64; 2] = [1e-7, 1e-9];

/// Voltages in V (or currents in A) below this limit are errors of the location of events, where a
/// mode ends: they jump to zero without the companion circuit.
const SMALLEST: f64 = 1e-9;

/// The circuit to which the switches belong.
pub struct Network<'a> {
    /// The unknowns.
    pub unknowns: &'a Symbols,
    /// The laws of all branches, with the unknowns at their ends; `None` is the ground.
    pub branches: Vec<(&'a Equation, [Option<Unknown>; 2])>,
    /// The number of potentials, which come before the currents.
    pub nodes: usize,
    /// The connected parts.
    pub parts: Parts,
    /// The switches.
    pub switches: Vec<(BranchId, SwitchLaw)>,
    /// Variables that may be states.
    pub states: &'a [StateVariable],
    /// The components of branches.
    pub owners: Vec<ComponentId>,
    /// The components of these variables.
    pub owners_of_states: Vec<ComponentId>,
}

/// Whether voltages are constrained, in loops, or currents, in cuts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Loops,
    Cuts,
}

/// A known quantity in constraints.
pub struct Rated {
    /// The quantity.
    pub known: Known,
    /// Its derivative, in terms of unknowns.
    pub rate: Ex,
    /// The sum of the nominal values of the states in it, with their factors.
    nominal: Ex,
}

/// What a switch constrains in one of its modes.
pub struct Row {
    /// Whether the closed switch constrains voltages, or the open one currents.
    pub kind: Kind,
    /// The switch, as a number in the list.
    pub switch: usize,
    /// The connected part of the circuits in which the switch is.
    pub part: usize,
    /// What it constrains.
    pub constraint: Constraint,
    /// By how much this is violated.
    pub violation: Ex,
    /// The sum of the magnitudes in it.
    scale: Ex,
    /// The sum of the nominal values in it.
    nominal: Ex,
}

/// All constraints of ideal switches.
pub struct Constraints {
    /// One for each switch and mode in which it is ideal.
    pub rows: Vec<Row>,
    /// Stored voltages and currents.
    pub stored: Vec<Rated>,
    /// Those of sources.
    pub given: Vec<Rated>,
    /// The branches of sources that a voltage or a current controls, and of other components that
    /// supply power.
    pub active: Vec<usize>,
}

impl Constraints {
    /// The constraints in a circuit.
    pub fn new(network: &Network<'_>, e: &mut SignalView<'_>) -> Constraints {
        let switches = [Kind::Loops, Kind::Cuts].into_iter().flat_map(|kind| {
            let all = network.switches.iter().enumerate();
            let ideal = all.filter(move |(_, (_, law))| kind.effect(law).is_constant_zero());
            ideal.map(move |(k, _)| (kind, k))
        });
        let switches: Vec<(Kind, usize)> = switches.collect();
        let branches: Vec<(Kind, usize)> =
            switches.iter().map(|&(kind, k)| (kind, network.switches[k].0.index())).collect();
        let couplings = network.couplings();
        let is_stored = |known: &Known| !network.states_in(known.value).is_empty();
        let (stored, given): (Vec<Known>, Vec<Known>) =
            network.quantities().into_iter().partition(is_stored);
        let graph = Graph::new(network, &branches, [&stored, &given], &couplings);
        let (rows, occurring) = graph.rows(&branches, &couplings, e.model);
        let is_active = |&(kind, k): &(Kind, usize)| kind.is_active(network.switches[k].1.is_open);
        let active: Vec<Bool> = switches.iter().map(is_active).collect();
        let rated = |known: &Known, e: &mut SignalView<'_>| {
            let with_rates = !occurring.stored.is_empty();
            let rate = if with_rates { network.rate(known.value, e) } else { Ex::zero() };
            Rated { known: known.clone(), rate, nominal: network.nominal(known.value) }
        };
        let stored: Vec<Rated> = occurring.stored.iter().map(|&k| rated(&stored[k], e)).collect();
        let given: Vec<Rated> = occurring.given.iter().map(|&k| rated(&given[k], e)).collect();
        let rows = switches.iter().zip(rows.reduced(&active));
        let rows = rows.map(|(&(kind, switch), constraint)| {
            let part = network.parts.of(network.switches[switch].0);
            let [violation, scale, nominal] = [Ex::zero(); 3];
            Row { kind, switch, part, constraint, violation, scale, nominal }
        });
        let mut all = Constraints { rows: rows.collect(), stored, given, active: occurring.active };
        let compared: Vec<[Ex; 3]> =
            all.rows.iter().map(|row| all.compare(&row.constraint, network)).collect();
        for (row, compared) in all.rows.iter_mut().zip(compared) {
            [row.violation, row.scale, row.nominal] = compared;
        }
        all
    }

    /// The known quantities in a constraint, with their factors.
    fn terms<'a>(&'a self, of: &'a Constraint) -> impl Iterator<Item = (&'a Rated, Ex)> {
        let factors = of.of_stored.iter().chain(&of.of_given).copied();
        self.stored.iter().chain(&self.given).zip(factors)
    }

    /// The voltages at the knees of closed switches in a constraint, with their factors.
    fn knees<'a>(
        &'a self,
        of: &'a Constraint,
        network: &'a Network<'_>,
    ) -> impl Iterator<Item = (Ex, Ex)> + 'a {
        let loops = self.rows.iter().zip(&of.of_switches);
        let loops = loops.filter(|(row, _)| row.kind == Kind::Loops);
        loops.map(|(row, &factor)| (network.switches[row.switch].1.knee, factor))
    }

    /// By how much a constraint is violated, and the sums of the magnitudes and of the nominal
    /// values in it.
    fn compare(&self, of: &Constraint, network: &Network<'_>) -> [Ex; 3] {
        let known = self.terms(of).map(|(rated, factor)| factor * rated.known.value);
        let knees = self.knees(of, network).map(|(knee, factor)| -(factor * knee));
        let terms: Vec<Ex> = known.chain(knees).collect();
        let sizes = terms.iter().map(|term| term.abs()).collect();
        let nominals = self.terms(of).map(|(rated, factor)| factor.abs() * rated.nominal).collect();
        [terms, sizes, nominals].map(|of| of.into_iter().fold(Ex::zero(), |sum, term| sum + term))
    }

    /// By how much constraints of a part are violated so that its present modes tell nothing; not
    /// positive if none is.
    pub fn excess(&self, part: usize) -> Ex {
        let rows = self.rows.iter().filter(|row| row.part == part);
        self.largest(rows, |of| of.given | of.shared | of.stored)
    }

    /// The same of voltages (or currents) of sources alone.
    pub fn excess_of_sources(&self, (part, kind): (usize, Kind)) -> Ex {
        let rows = self.rows.iter().filter(|row| row.part == part && row.kind == kind);
        self.largest(rows, |of| of.given | of.shared)
    }

    fn largest<'a>(
        &self,
        rows: impl Iterator<Item = &'a Row>,
        counts: impl Fn(&Constraint) -> Bool,
    ) -> Ex {
        let of = |row: &Row| select(counts(&row.constraint), row.excess(), -SMALLEST);
        rows.fold(Ex::from(-SMALLEST), |most, row| most.max(of(row)))
    }

    /// Whether a constraint on stored quantities of a part is violated by more than rounding
    /// errors, which are those of all quantities: what one is may follow from larger ones.
    pub fn is_violated(&self, network: &Network<'_>, part: usize) -> Bool {
        let size = |kind: Kind| {
            let all = self.stored.iter().map(|rated| &rated.known);
            let all = all.filter(|of| of.kind == kind && network.part(of.branch) == part);
            all.fold(Ex::zero(), |sum, of| sum + of.value.abs())
        };
        let of = |row: &Row| {
            let bound = 1e-12 * row.scale + 1e-14 * size(row.kind) + 1e-15;
            row.constraint.stored & row.violation.abs().gt(bound)
        };
        let rows = self.rows.iter().filter(|row| row.part == part);
        rows.map(of).fold(Bool::constant(false), |any, of| any | of)
    }

    /// The position of a switch in the present mode. Where open switches make the current of a
    /// closed one zero, it is exactly zero: the rounding errors of stored currents do not decide.
    pub fn decisive(&self, network: &Network<'_>, position: BranchId) -> Ex {
        let is_own = |row: &&Row| {
            row.kind == Kind::Cuts && network.switches[row.switch].1.position == position
        };
        let pinned = self.rows.iter().find(is_own).map(|row| row.constraint.is_pinned);
        let current = network.current(position);
        pinned.map_or(current, |pinned| select(pinned, 0.0, current))
    }

    /// Ends the simulation where a constraint needs the derivative of an input of the FMU.
    pub fn refuse_inputs(&self, network: &Network<'_>, structure: &Structure, model: &mut Model) {
        let is_input = |leaf: &Leaf| matches!(leaf, Leaf::Input(_));
        let factor = |of: &Constraint, k: usize| match k.checked_sub(self.stored.len()) {
            None => of.of_stored[k],
            Some(given) => of.of_given[given],
        };
        for (k, rated) in self.stored.iter().chain(&self.given).enumerate() {
            if !leaves_of(&[rated.known.value]).iter().any(is_input) {
                continue;
            }
            let name = &structure.names[network.owners[rated.known.branch]];
            let sentence = format!(
                "{name} and ideal switches form a loop or a cut with an input of the FMU, whose \
                 derivative is not known"
            );
            let needs = |row: &Row| row.constraint.stored & !factor(&row.constraint, k).equals(0.0);
            let any = self.rows.iter().map(needs);
            let any = any.fold(Bool::constant(false), |any, needs| any | needs);
            model.assert(None, !any, &sentence, false);
        }
    }

    /// The laws of switches with the derivatives of constraints: residuals by branch.
    pub fn laws(
        &self,
        network: &Network<'_>,
        laws: &mut BTreeMap<usize, Ex>,
        e: &mut SignalView<'_>,
    ) {
        let position = |k: usize| network.current(network.switches[k].1.position);
        for Row { kind, switch, constraint, .. } in &self.rows {
            let (branch, law) = network.switches[*switch];
            let (own, companion) = match kind {
                Kind::Loops => {
                    let v = network.voltage(branch.index());
                    (branch.index(), v - COMPANION[0] * position(*switch) - law.knee)
                }
                Kind::Cuts => {
                    let i = network.current(branch);
                    (law.position.index(), i - COMPANION[1] * position(*switch))
                }
            };
            let known = self.terms(constraint);
            let known = known.fold(Ex::zero(), |sum, (rated, of)| sum + of * rated.rate);
            let rate = self.knees(constraint, network).fold(known, |rate, (knee, of)| {
                if varies(knee) { rate - of * e.rate(knee) } else { rate }
            });
            let shares = self.rows.iter().zip(&constraint.of_switches);
            let shares = shares.fold(Ex::zero(), |sum, (row, &of)| sum + of * position(row.switch));
            let Some(law) = laws.get_mut(&own) else { continue };
            *law = select(constraint.shared, shares, *law);
            *law = select(constraint.given, companion, *law);
            *law = select(constraint.stored, rate, *law);
        }
    }
}

impl Row {
    /// By how much it is violated more than where a mode ends. Errors of the integration can
    /// exceed this; then the companion circuit decides as the circuit itself would.
    fn excess(&self) -> Ex {
        self.violation.abs() - 1e-6 * self.scale - SMALLEST
    }

    /// Whether stored quantities violate it by more than errors of the integration, which are some
    /// multiple of the tolerance of values at or above the nominal ones. Less loses a millionth of
    /// the energy of nominal values at most.
    pub fn jumps(&self) -> Bool {
        let errors = 1e-3 * (self.scale + self.nominal);
        self.constraint.stored & self.violation.abs().gt(errors)
    }
}

impl Kind {
    /// What is constrained, in messages.
    pub fn quantities(self) -> &'static str {
        match self {
            Kind::Loops => "voltages",
            Kind::Cuts => "currents",
        }
    }

    /// The resistance of a closed switch, or the conductance of an open one.
    fn effect(self, law: &SwitchLaw) -> Ex {
        match self {
            Kind::Loops => law.resistance,
            Kind::Cuts => law.conductance,
        }
    }

    /// Whether a switch constrains voltages, or currents.
    fn is_active(self, is_open: Bool) -> Bool {
        match self {
            Kind::Loops => !is_open,
            Kind::Cuts => is_open,
        }
    }
}

impl Network<'_> {
    /// All voltages and currents that laws give.
    pub fn quantities(&self) -> Vec<Known> {
        let sums = self.couplings().into_iter().filter_map(|of| of.value);
        self.known(Kind::Loops).into_iter().chain(self.known(Kind::Cuts)).chain(sums).collect()
    }

    /// The current of a branch.
    pub fn current(&self, branch: BranchId) -> Ex {
        self.unknowns.all[self.nodes + branch.index()]
    }

    /// The voltage of a branch.
    pub fn voltage(&self, branch: usize) -> Ex {
        let [from, to] = self.branches[branch].1;
        let at = |end: Option<Unknown>| end.map_or_else(Ex::zero, |end| self.unknowns.all[end]);
        at(from) - at(to)
    }

    /// The connected part of a branch.
    pub fn part(&self, branch: usize) -> usize {
        self.parts.of(BranchId::at(branch))
    }

    /// Notes switches without resistance that are exactly parallel: a choice divides their current.
    pub fn note_parallel(&self, e: &mut SignalView<'_>) {
        let closed = self.switches.iter().filter(|(_, law)| law.resistance.is_constant_zero());
        let mut at_ends: BTreeMap<[Option<Unknown>; 2], Vec<usize>> = BTreeMap::new();
        for (branch, _) in closed {
            at_ends.entry(self.branches[branch.index()].1).or_default().push(branch.index());
        }
        for parallel in at_ends.into_values().filter(|parallel| parallel.len() > 1) {
            let names = self.names(parallel.into_iter(), e);
            e.model.note(format!(
                "{names} are parallel and have no resistance: while they conduct together, their \
                 currents are equal"
            ));
        }
    }

    /// The names of the components of branches.
    pub fn names(&self, branches: impl Iterator<Item = usize>, e: &SignalView<'_>) -> String {
        let owners: BTreeSet<ComponentId> = branches.map(|branch| self.owners[branch]).collect();
        in_a_row(owners.iter().map(|owner| e.name_of(*owner)))
    }

    /// The nominal value of a stored voltage (or current).
    fn nominal(&self, value: Ex) -> Ex {
        self.states_in(value).into_iter().fold(Ex::zero(), |sum, k| {
            let StateVariable { symbol, variable, .. } = &self.states[k];
            let factor = differentiate(&[value], &[(*symbol, Ex::one())])[0];
            sum + factor.abs() * variable.nominal
        })
    }

    /// The variables that may be states in an expression.
    pub fn states_in(&self, value: Ex) -> Vec<usize> {
        let leaves = leaves_of(&[value]);
        let all = self.states.iter().enumerate();
        let inside =
            all.filter(|(_, state)| state.symbol.as_leaf().is_some_and(|s| leaves.contains(&s)));
        inside.map(|(k, _)| k).collect()
    }

    /// The potential at an end of a branch where no other branch of its component ends, and how it
    /// changes with the voltage of the branch.
    pub fn own_potential(&self, branch: usize) -> Option<(Ex, Ex)> {
        let owner = self.owners[branch];
        let of_owner = self.branches.iter().zip(&self.owners).filter(|(_, of)| **of == owner);
        let ends: Vec<Option<Unknown>> = of_owner.flat_map(|((_, ends), _)| *ends).collect();
        let [from, to] = self.branches[branch].1;
        let own = [(from, 1.0), (to, -1.0)].into_iter().find_map(|(end, sign)| {
            let alone = ends.iter().filter(|other| **other == end).count() == 1;
            end.filter(|_| alone).map(|end| (end, sign))
        });
        own.map(|(end, sign)| (self.unknowns.all[end], Ex::from(sign)))
    }

    /// The derivative of a value, in terms of unknowns: that of each state is known by its law.
    fn rate(&self, value: Ex, e: &mut SignalView<'_>) -> Ex {
        let states = self.states_in(value);
        if states.is_empty() {
            return if leaves_of(&[value]).is_empty() { Ex::zero() } else { e.rate(value) };
        }
        let states = states.into_iter().map(|k| (self.states[k].symbol, self.states[k].rate));
        let mut rates: Vec<(Ex, Ex)> = states.collect();
        let of_states: Vec<Leaf> = rates.iter().filter_map(|(state, _)| state.as_leaf()).collect();
        let others = leaves_of(&[value]).into_iter();
        let others = others.filter(|leaf| !leaf.is_truth() && !of_states.contains(leaf));
        for other in others.map(Ex::leaf).filter(|other| varies(*other)) {
            rates.push((other, e.rate(other)));
        }
        differentiate(&[value], &rates)[0]
    }
}
