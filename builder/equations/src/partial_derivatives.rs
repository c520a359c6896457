//! Which partial derivatives change between events: those that depend on time, states, inputs or
//! the solution of a nonlinear block.
//!
//! Sums, differences, products, quotients, selections and linear systems are examined; the
//! derivatives of every other function change with its arguments.

use std::collections::BTreeSet;

use expressions::code::Code;
use expressions::graph::{Binary, Id, Leaf, Node, Unary};

use crate::dependencies::{Bits, Dependencies, add};

/// For every node, the leaves with respect to which its partial derivative may change between
/// events.
pub(crate) struct PartialDerivatives<'a> {
    dependencies: &'a Dependencies,
    /// Whether the value of each node changes between events.
    moves: Vec<bool>,
    /// The leaves of each node, one bit each.
    varying: Bits,
}

impl<'a> PartialDerivatives<'a> {
    pub fn of(code: &Code, dependencies: &'a Dependencies) -> PartialDerivatives<'a> {
        let nodes = code.node_count();
        let (moves, varying) = (vec![false; nodes], vec![0; nodes * dependencies.width]);
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
        let first = id as usize * self.dependencies.width;
        self.dependencies.members(&self.varying[first..first + self.dependencies.width])
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
            // Its derivative is that of its operands, combined with values that last.
            Node::Unary(Unary::Neg, _) | Node::Output(..) => self.add_of_operands(node, id),
            Node::Binary(Binary::Add | Binary::Sub, ..) => self.add_of_operands(node, id),
            Node::Binary(Binary::Mul, a, b) => {
                self.add_of_operands(node, id);
                // The derivative of each factor is multiplied by the other factor.
                for (factor, other) in [(a, b), (b, a)] {
                    if self.moves[other as usize] {
                        self.add_all(factor, id);
                    }
                }
            }
            Node::Binary(Binary::Div, _, divisor) if !moves(divisor) => {
                self.add_of_operands(node, id);
            }
            Node::Select(condition, ..) if !moves(condition) => self.add_of_operands(node, id),
            Node::LuSolve(factors, _) if !moves(factors) => self.add_of_operands(node, id),
            _ if self.any_moves(node) => self.add_all(id, id),
            _ => {}
        }
    }

    /// Adds the varying leaves of the operands to those of a node.
    fn add_of_operands(&mut self, node: &Node, id: Id) {
        let width = self.dependencies.width;
        let (before, here) = self.varying.split_at_mut(id as usize * width);
        node.for_each_child(&mut |child| {
            let first = child as usize * width;
            add(&mut here[..width], &before[first..first + width]);
        });
    }

    /// Adds all leaves on which a node depends to the varying ones of another node.
    fn add_all(&mut self, of: Id, id: Id) {
        let width = self.dependencies.width;
        let first = id as usize * width;
        add(&mut self.varying[first..first + width], self.dependencies.bits(of));
    }
}

/// Whether the value of a leaf lasts until the next event.
fn lasts(leaf: Leaf) -> bool {
    match leaf {
        Leaf::Parameter(_)
        | Leaf::Calculated(_)
        | Leaf::Pre(_)
        | Leaf::Relation(_)
        | Leaf::Initial => true,
        Leaf::Time | Leaf::State(_) | Leaf::Input(_) | Leaf::Anchor(_) | Leaf::Symbol(_) => false,
    }
}
