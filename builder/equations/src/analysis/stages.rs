//! The stage of every expression: the latest stage among the values that it depends on.

use expressions::code::Code;
use expressions::graph::{Id, Leaf, Node};
use program::Stage;

use crate::analysis::roots::Roots;

/// The stage of every node.
#[derive(Debug)]
pub(crate) struct Stages {
    of: Vec<Stage>,
    /// For each state, whether it is position-like.
    pub position: Vec<bool>,
}

impl Stages {
    pub fn of(code: &Code, roots: &Roots) -> Stages {
        let is_state = |&id: &Id| matches!(code.node(id), Node::Leaf(Leaf::State(_)));
        let position: Vec<bool> = roots.derivatives.iter().map(is_state).collect();
        let mut of: Vec<Stage> = Vec::with_capacity(code.node_count());
        for id in 0..code.node_count() as Id {
            let stage = match code.node(id) {
                Node::Leaf(Leaf::Time | Leaf::Delayed(..)) => Stage::Time,
                Node::Leaf(Leaf::Input(_)) => Stage::Dynamics,
                Node::Leaf(Leaf::State(i)) if position[*i as usize] => Stage::Position,
                Node::Leaf(Leaf::State(_)) => Stage::Velocity,
                Node::Leaf(Leaf::Pre(_) | Leaf::Relation(_) | Leaf::Initial) => Stage::Discrete,
                // The start of an iteration and its symbols do not determine the stage in which it
                // runs.
                _ => Stage::Parameter,
            };
            let mut highest = stage;
            code.for_each_operand(id, &mut |child| highest = highest.max(of[child as usize]));
            // Values computed from the last accepted point are out of date when this point changes.
            let mut anchored = false;
            code.for_each_operand(id, &mut |child| {
                anchored |= matches!(code.node(child), Node::Leaf(Leaf::Anchor(_)));
            });
            if anchored && !matches!(code.node(id), Node::Newton(_)) {
                highest = highest.max(Stage::Time);
            }
            of.push(highest);
        }
        Stages { of, position }
    }

    /// The latest stage among the residuals of the relations; the first stage without relations.
    pub fn of_relations(&self, roots: &Roots) -> Stage {
        roots.relations.iter().map(|&id| self.stage(id)).max().unwrap_or(Stage::Parameter)
    }

    pub fn stage(&self, id: Id) -> Stage {
        self.of[id as usize]
    }
}
