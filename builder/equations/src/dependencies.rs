//! Structural dependencies: the leaves on which every expression of a code depends.

use std::collections::{BTreeMap, BTreeSet};

use expressions::code::Code;
use expressions::graph::{Id, Leaf, Node};

/// A set of leaves, one bit each.
pub(crate) type Bits = Vec<u64>;

/// For every node, the set of leaves on which it depends, through nonlinear blocks.
///
/// Anchors are omitted, because the start of an iteration does not determine its solution. Outside
/// a block, its unknowns are omitted too.
#[derive(Debug)]
pub(crate) struct Dependencies {
    leaves: Vec<Leaf>,
    /// Words per node.
    pub width: usize,
    words: Bits,
}

impl Dependencies {
    pub fn of(code: &Code) -> Dependencies {
        let wanted: Vec<(Id, Leaf)> =
            code.leaves().filter(|(_, leaf)| !matches!(leaf, Leaf::Anchor(_))).collect();
        let numbers: BTreeMap<Id, usize> =
            wanted.iter().enumerate().map(|(number, (id, _))| (*id, number)).collect();
        let leaves: Vec<Leaf> = wanted.iter().map(|(_, leaf)| *leaf).collect();
        let width = leaves.len().div_ceil(64);
        let mut words = vec![0; width * code.node_count()];
        for id in 0..code.node_count() as Id {
            // Operands have smaller numbers.
            let (before, here) = words.split_at_mut(id as usize * width);
            let here = &mut here[..width];
            if let Some(number) = numbers.get(&id) {
                here[number / 64] |= 1 << (number % 64);
            }
            code.node(id).for_each_child(&mut |child| {
                let first = child as usize * width;
                add(here, &before[first..first + width]);
            });
            if let Node::Newton(block) = code.node(id) {
                for number in block.unknowns.iter().filter_map(|unknown| numbers.get(unknown)) {
                    here[number / 64] &= !(1 << (number % 64));
                }
            }
        }
        Dependencies { leaves, width, words }
    }

    /// The leaves on which a node depends, one bit each.
    pub fn bits(&self, id: Id) -> &[u64] {
        let first = id as usize * self.width;
        &self.words[first..first + self.width]
    }

    /// The leaves in a set.
    pub fn members(&self, bits: &[u64]) -> BTreeSet<Leaf> {
        members(bits).map(|number| self.leaves[number]).collect()
    }

    /// The leaves on which a node depends.
    pub fn leaves(&self, id: Id) -> BTreeSet<Leaf> {
        self.members(self.bits(id))
    }

    /// Dependencies in which some leaves are replaced by the expressions that define them.
    pub fn through(&self, definition: &BTreeMap<Leaf, Vec<Id>>) -> TransitiveDependencies<'_> {
        let definition = self.leaves.iter().map(|leaf| {
            definition.get(leaf).map(|ids| {
                let mut all = vec![0; self.width];
                ids.iter().for_each(|&id| add(&mut all, self.bits(id)));
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
        let mut all: Bits = self.dependencies.bits(id).to_vec();
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
pub(crate) fn add(all: &mut [u64], more: &[u64]) {
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
