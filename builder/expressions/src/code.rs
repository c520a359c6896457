//! A closed set of expressions, copied from the arena and renumbered in the order of computation.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap as HashMap;

use crate::graph::{Id, Leaf, NewtonBlock, Node, post_order, reachable, with_nodes};
use crate::table::LookupTable;

/// Expressions with the analysis of their nonlinear blocks.
///
/// Numbers ascend in the order of computation, and equal model texts give equal numbers.
#[derive(Clone, Debug, Default)]
pub struct Code {
    nodes: Vec<Node>,
    bodies: BTreeMap<Id, Body>,
    /// The tables in use, in the order of first use.
    tables: Vec<LookupTable>,
}

/// The expressions that are computed in every iteration of a nonlinear block.
#[derive(Clone, Debug)]
pub struct Body {
    /// Values from outside that the body reads, other than constants.
    pub captures: Vec<Id>,
    /// The unknowns, and then the expressions that depend on them, in the order of computation.
    pub order: Vec<Id>,
}

impl Code {
    /// Copies the expressions that `roots` need; also returns the new numbers of the roots.
    pub fn extract(roots: &[Id]) -> (Code, Vec<Id>) {
        let order = reachable(roots);
        let new: HashMap<Id, Id> =
            order.iter().enumerate().map(|(number, &id)| (id, number as Id)).collect();
        let nodes: Vec<Node> = with_nodes(|nodes| {
            order.iter().map(|&id| nodes[id as usize].with_children(|child| new[&child])).collect()
        });
        let mut code = Code { nodes, ..Code::default() };
        for id in 0..code.nodes.len() as Id {
            if let Some(table) = code.nodes[id as usize].table()
                && !code.tables.contains(table)
            {
                let table = table.clone();
                code.tables.push(table);
            }
            if let Node::Newton(block) = &code.nodes[id as usize] {
                let body = code.body(block);
                code.bodies.insert(id, body);
            }
        }
        (code, roots.iter().map(|id| new[id]).collect())
    }

    /// The number of expressions.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The expression with a number.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// The tables in use.
    pub fn tables(&self) -> &[LookupTable] {
        &self.tables
    }

    /// The number of a table in use.
    pub fn number_of(&self, table: &LookupTable) -> usize {
        let found = self.tables.iter().position(|known| known == table);
        found.expect("tables are listed when code is extracted")
    }

    /// The nonlinear blocks: their nodes in the order of computation.
    pub fn blocks(&self) -> impl Iterator<Item = (Id, &NewtonBlock, &Body)> {
        self.bodies.iter().map(|(&id, body)| match self.node(id) {
            Node::Newton(block) => (id, &**block, body),
            _ => unreachable!("only blocks have bodies"),
        })
    }

    /// The expressions that are computed in every iteration of a nonlinear block.
    pub fn body_of(&self, id: Id) -> &Body {
        &self.bodies[&id]
    }

    /// The statement that computes a value.
    pub fn statement_of(&self, id: Id) -> Id {
        match self.node(id) {
            Node::Output(call, _) => *call,
            _ => id,
        }
    }

    /// The number of elements of a stored value. A factorization has the elements of its factors,
    /// the pivots and the determinant.
    pub fn width(&self, id: Id) -> u32 {
        match self.node(id) {
            Node::Lu(_, n) => n * n + n + 1,
            _ => 1,
        }
    }

    /// Whether the iterations of a nonlinear block read tables.
    pub fn body_reads_tables(&self, id: Id) -> bool {
        self.body_of(id).order.iter().any(|&id| self.node(id).table().is_some())
    }

    fn body(&self, block: &NewtonBlock) -> Body {
        let mut roots: Vec<Id> = block.step.to_vec();
        roots.extend([block.determinant, block.residual]);
        // A block inside this block needs only the values from outside it. The inner block computes
        // its own unknowns, even if these are the same symbols as the unknowns of this block.
        let all = post_order(&self.nodes, &roots, &|id, _, push| self.for_each_operand(id, push));
        let mut varies: HashMap<Id, bool> =
            block.unknowns.iter().map(|&unknown| (unknown, true)).collect();
        let mut order = block.unknowns.to_vec();
        let mut captures = Vec::new();
        let mut capture = |id: Id| {
            let constant = matches!(self.node(id), Node::Constant(_) | Node::Truth(_));
            if !constant && !captures.contains(&id) {
                captures.push(id);
            }
        };
        for &id in &all {
            if varies.contains_key(&id) {
                continue;
            }
            let mut moves = false;
            self.for_each_operand(id, &mut |child| moves |= varies[&child]);
            varies.insert(id, moves);
            if !moves {
                continue;
            }
            self.for_each_operand(id, &mut |child| {
                if varies[&child] {
                    return;
                }
                // A factorization is not a single value, so the body computes its own.
                if matches!(self.node(child), Node::Lu(..)) {
                    if !order.contains(&child) {
                        order.push(child);
                        self.for_each_operand(child, &mut capture);
                    }
                } else {
                    capture(child);
                }
            });
            order.push(id);
        }
        roots.into_iter().filter(|root| !varies[root]).for_each(capture);
        Body { captures, order }
    }

    /// Calls `f` with the nodes that must be computed before a node: with the children of the node
    /// or, for a nonlinear block, with the values that its iterations read from outside.
    pub fn for_each_operand(&self, id: Id, f: &mut dyn FnMut(Id)) {
        match (self.node(id), self.bodies.get(&id)) {
            (Node::Newton(block), Some(body)) => {
                block.guesses.iter().copied().for_each(&mut *f);
                f(block.sign);
                body.captures.iter().copied().for_each(f);
            }
            (node, _) => node.for_each_child(f),
        }
    }

    /// The expressions that `roots` need, operands first, without those that are `known`.
    pub fn order(&self, roots: &[Id], known: &dyn Fn(Id) -> bool) -> Vec<Id> {
        let roots: Vec<Id> = roots.iter().copied().filter(|&id| !known(id)).collect();
        let all = post_order(&self.nodes, &roots, &|id, _, push| {
            self.for_each_operand(id, &mut |child| {
                if !known(child) {
                    push(child);
                }
            });
        });
        all.into_iter().filter(|&id| !self.node(id).is_given()).collect()
    }

    /// All leaves, with their nodes.
    pub fn leaves(&self) -> impl Iterator<Item = (Id, Leaf)> {
        self.nodes.iter().enumerate().filter_map(|(id, node)| match node {
            Node::Leaf(leaf) => Some((id as Id, *leaf)),
            _ => None,
        })
    }
}
