//! Which partial derivatives change between events: those that depend on time, states, inputs or
//! the solution of a nonlinear block.
//!
//! Sums, differences, products, quotients, selections and linear systems are examined; the
//! derivatives of every other function change with its arguments.

use std::collections::BTreeSet;

use expressions::code::Code;
use expressions::graph::{Binary, Id, Leaf, Node, Unary};

use crate::analysis::dependencies::{Dependencies, LeafSets};

/// For every node, the leaves with respect to which its partial derivative may change between
/// events.
pub(crate) struct PartialDerivatives<'a> {
    dependencies: &'a Dependencies,
    /// Whether the value of each node changes between events.
    moves: Vec<bool>,
    varying: LeafSets,
}

impl<'a> PartialDerivatives<'a> {
    pub fn of(code: &Code, dependencies: &'a Dependencies) -> PartialDerivatives<'a> {
        let nodes = code.node_count();
        let (moves, varying) = (vec![false; nodes], dependencies.empty_sets(code));
        let mut all = PartialDerivatives { dependencies, moves, varying };
        for id in 0..nodes as Id {
            // Operands have smaller numbers.
            let node = code.node(id);
            all.moves[id as usize] = match node {
                Node::Leaf(leaf) => !lasts(*leaf),
                // The last bits of a solution depend on where the iteration began.
                Node::Newton(_) => true,
                _ => all.any_moves(node),
            };
            all.add_varying(node, id);
        }
        all
    }

    /// The leaves with respect to which the partial derivative of a node may change.
    pub fn varying(&self, id: Id) -> BTreeSet<Leaf> {
        self.dependencies.leaves_in(&self.varying, id)
    }

    /// Whether the value of an operand changes.
    fn any_moves(&self, node: &Node) -> bool {
        let mut any = false;
        node.for_each_child(&mut |child| any |= self.moves[child as usize]);
        any
    }

    fn add_varying(&mut self, node: &Node, id: Id) {
        let moves = |id: Id| self.moves[id as usize];
        match *node {
            // The derivative is a combination of the operands' derivatives, with coefficients that
            // last.
            Node::Unary(Unary::Neg, _) | Node::Output(..) => self.add_of_operands(node, id),
            Node::Binary(Binary::Add | Binary::Sub, ..) => self.add_of_operands(node, id),
            Node::Binary(Binary::Mul, a, b) => {
                self.add_of_operands(node, id);
                // The derivative of each factor is multiplied by the other factor.
                for (factor, other) in [(a, b), (b, a)] {
                    if self.moves[other as usize] {
                        self.varying.add(id, self.dependencies.sets(), factor);
                    }
                }
            }
            Node::Binary(Binary::Div, _, divisor) if !moves(divisor) => {
                self.add_of_operands(node, id);
            }
            Node::Select(condition, ..) if !moves(condition) => self.add_of_operands(node, id),
            Node::LuSolve(factors, _) if !moves(factors) => self.add_of_operands(node, id),
            _ if self.any_moves(node) => self.varying.add(id, self.dependencies.sets(), id),
            _ => {}
        }
    }

    /// Adds the varying leaves of the operands to those of a node.
    fn add_of_operands(&mut self, node: &Node, id: Id) {
        node.for_each_child(&mut |child| self.varying.add_operand(id, child));
    }
}

/// Whether the value of a leaf lasts until the next event.
pub(crate) fn lasts(leaf: Leaf) -> bool {
    match leaf {
        Leaf::Parameter(_)
        | Leaf::Calculated(_)
        | Leaf::Pre(_)
        | Leaf::Relation(_)
        | Leaf::Initial => true,
        Leaf::Time | Leaf::State(_) | Leaf::Input(_) | Leaf::Anchor(_) | Leaf::Symbol(_) => false,
        Leaf::Delayed(..) => false,
    }
}
