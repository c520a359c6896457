//! Structural dependencies: the leaves on which every expression of a code depends.

use std::collections::{BTreeMap, BTreeSet};

use expressions::code::Code;
use expressions::graph::{Id, Leaf, Node};

/// A set of leaves, one bit each.
type Bits = Vec<u64>;

/// A set of leaves for each node.
#[derive(Debug)]
pub(crate) struct LeafSets {
    /// Words per node.
    width: usize,
    words: Bits,
}

impl LeafSets {
    fn empty(nodes: usize, width: usize) -> LeafSets {
        LeafSets { width, words: vec![0; nodes * width] }
    }

    /// The set of a node.
    fn of(&self, id: Id) -> &[u64] {
        let first = id as usize * self.width;
        &self.words[first..first + self.width]
    }

    fn of_mut(&mut self, id: Id) -> &mut [u64] {
        let first = id as usize * self.width;
        &mut self.words[first..first + self.width]
    }

    /// Adds the leaves of an operand, which has a smaller number, to those of a node.
    pub fn add_operand(&mut self, id: Id, operand: Id) {
        let (before, here) = self.words.split_at_mut(id as usize * self.width);
        let first = operand as usize * self.width;
        add(&mut here[..self.width], &before[first..first + self.width]);
    }

    /// Adds the leaves of a node in other sets to those of a node.
    pub fn add(&mut self, id: Id, others: &LeafSets, other: Id) {
        add(self.of_mut(id), others.of(other));
    }
}

/// For every node, the set of leaves on which it depends, through nonlinear blocks.
///
/// Anchors are omitted, because the start of an iteration does not determine its solution. Outside
/// a block, its unknowns are omitted too.
#[derive(Debug)]
pub(crate) struct Dependencies {
    leaves: Vec<Leaf>,
    sets: LeafSets,
}

impl Dependencies {
    pub fn of(code: &Code) -> Dependencies {
        let wanted: Vec<(Id, Leaf)> =
            code.leaves().filter(|(_, leaf)| !matches!(leaf, Leaf::Anchor(_))).collect();
        let numbers: BTreeMap<Id, usize> =
            wanted.iter().enumerate().map(|(number, (id, _))| (*id, number)).collect();
        let leaves: Vec<Leaf> = wanted.iter().map(|(_, leaf)| *leaf).collect();
        let mut sets = LeafSets::empty(code.node_count(), leaves.len().div_ceil(64));
        for id in 0..code.node_count() as Id {
            code.node(id).for_each_child(&mut |child| sets.add_operand(id, child));
            let here = sets.of_mut(id);
            if let Some(number) = numbers.get(&id) {
                here[number / 64] |= 1 << (number % 64);
            }
            if let Node::Newton(block) = code.node(id) {
                for number in block.unknowns.iter().filter_map(|unknown| numbers.get(unknown)) {
                    here[number / 64] &= !(1 << (number % 64));
                }
            }
        }
        Dependencies { leaves, sets }
    }

    /// The leaves on which each node depends.
    pub fn sets(&self) -> &LeafSets {
        &self.sets
    }

    /// As many sets of the same leaves, without members.
    pub fn empty_sets(&self, code: &Code) -> LeafSets {
        LeafSets::empty(code.node_count(), self.sets.width)
    }

    /// The leaves of a node in sets of the same leaves.
    pub fn leaves_in(&self, sets: &LeafSets, id: Id) -> BTreeSet<Leaf> {
        members(sets.of(id)).map(|number| self.leaves[number]).collect()
    }

    /// The leaves on which a node depends.
    pub fn leaves(&self, id: Id) -> BTreeSet<Leaf> {
        self.leaves_in(&self.sets, id)
    }

    /// Dependencies in which some leaves are replaced by the expressions that define them.
    pub fn through(&self, definition: &BTreeMap<Leaf, Vec<Id>>) -> TransitiveDependencies<'_> {
        let definition = self.leaves.iter().map(|leaf| {
            definition.get(leaf).map(|ids| {
                let mut all = vec![0; self.sets.width];
                ids.iter().for_each(|&id| add(&mut all, self.sets.of(id)));
                all
            })
        });
        TransitiveDependencies { dependencies: self, definition: definition.collect() }
    }
}

/// Dependencies through the expressions that define some leaves.
pub(crate) struct TransitiveDependencies<'a> {
    dependencies: &'a Dependencies,
    /// For each leaf, the dependencies of the expressions that define it, if there are any.
    definition: Vec<Option<Bits>>,
}

impl TransitiveDependencies<'_> {
    /// The leaves on which a node depends, including those with definitions.
    pub fn leaves(&self, id: Id) -> BTreeSet<Leaf> {
        let mut all: Bits = self.dependencies.sets.of(id).to_vec();
        let mut unvisited: Vec<usize> = members(&all).collect();
        while let Some(number) = unvisited.pop() {
            if let Some(definition) = &self.definition[number] {
                let new: Bits = definition.iter().zip(&all).map(|(m, a)| m & !a).collect();
                unvisited.extend(members(&new));
                add(&mut all, &new);
            }
        }
        members(&all).map(|number| self.dependencies.leaves[number]).collect()
    }
}

/// Adds the members of a set to another one.
fn add(all: &mut [u64], more: &[u64]) {
    for (a, b) in all.iter_mut().zip(more) {
        *a |= b;
    }
}

/// Numbers of the bits that are set, ascending.
fn members(bits: &[u64]) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().flat_map(|(word, &bits)| {
        let mut rest = bits;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                word * 64 + bit
            })
        })
    })
}
