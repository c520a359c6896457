//! Connected parts of circuits, which jump on their own.

use language::ids::{BranchId, Id};
use language::statements::algebra::graph_search::components;
use language::statements::contributions::Structure;
use std::collections::BTreeMap;

/// The parts of all circuits: branches belong together that share a node besides the ground, or a
/// component.
pub struct Parts {
    /// The part of each branch.
    of_branches: Vec<usize>,
    /// The parts with ideal switches, with the name of the first component that has one.
    pub ideal: BTreeMap<usize, String>,
}

impl Parts {
    /// The parts of the circuits of a model.
    pub fn new(structure: &Structure) -> Parts {
        let circuits = &structure.circuits;
        let (mut at_nodes, mut of_components) = (BTreeMap::new(), BTreeMap::new());
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (k, branch) in circuits.branches.iter().enumerate() {
            pairs.push((*of_components.entry(branch.component).or_insert(k), k));
            let free = branch.ends.iter().filter(|end| !circuits.grounds.contains(&end.node));
            for end in free {
                pairs.push((*at_nodes.entry(end.node).or_insert(k), k));
            }
        }
        let branches: Vec<usize> = circuits.branches.iter().enumerate().map(|(k, _)| k).collect();
        let mut of_branches = vec![0; branches.len()];
        for (part, inside) in components(&branches, pairs.into_iter()).into_iter().enumerate() {
            inside.into_iter().for_each(|branch| of_branches[branch] = part);
        }
        let mut ideal = BTreeMap::new();
        for component in &circuits.ideal {
            if let Some(branch) = of_components.get(component) {
                let name = || structure.names[*component].clone();
                ideal.entry(of_branches[*branch]).or_insert_with(name);
            }
        }
        Parts { of_branches, ideal }
    }

    /// The part of a branch.
    pub fn of(&self, branch: BranchId) -> usize {
        self.of_branches[branch.index()]
    }
}
