//! Structural dependencies: which leaves every expression of a code depends on.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::Code;
use crate::graph::{Id, Leaf, Node};

/// For every node the set of leaves on which it depends, through nonlinear blocks.
///
/// Anchors are left out: where an iteration starts does not matter for what it finds. So are the
/// unknowns of a block outside of it.
#[derive(Debug)]
pub(crate) struct Dependencies {
    leaves: Vec<Leaf>,
    /// Words per node.
    width: usize,
    words: Vec<u64>,
}

impl Dependencies {
    pub fn of(code: &Code) -> Dependencies {
        let wanted: Vec<(Id, Leaf)> =
            code.leaves().filter(|(_, leaf)| !matches!(leaf, Leaf::Anchor(_))).collect();
        let numbers: BTreeMap<Id, usize> =
            wanted.iter().enumerate().map(|(number, (id, _))| (*id, number)).collect();
        let leaves: Vec<Leaf> = wanted.iter().map(|(_, leaf)| *leaf).collect();
        let width = leaves.len().div_ceil(64);
        let mut words = vec![0; width * code.len()];
        for id in 0..code.len() as Id {
            // Operands have smaller numbers.
            let (before, here) = words.split_at_mut(id as usize * width);
            let here = &mut here[..width];
            if let Some(number) = numbers.get(&id) {
                here[number / 64] |= 1 << (number % 64);
            }
            code.node(id).for_each_child(|child| {
                let first = child as usize * width;
                for (a, b) in here.iter_mut().zip(&before[first..first + width]) {
                    *a |= b;
                }
            });
            if let Node::Newton(block) = code.node(id) {
                for number in block.unknowns.iter().filter_map(|unknown| numbers.get(unknown)) {
                    here[number / 64] &= !(1 << (number % 64));
                }
            }
        }
        Dependencies { leaves, width, words }
    }

    /// The leaves on which a node depends.
    pub fn leaves(&self, id: Id) -> BTreeSet<Leaf> {
        let first = id as usize * self.width;
        let words = &self.words[first..first + self.width];
        let has = |number: &usize| words[number / 64] >> (number % 64) & 1 == 1;
        (0..self.leaves.len()).filter(has).map(|number| self.leaves[number]).collect()
    }

    /// The leaves on which a node depends if some leaves stand for what `meaning` gives.
    pub fn closure(&self, id: Id, meaning: &BTreeMap<Leaf, Vec<Id>>) -> BTreeSet<Leaf> {
        let mut all = BTreeSet::new();
        let mut new: Vec<Leaf> = self.leaves(id).into_iter().collect();
        while let Some(leaf) = new.pop() {
            if all.insert(leaf) {
                for &id in meaning.get(&leaf).into_iter().flatten() {
                    new.extend(self.leaves(id).difference(&all));
                }
            }
        }
        all
    }
}
