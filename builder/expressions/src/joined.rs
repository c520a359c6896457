//! Joins equations that contain the solutions of nonlinear blocks with the equations of the blocks.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::diff::{substitute_ids, with_solutions};
use crate::fold;
use crate::graph::{self, Id, NewtonBlock, Node};
use crate::ops::Ex;
use crate::solve::outputs;

/// A system without blocks that depend on its unknowns.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The residuals given, then those of the blocks.
    pub residuals: Vec<Ex>,
    /// The unknowns given, then those of the blocks.
    pub unknowns: Vec<Ex>,
    /// The guesses given, then the solutions of the blocks at these guesses.
    pub guesses: Vec<Ex>,
    /// The blocks, each with the number of its unknowns.
    pub blocks: Vec<(Id, usize)>,
}

impl Joined {
    /// The solutions of the blocks as parts of that of the system.
    pub fn solutions(&self, solution: &[Ex]) -> BlockSolutions {
        let own: usize = self.blocks.iter().map(|(_, length)| length).sum();
        let mut rest = &solution[solution.len() - own..];
        let parts = self.blocks.iter().map(|&(block, length)| {
            let (part, after) = rest.split_at(length);
            rest = after;
            (block, part.iter().map(|ex| ex.0).collect())
        });
        BlockSolutions(parts.collect())
    }
}

/// Solutions of nonlinear blocks that are known otherwise.
#[derive(Clone, Debug, Default)]
pub struct BlockSolutions(HashMap<Id, Vec<Id>>);

impl BlockSolutions {
    /// The roots with these solutions in place of those of the blocks.
    pub fn replace(&self, roots: &[Ex]) -> Vec<Ex> {
        let ids: Vec<Id> = roots.iter().map(|ex| ex.0).collect();
        let solved = |id: Id, _: &NewtonBlock| self.0.get(&id).cloned();
        with_solutions(&ids, &solved).into_iter().map(Ex).collect()
    }
}

/// Joins `residuals` with the blocks in them that depend on `unknowns` (leaves).
///
/// # Panics
/// If an unknown is not a leaf.
pub fn join_blocks(residuals: &[Ex], unknowns: &[Ex], guesses: &[Ex]) -> Joined {
    let at_guess: Vec<(Id, Id)> = unknowns.iter().zip(guesses).map(|(u, g)| (u.0, g.0)).collect();
    let mut joined = Joined {
        residuals: Vec::new(),
        unknowns: unknowns.to_vec(),
        guesses: guesses.to_vec(),
        blocks: Vec::new(),
    };
    let mut of_blocks = Vec::new();
    let mut depends: HashSet<Id> = unknowns.iter().map(|u| u.0).collect();
    let mut image: HashMap<Id, Id> = HashMap::default();
    let mut blocks: HashMap<Id, Vec<Ex>> = HashMap::default();
    let roots: Vec<Id> = residuals.iter().map(|g| g.0).collect();
    for id in graph::reachable(&roots) {
        let node = graph::node(id);
        let mut touched = false;
        node.for_each_child(&mut |child| touched |= depends.contains(&child));
        if !touched {
            image.insert(id, id);
            continue;
        }
        depends.insert(id);
        let new = match &node {
            Node::Newton(block) => {
                let own: Vec<Ex> = block.unknowns.iter().map(|_| Ex::symbol()).collect();
                let bound: Vec<(Id, Id)> =
                    block.unknowns.iter().zip(&own).map(|(&u, s)| (u, s.0)).collect();
                let inside: Vec<Id> = block.residuals.iter().map(|g| image[g]).collect();
                of_blocks.extend(substitute_ids(&inside, &bound).into_iter().map(Ex));
                let solution: Vec<Id> =
                    outputs(id, own.len()).into_iter().map(|solved| solved.0).collect();
                joined.guesses.extend(substitute_ids(&solution, &at_guess).into_iter().map(Ex));
                joined.unknowns.extend(&own);
                joined.blocks.push((id, own.len()));
                blocks.insert(id, own);
                id
            }
            // The last output is the sign of the determinant, which no residual contains.
            Node::Output(call, k) if blocks.contains_key(call) => {
                blocks[call].get(*k as usize).map_or(Ex::zero().0, |solved| solved.0)
            }
            _ => fold::rebuild(&node, |child| image.get(&child).copied().unwrap_or(child)),
        };
        image.insert(id, new);
    }
    joined.residuals.extend(roots.iter().map(|id| Ex(image[id])));
    joined.residuals.extend(of_blocks);
    joined
}
