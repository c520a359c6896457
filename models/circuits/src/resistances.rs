//! The choice of unknowns of resistances: a voltage or a current.
//!
//! The law of a resistance can give the voltage as a multiple of the current, or the current as a
//! multiple of the voltage. The small ones of each loop should do the former: potentials that
//! differ by little are no good unknowns, because nothing would be left of the difference. These
//! are the branches of a tree that prefers given voltages, then small resistances.

use equations::Ex;
use language::statements::algebra::linear_equation::{Equation, Unknown, varies};
use language::statements::algebra::numeric::Numeric;
use std::collections::BTreeMap;

/// A branch with its law and the numbers of the unknowns at its ends (`None` is the ground).
pub struct Branch<'a> {
    /// Its law.
    pub law: &'a mut Equation,
    /// Its current.
    pub current: Unknown,
    /// Its potentials.
    pub ends: [Option<Unknown>; 2],
}

impl Branch<'_> {
    /// The factor of the current if the law is that of a constant resistance.
    fn resistance(&self) -> Option<Ex> {
        let own = |unknown| unknown == self.current || self.ends.contains(&Some(unknown));
        let is_linear = self.law.nonlinear.is_empty() && self.law.unknowns().into_iter().all(own);
        let factor = *self.law.factors.get(&self.current)?;
        let is_number = factor.constant_value().is_some();
        (is_linear && self.gives_voltage() && !is_number && !varies(factor)).then_some(factor)
    }

    /// Whether its law can be solved for its voltage.
    fn gives_voltage(&self) -> bool {
        let is_number = |end: &Unknown| {
            self.law.factors.get(end).is_some_and(|factor| factor.constant_value().is_some())
        };
        self.ends.iter().flatten().any(is_number)
    }
}

/// Solves the laws of all resistances for their currents that are not the smallest ones.
pub fn choose_unknowns(mut branches: Vec<Branch<'_>>, numeric: &Numeric) {
    let size = |branch: &Branch<'_>| branch.resistance().map(|of| numeric.one(of).abs());
    let mut order: Vec<(f64, usize)> = branches
        .iter()
        .enumerate()
        .filter(|(_, branch)| branch.gives_voltage())
        .map(|(k, branch)| (size(branch).unwrap_or(-1.0), k))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut tree = Tree::default();
    for (_, k) in order {
        let joins = tree.join(branches[k].ends);
        if !joins && branches[k].resistance().is_some() {
            let current = branches[k].current;
            *branches[k].law = branches[k].law.clone().divided_by_factor_of(current);
        }
    }
}

/// Nodes that branches join without loops.
#[derive(Default)]
struct Tree(BTreeMap<Option<Unknown>, Option<Unknown>>);

impl Tree {
    fn root(&self, mut node: Option<Unknown>) -> Option<Unknown> {
        while let Some(&next) = self.0.get(&node) {
            node = next;
        }
        node
    }

    /// Adds a branch, unless it would close a loop.
    fn join(&mut self, ends: [Option<Unknown>; 2]) -> bool {
        let [a, b] = ends.map(|end| self.root(end));
        if a != b {
            self.0.insert(a, b);
        }
        a != b
    }
}
