//! What the voltages and currents of switches consist of: free quantities, stored ones and those
//! that sources give.
//!
//! Nodes that branches with known voltages join are one node, whose potential is free. Nodes that
//! other branches join are one node for currents: there, currents of switches and of couplings that
//! close loops are free. Couplings, as those of ideal transformers, then express some of the free
//! quantities by others.

use crate::couplings::{Coupling, Known};
use crate::ideal::{Kind, Network};
use crate::switch_rows::Rows;
use equations::{Ex, Model};
use language::statements::algebra::linear_equation::{Unknown, is_zero};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

type Node = Option<Unknown>;

/// Numbers of what occurs in the rows of switches.
pub struct Occurring {
    /// Stored quantities.
    pub stored: Vec<usize>,
    /// Quantities of sources.
    pub given: Vec<usize>,
    /// The branches of active couplings.
    pub active: Vec<usize>,
}

/// A row of factors.
type Row = Vec<Ex>;

/// Columns of factors: of free potentials, free currents, known quantities and active couplings.
pub struct Graph<'a> {
    network: &'a Network<'a>,
    /// Known quantities: the stored ones, and then those of sources.
    known: [&'a [Known]; 2],
    potentials: Potentials,
    currents: Currents,
    active: Vec<usize>,
}

impl<'a> Graph<'a> {
    /// The graph of a circuit, for switches without resistance (in loops) and without conductance
    /// (in cuts).
    pub fn new(
        network: &'a Network<'a>,
        switches: &[(Kind, usize)],
        known: [&'a [Known]; 2],
        couplings: &[Coupling],
    ) -> Graph<'a> {
        let cuts = switches.iter().filter(|(kind, _)| *kind == Kind::Cuts);
        let branches = cuts.map(|(_, branch)| *branch).collect();
        let potentials = Potentials::new(network, &known.concat());
        let currents = Currents::new(network, branches, &known.concat(), couplings);
        let active = couplings.iter().filter(|of| of.is_active).map(|of| of.branch).collect();
        Graph { network, known, potentials, currents, active }
    }

    /// The rows of switches, and which known quantities and which active couplings occur in them.
    pub fn rows(
        &self,
        switches: &[(Kind, usize)],
        couplings: &[Coupling],
        model: &mut Model,
    ) -> (Rows, Occurring) {
        let row = |&(kind, branch): &(Kind, usize)| match kind {
            Kind::Loops => {
                let [from, to] = self.network.branches[branch].1;
                sum([(Ex::one(), self.potential(from)), (-Ex::one(), self.potential(to))])
            }
            Kind::Cuts => self.current(branch),
        };
        let mut rows: Vec<Row> = switches.iter().map(row).collect();
        let mut coupled: Vec<Row> = couplings.iter().map(|of| self.coupling(of)).collect();
        while let Some(pivot) = coupled.pop() {
            let Some(column) = self.pivot(&pivot, model) else { continue };
            for other in rows.iter_mut().chain(&mut coupled) {
                eliminate(other, &pivot, column);
            }
        }
        let mut begin = self.free();
        let mut occurring = |count: usize| -> Vec<usize> {
            let range = begin..begin + count;
            begin = range.end;
            let occurs =
                |k: &usize| rows.iter().any(|row| !row[range.start + *k].is_constant_zero());
            (0..count).filter(occurs).collect()
        };
        let [stored, given] = self.known.map(|known| occurring(known.len()));
        let active = occurring(self.active.len());
        let counts = [self.free(), stored.len(), given.len(), active.len()];
        let ends = [self.free(), self.free() + self.known[0].len()];
        let kept = stored.iter().map(|k| ends[0] + k).chain(given.iter().map(|k| ends[1] + k));
        let kept = kept.chain(active.iter().map(|k| self.width() - self.active.len() + k));
        let kept: Vec<usize> = (0..self.free()).chain(kept).collect();
        let own = |j: usize| (0..rows.len()).map(move |k| Ex::from(f64::from(u8::from(j == k))));
        let factors = rows.iter().enumerate();
        let factors = factors.map(|(j, row)| kept.iter().map(|k| row[*k]).chain(own(j)).collect());
        let rows = Rows { factors: factors.collect(), counts };
        let active = active.into_iter().map(|k| self.active[k]).collect();
        (rows, Occurring { stored, given, active })
    }

    fn free(&self) -> usize {
        self.potentials.roots.len() + self.currents.free.len()
    }

    fn width(&self) -> usize {
        self.free() + self.known[0].len() + self.known[1].len() + self.active.len()
    }

    /// The row of a potential.
    fn potential(&self, node: Node) -> Row {
        let (root, way) = &self.potentials.ways[&node];
        let mut row = vec![Ex::zero(); self.width()];
        if let Some(k) = self.potentials.roots.iter().position(|of| of == root) {
            row[k] = Ex::one();
        }
        for (&k, &factor) in self.potentials.known.iter().zip(way) {
            row[self.free() + k] = Ex::from(f64::from(factor));
        }
        row
    }

    /// The row of a current.
    fn current(&self, branch: usize) -> Row {
        let mut row = vec![Ex::zero(); self.width()];
        for (link, factor) in self.currents.through(self.network, branch) {
            let free = self.currents.free.iter().position(|of| *of == link);
            let free = free.map(|k| self.potentials.roots.len() + k);
            let is_own =
                |known: &Known| known.kind == Kind::Cuts && !known.is_sum && known.branch == link;
            let known = self.place(is_own);
            if let Some(column) = free.or(known) {
                row[column] = Ex::from(f64::from(factor));
            }
        }
        row
    }

    /// The row of a coupling, whose sum is zero.
    fn coupling(&self, of: &Coupling) -> Row {
        let parts = of.factors.iter().map(|&(unknown, factor)| {
            let nodes = self.network.nodes;
            let row = match unknown.checked_sub(nodes) {
                None => self.potential(Some(unknown)),
                Some(branch) => self.current(branch),
            };
            (factor, row)
        });
        let mut row = sum(parts);
        let is_value = |known: &Known| known.is_sum && known.branch == of.branch;
        if let Some(column) = self.place(is_value) {
            row[column] = -Ex::one();
        }
        if let Some(k) = self.active.iter().position(|branch| *branch == of.branch) {
            row[self.width() - self.active.len() + k] = Ex::one();
        }
        row
    }

    /// The column of a known quantity.
    fn place(&self, is_it: impl Fn(&Known) -> bool) -> Option<usize> {
        let mut all = self.known.iter().copied().flatten();
        all.position(is_it).map(|k| self.free() + k)
    }

    /// The free quantity that a coupling expresses by others, best one with a constant factor. A
    /// coupling of stored quantities alone expresses one of these: switches do not constrain them
    /// once more.
    fn pivot(&self, row: &Row, model: &mut Model) -> Option<usize> {
        let stored = self.free() + self.known[0].len();
        let inside = |columns: Range<usize>| {
            let factors = || columns.clone().map(|k| (k, row[k])).filter(|(_, of)| !is_zero(*of));
            let constant = factors().find(|(_, of)| of.constant_value().is_some());
            constant.or_else(|| factors().next())
        };
        let (column, factor) = inside(0..self.free()).or_else(|| inside(self.free()..stored))?;
        if factor.constant_value().is_none() {
            let why = "a gain becomes zero, which changes the voltages and currents that ideal \
                       switches constrain";
            let of = model.parameters_of(factor);
            let of: Vec<&str> = of.iter().map(String::as_str).collect();
            model.require(&of, !factor.equals(0.0), why);
        }
        Some(column)
    }
}

/// A sum of rows with factors; no row gives an empty one.
fn sum(parts: impl IntoIterator<Item = (Ex, Row)>) -> Row {
    let mut total: Row = Vec::new();
    for (factor, row) in parts {
        total.resize(row.len(), Ex::zero());
        total.iter_mut().zip(row).for_each(|(to, of)| *to += factor * of);
    }
    total
}

/// Eliminates a column of a row.
fn eliminate(row: &mut Row, pivot: &Row, column: usize) {
    let factor = row[column] / pivot[column];
    if factor.is_constant_zero() {
        return;
    }
    for (k, (entry, of)) in row.iter_mut().zip(pivot).enumerate() {
        let rest = *entry - factor * *of;
        *entry = if k == column || is_zero(rest) { Ex::zero() } else { rest };
    }
}

/// Nodes that branches with known voltages join.
struct Potentials {
    /// Potentials that are free.
    roots: Vec<Node>,
    /// Numbers of the known voltages.
    known: Vec<usize>,
    /// The root of each node, and the factors of known voltages on the way to it.
    ways: BTreeMap<Node, (Node, Vec<i8>)>,
}

impl Potentials {
    fn new(network: &Network<'_>, known: &[Known]) -> Potentials {
        let is_voltage = |k: &usize| known[*k].kind == Kind::Loops && !known[*k].is_sum;
        // Voltages of sources come first.
        let mut voltages: Vec<usize> = (0..known.len()).filter(is_voltage).collect();
        voltages.sort_by_key(|&k| !network.states_in(known[k].value).is_empty());
        let mut ways: BTreeMap<Node, (Node, Vec<i8>)> = BTreeMap::new();
        for end in network.branches.iter().flat_map(|(_, ends)| ends).chain([&None]) {
            ways.insert(*end, (*end, vec![0; voltages.len()]));
        }
        for (k, &voltage) in voltages.iter().enumerate() {
            let branch = known[voltage].branch;
            let [from, to] = network.branches[branch].1.map(|end| ways[&end].clone());
            // The ground stays a root.
            let (kept, moved, sign) =
                if to.0.is_none() { (&to, &from, 1) } else { (&from, &to, -1) };
            if kept.0 == moved.0 {
                continue;
            }
            // moved - kept = sign * (known voltage), so that the root of the one gets a way.
            let mut offset: Vec<i8> = kept.1.iter().zip(&moved.1).map(|(a, b)| a - b).collect();
            offset[k] += sign;
            for (root, way) in ways.values_mut().filter(|(root, _)| *root == moved.0) {
                *root = kept.0;
                way.iter_mut().zip(&offset).for_each(|(voltage, of)| *voltage += of);
            }
        }
        let roots: BTreeSet<Node> = ways.values().map(|(root, _)| *root).collect();
        let roots = roots.into_iter().filter(Option::is_some).collect();
        Potentials { roots, known: voltages, ways }
    }
}

/// Nodes that branches join whose currents nothing is known about.
struct Currents {
    /// The group of each node.
    group: BTreeMap<Node, Node>,
    /// Branches between groups, without loops.
    tree: Vec<usize>,
    /// Other branches between groups.
    links: Vec<usize>,
    /// Those of these whose currents are free.
    free: Vec<usize>,
}

impl Currents {
    fn new(
        network: &Network<'_>,
        switches: BTreeSet<usize>,
        known: &[Known],
        couplings: &[Coupling],
    ) -> Currents {
        let coupled = couplings.iter().flat_map(|of| &of.factors);
        let coupled = coupled.filter_map(|(unknown, _)| unknown.checked_sub(network.nodes));
        let given: BTreeSet<usize> = known
            .iter()
            .filter(|of| of.kind == Kind::Cuts && !of.is_sum)
            .map(|of| of.branch)
            .collect();
        let is_new = |of: &usize| !given.contains(of) && !switches.contains(of);
        let coupled: BTreeSet<usize> = coupled.filter(is_new).collect();
        let between = || switches.iter().chain(&coupled).chain(&given).copied();
        let apart: BTreeSet<usize> = between().collect();
        let mut group: BTreeMap<Node, Node> = BTreeMap::from([(None, None)]);
        network.branches.iter().flat_map(|(_, ends)| ends).for_each(|&end| {
            group.insert(end, end);
        });
        for (branch, (_, ends)) in network.branches.iter().enumerate() {
            if !apart.contains(&branch) {
                merge(&mut group, *ends);
            }
        }
        let mut joined = group.clone();
        let (mut tree, mut links) = (Vec::new(), Vec::new());
        for branch in between() {
            let at = network.branches[branch].1;
            let is_link = joined[&at[0]] == joined[&at[1]];
            (if is_link { &mut links } else { &mut tree }).push(branch);
            merge(&mut joined, at);
        }
        let free = links.iter().copied().filter(|branch| !given.contains(branch)).collect();
        Currents { group, tree, links, free }
    }

    /// The current of a branch: factors of the currents of links.
    fn through(&self, network: &Network<'_>, branch: usize) -> Vec<(usize, i8)> {
        if self.links.contains(&branch) {
            return vec![(branch, 1)];
        }
        // Without the branch, the tree has two parts.
        let mut part = self.group.clone();
        self.tree.iter().filter(|&&other| other != branch).for_each(|&other| {
            merge(&mut part, network.branches[other].1);
        });
        let inside = part[&network.branches[branch].1[0]];
        let leaves = |&link: &usize| {
            let [from, to] = network.branches[link].1.map(|end| part[&end] == inside);
            (link, i8::from(to) - i8::from(from))
        };
        self.links.iter().map(leaves).filter(|(_, factor)| *factor != 0).collect()
    }
}

/// Makes the groups of two nodes one.
fn merge(group: &mut BTreeMap<Node, Node>, ends: [Node; 2]) {
    let [a, b] = ends.map(|end| group[&end]);
    let (kept, lost) = (a.min(b), a.max(b));
    group.values_mut().filter(|of| **of == lost).for_each(|of| *of = kept);
}
