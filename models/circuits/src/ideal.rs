//! Ideal switches: without resistance when they are closed, or without conductance when they are
//! open.
//!
//! A closed switch without resistance may close a loop of capacitors and voltage sources, and an
//! open one without conductance may cut inductors and current sources off. The law of the switch
//! then says something about states, and the derivative of this constraint takes its place. Which
//! switches do so depends on the modes (`switch_rows`), so each law is selected.

use crate::elimination::StateVariable;
use crate::switch_rows::{Constraint, Rows};
use equations::{Bool, Ex, Leaf, Model, differentiate, leaves_of, select, substitute};
use language::ids::{BranchId, ComponentId, Id};
use language::statements::algebra::linear_equation::{Equation, Symbols, Unknown};
use language::statements::contributions::Structure;
use language::statements::laws::circuits::SwitchLaw;
use language::statements::laws::signal_view::SignalView;
use std::collections::{BTreeMap, BTreeSet};

/// Resistance in Ohm of a closed switch, and conductance in S of an open one, where the ideal one
/// has none of it: in the companion circuit, and between sources.
pub const COMPANION: [f64; 2] = [1e-7, 1e-9];

/// The circuit to which the switches belong.
pub struct Network<'a> {
    /// The unknowns.
    pub unknowns: &'a Symbols,
    /// The laws of all branches, with the unknowns at their ends; `None` is the ground.
    pub branches: Vec<(&'a Equation, [Option<Unknown>; 2])>,
    /// The number of potentials, which come before the currents.
    pub nodes: usize,
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

/// A voltage (or current) that the law of a branch gives.
pub struct Known {
    /// The branch.
    pub branch: usize,
    /// The voltage (or current).
    pub value: Ex,
    /// Its derivative, in terms of unknowns.
    pub rate: Ex,
}

/// All constraints on voltages, or on currents.
pub struct Side {
    /// Which of them.
    pub kind: Kind,
    /// The switches, as numbers in the list.
    pub switches: Vec<usize>,
    /// Their constraints.
    pub constraints: Vec<Constraint>,
    /// Stored voltages (or currents).
    pub stored: Vec<Known>,
    /// Those of sources.
    pub given: Vec<Known>,
    /// By how much each constraint is violated.
    pub violations: Vec<Ex>,
    /// The sum of the magnitudes in each constraint.
    scales: Vec<Ex>,
}

impl Side {
    /// The constraints of this kind.
    pub fn new(kind: Kind, network: &Network<'_>, e: &mut SignalView<'_>) -> Side {
        let is_ideal = |law: &SwitchLaw| match kind {
            Kind::Loops => law.resistance.is_constant_zero(),
            Kind::Cuts => law.conductance.is_constant_zero(),
        };
        let all = network.switches.iter().enumerate();
        let switches: Vec<usize> =
            all.filter(|(_, (_, law))| is_ideal(law)).map(|(k, _)| k).collect();
        let is_switch: BTreeSet<usize> =
            switches.iter().map(|&k| network.switches[k].0.index()).collect();
        let known = network.known(kind);
        let is_stored = |value: Ex| !network.states_in(value).is_empty();
        let (stored, given): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|(_, value)| is_stored(*value));
        let graph = match kind {
            Kind::Loops => Graph::loops(network, &is_switch, &stored, &given),
            Kind::Cuts => Graph::cuts(network, &is_switch, &stored, &given),
        };
        let (rows, [stored, given]) = graph.pruned([stored, given]);
        let active: Vec<Bool> = switches
            .iter()
            .map(|&k| match (kind, network.switches[k].1.is_open) {
                (Kind::Loops, open) => !open,
                (Kind::Cuts, open) => open,
            })
            .collect();
        let constraints = rows.reduced(&active);
        let with_rates = !stored.is_empty();
        let mut with_rate = |(branch, value): (usize, Ex)| {
            let rate = if with_rates { network.rate(value, e) } else { Ex::zero() };
            Known { branch, value, rate }
        };
        let stored: Vec<Known> = stored.into_iter().map(&mut with_rate).collect();
        let given: Vec<Known> = given.into_iter().map(&mut with_rate).collect();
        let mut side = Side {
            kind,
            switches,
            constraints,
            stored,
            given,
            violations: Vec::new(),
            scales: Vec::new(),
        };
        (side.violations, side.scales) = side.compare(network);
        side
    }

    /// By how much each constraint is violated, and the sum of the magnitudes in it.
    fn compare(&self, network: &Network<'_>) -> (Vec<Ex>, Vec<Ex>) {
        let of = |constraint: &Constraint| {
            let known = self.stored.iter().zip(&constraint.of_stored);
            let known = known.chain(self.given.iter().zip(&constraint.of_given));
            let mut terms: Vec<Ex> = known.map(|(known, &factor)| factor * known.value).collect();
            if self.kind == Kind::Loops {
                let knees = self.switches.iter().map(|&k| network.switches[k].1.knee);
                terms.extend(knees.zip(&constraint.of_switches).map(|(knee, &of)| -(of * knee)));
            }
            let sum = |terms: &mut dyn Iterator<Item = Ex>| {
                terms.fold(Ex::zero(), |sum, term| sum + term)
            };
            (sum(&mut terms.iter().copied()), sum(&mut terms.iter().map(|term| term.abs())))
        };
        self.constraints.iter().map(of).unzip()
    }

    /// By how much constraints of any kind, or of sources alone, are violated more than by the
    /// errors of the integration; not positive if none is.
    pub fn excess(&self, of_sources_only: bool) -> Ex {
        let all = self.constraints.iter().zip(&self.violations).zip(&self.scales);
        all.fold(Ex::from(-1e-9), |most, ((constraint, violation), &scale)| {
            let Constraint { stored, given, shared, .. } = constraint;
            let counts = *given | *shared;
            let counts = if of_sources_only { counts } else { counts | *stored };
            most.max(select(counts, violation.abs() - 1e-6 * scale - 1e-9, -1e-9))
        })
    }

    /// Whether a constraint on stored quantities is violated by more than rounding errors.
    pub fn is_violated(&self) -> Bool {
        let all = self.constraints.iter().zip(&self.violations).zip(&self.scales);
        all.fold(Bool::constant(false), |any, ((constraint, violation), &scale)| {
            any | constraint.stored & violation.abs().gt(1e-12 * scale + 1e-15)
        })
    }

    /// Ends the simulation where a constraint needs the derivative of an input of the FMU.
    pub fn refuse_inputs(&self, network: &Network<'_>, structure: &Structure, model: &mut Model) {
        let is_input = |leaf: &Leaf| matches!(leaf, Leaf::Input(_));
        for (k, known) in self.given.iter().enumerate() {
            if !leaves_of(&[known.value]).iter().any(is_input) {
                continue;
            }
            let name = &structure.names[network.owners[known.branch]];
            let sentence = format!(
                "{name} and ideal switches form a loop or a cut with an input of the FMU, whose \
                 derivative is not known"
            );
            let needs = |of: &Constraint| of.stored & !of.of_given[k].equals(0.0);
            let any = self.constraints.iter().map(needs);
            let any = any.fold(Bool::constant(false), |any, needs| any | needs);
            model.assert(None, !any, &sentence, false);
        }
    }

    /// The laws of switches with the derivatives of constraints: residuals by branch.
    pub fn laws(&self, network: &Network<'_>, laws: &mut BTreeMap<usize, Ex>) {
        let position = |k: usize| network.current(network.switches[k].1.position);
        for (&k, constraint) in self.switches.iter().zip(&self.constraints) {
            let (branch, law) = network.switches[k];
            let (own, companion) = match self.kind {
                Kind::Loops => {
                    let v = network.voltage(branch.index());
                    (branch.index(), v - COMPANION[0] * position(k) - law.knee)
                }
                Kind::Cuts => {
                    let i = network.current(branch);
                    (law.position.index(), i - COMPANION[1] * position(k))
                }
            };
            let known = self.stored.iter().zip(&constraint.of_stored);
            let known = known.chain(self.given.iter().zip(&constraint.of_given));
            let rate = known.fold(Ex::zero(), |sum, (known, &of)| sum + of * known.rate);
            let shares = self.switches.iter().zip(&constraint.of_switches);
            let shares = shares.fold(Ex::zero(), |sum, (&k, &of)| sum + of * position(k));
            let Some(law) = laws.get_mut(&own) else { continue };
            *law = select(constraint.shared, shares, *law);
            *law = select(constraint.given, companion, *law);
            *law = select(constraint.stored, rate, *law);
        }
    }
}

impl Network<'_> {
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

    /// The variables that may be states in an expression.
    pub fn states_in(&self, value: Ex) -> Vec<usize> {
        let leaves = leaves_of(&[value]);
        let all = self.states.iter().enumerate();
        let inside =
            all.filter(|(_, state)| state.symbol.as_leaf().is_some_and(|s| leaves.contains(&s)));
        inside.map(|(k, _)| k).collect()
    }

    /// The branches whose laws give their voltages (or currents), with these.
    pub fn known(&self, kind: Kind) -> Vec<(usize, Ex)> {
        let of = |(k, (law, ends)): (usize, &(&Equation, [Option<Unknown>; 2]))| {
            let own = self.nodes + k;
            if !law.nonlinear.is_empty() || ends[0] == ends[1] {
                return None;
            }
            let factor = |unknown: Unknown| law.factors.get(&unknown)?.constant_value();
            let unknowns = law.unknowns();
            let [from, to] = *ends;
            match kind {
                Kind::Cuts => {
                    let alone = unknowns == BTreeSet::from([own]);
                    alone.then(|| Some((k, -law.rest / factor(own)?)))?
                }
                Kind::Loops => {
                    let both: BTreeSet<Unknown> = [from, to].into_iter().flatten().collect();
                    let first = from.map(factor);
                    let second = to.map(factor);
                    let of_voltage = match (first, second) {
                        (Some(a), Some(b)) if a? == -b? => a?,
                        (Some(a), None) => a?,
                        (None, Some(b)) => -b?,
                        _ => return None,
                    };
                    (unknowns == both).then(|| (k, -law.rest / of_voltage))
                }
            }
        };
        self.branches.iter().enumerate().filter_map(of).collect()
    }

    /// The potential at an end of a branch where no other branch of its component ends, and how it
    /// changes with the voltage of the branch.
    pub fn own_potential(&self, branch: usize) -> Option<(Ex, Ex)> {
        let owner = self.owners[branch];
        let of_owner = self.branches.iter().zip(&self.owners).filter(|(_, of)| **of == owner);
        let ends: Vec<Node> = of_owner.flat_map(|((_, ends), _)| *ends).collect();
        let [from, to] = self.branches[branch].1;
        let own = [(from, 1.0), (to, -1.0)].into_iter().find_map(|(end, sign)| {
            let alone = ends.iter().filter(|other| **other == end).count() == 1;
            end.filter(|_| alone).map(|end| (end, sign))
        });
        own.map(|(end, sign)| (self.unknowns.all[end], Ex::from(sign)))
    }

    /// The derivative of a value, in terms of unknowns.
    fn rate(&self, value: Ex, e: &mut SignalView<'_>) -> Ex {
        let states: Vec<(Ex, Ex)> =
            self.states.iter().map(|state| (state.symbol, Ex::zero())).collect();
        let given = substitute(&[value], &states)[0];
        let of_sources = if leaves_of(&[given]).is_empty() { Ex::zero() } else { e.rate(given) };
        self.states_in(value).into_iter().fold(of_sources, |sum, k| {
            let state = &self.states[k];
            sum + differentiate(&[value], &[(state.symbol, Ex::one())])[0] * state.rate
        })
    }
}

/// What the voltages (or currents) of switches consist of, by switch: factors of free quantities,
/// of stored ones and of those that sources give.
struct Graph {
    free: Vec<Vec<i8>>,
    stored: Vec<Vec<i8>>,
    given: Vec<Vec<i8>>,
}

type Node = Option<Unknown>;

impl Graph {
    /// Voltages of switches. Nodes that branches with known voltages join are one node, and the
    /// potentials of these are free.
    fn loops(
        network: &Network<'_>,
        switches: &BTreeSet<usize>,
        stored: &[(usize, Ex)],
        given: &[(usize, Ex)],
    ) -> Graph {
        let known: Vec<usize> = given.iter().chain(stored).map(|(branch, _)| *branch).collect();
        // The root of each node, and the voltages on the way to it.
        let mut way: BTreeMap<Node, (Node, Vec<i8>)> = BTreeMap::new();
        for end in network.branches.iter().flat_map(|(_, ends)| ends).chain([&None]) {
            way.insert(*end, (*end, vec![0; known.len()]));
        }
        for (k, &branch) in known.iter().enumerate() {
            let [from, to] = network.branches[branch].1.map(|end| way[&end].clone());
            // The ground stays a root.
            let (kept, moved, sign) =
                if to.0.is_none() { (&to, &from, 1) } else { (&from, &to, -1) };
            if kept.0 == moved.0 {
                continue;
            }
            // moved - kept = sign * (known voltage), so that the root of the one gets a way.
            let mut offset: Vec<i8> = kept.1.iter().zip(&moved.1).map(|(a, b)| a - b).collect();
            offset[k] += sign;
            for (root, voltages) in way.values_mut().filter(|(root, _)| *root == moved.0) {
                *root = kept.0;
                voltages.iter_mut().zip(&offset).for_each(|(voltage, of)| *voltage += of);
            }
        }
        let roots: BTreeSet<Node> = way.values().map(|(root, _)| *root).collect();
        let (mut free, mut paths) = (Vec::new(), Vec::new());
        for &branch in switches {
            let [from, to] = network.branches[branch].1.map(|end| &way[&end]);
            let of = |root: &Node| i8::from(from.0 == *root) - i8::from(to.0 == *root);
            free.push(roots.iter().filter(|root| root.is_some()).map(of).collect());
            paths.push(from.1.iter().zip(&to.1).map(|(a, b)| a - b).collect::<Vec<i8>>());
        }
        let of = |range: std::ops::Range<usize>| {
            paths.iter().map(|path: &Vec<i8>| path[range.clone()].to_vec()).collect()
        };
        Graph { free, given: of(0..given.len()), stored: of(given.len()..known.len()) }
    }

    /// Currents of switches. Nodes that other branches join are one node; the currents of switches
    /// that close loops are free.
    fn cuts(
        network: &Network<'_>,
        switches: &BTreeSet<usize>,
        stored: &[(usize, Ex)],
        given: &[(usize, Ex)],
    ) -> Graph {
        let known: Vec<usize> = stored.iter().chain(given).map(|(branch, _)| *branch).collect();
        let mut group: BTreeMap<Node, Node> = BTreeMap::from([(None, None)]);
        network.branches.iter().flat_map(|(_, ends)| ends).for_each(|&end| {
            group.insert(end, end);
        });
        for (branch, (_, [from, to])) in network.branches.iter().enumerate() {
            if !switches.contains(&branch) && !known.contains(&branch) {
                merge(&mut group, [*from, *to]);
            }
        }
        let ends = |branch: usize| network.branches[branch].1.map(|end| group[&end]);
        let mut joined = group.clone();
        let (mut tree, mut links) = (Vec::new(), Vec::new());
        for &branch in switches.iter().chain(&known) {
            let at = network.branches[branch].1;
            let is_link = joined[&at[0]] == joined[&at[1]];
            if is_link {
                links.push(branch)
            } else {
                tree.push(branch)
            }
            merge(&mut joined, at);
        }
        let loops: Vec<usize> =
            links.iter().copied().filter(|branch| switches.contains(branch)).collect();
        let current = |branch: usize, of: &[usize]| -> Vec<i8> {
            if let Some(own) = links.iter().position(|&link| link == branch) {
                return of.iter().map(|&link| i8::from(link == links[own])).collect();
            }
            // Without the branch, the tree has two parts.
            let mut part = group.clone();
            tree.iter().filter(|&&other| other != branch).for_each(|&other| {
                merge(&mut part, network.branches[other].1);
            });
            let inside = part[&ends(branch)[0]];
            let leaves = |link: &usize| {
                let [from, to] = network.branches[*link].1.map(|end| part[&end] == inside);
                let is_link = i8::from(links.contains(link));
                is_link * (i8::from(to) - i8::from(from))
            };
            of.iter().map(leaves).collect()
        };
        let of = |of: &[usize]| switches.iter().map(|&branch| current(branch, of)).collect();
        let count = stored.len();
        Graph { free: of(&loops), stored: of(&known[..count]), given: of(&known[count..]) }
    }

    /// The rows, and what occurs in them.
    fn pruned(self, [stored, given]: [Numbered; 2]) -> (Rows, [Numbered; 2]) {
        let occurs = |rows: &[Vec<i8>], k: usize| rows.iter().any(|row| row[k] != 0);
        let kept = |rows: &[Vec<i8>], all: Vec<(usize, Ex)>| -> Vec<(usize, (usize, Ex))> {
            all.into_iter().enumerate().filter(|(k, _)| occurs(rows, *k)).collect()
        };
        let (kept_stored, kept_given) = (kept(&self.stored, stored), kept(&self.given, given));
        let count = self.free.len();
        let row = |j: usize| {
            let free = self.free[j].iter().copied();
            let stored = kept_stored.iter().map(|(k, _)| self.stored[j][*k]);
            let given = kept_given.iter().map(|(k, _)| self.given[j][*k]);
            let own = (0..count).map(|other| i8::from(other == j));
            let all = free.chain(stored).chain(given).chain(own);
            all.map(|factor| Ex::from(f64::from(factor))).collect()
        };
        let free = self.free.first().map_or(0, Vec::len);
        let counts = [free, kept_stored.len(), kept_given.len()];
        let rows = Rows { factors: (0..count).map(row).collect(), counts };
        let only = |all: Vec<(usize, (usize, Ex))>| all.into_iter().map(|(_, of)| of).collect();
        (rows, [only(kept_stored), only(kept_given)])
    }
}

/// Quantities with their numbers.
type Numbered = Vec<(usize, Ex)>;

/// Makes the groups of two nodes one.
fn merge(group: &mut BTreeMap<Node, Node>, ends: [Node; 2]) {
    let [a, b] = ends.map(|end| group[&end]);
    let (kept, lost) = (a.min(b), a.max(b));
    group.values_mut().filter(|of| **of == lost).for_each(|of| *of = kept);
}
