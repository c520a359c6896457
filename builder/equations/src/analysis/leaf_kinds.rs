//! The leaves of a model that change between events, and those that importers may tune.

use std::collections::BTreeSet;

use expressions::graph::Leaf;
use program::Causality;

use crate::model::Model;
use crate::model::variable::VariableDeclaration;

/// The leaves of a model that are discrete inputs and tunable parameters.
#[derive(Debug)]
pub(crate) struct LeafKinds {
    pub discrete_inputs: BTreeSet<Leaf>,
    pub tunable: BTreeSet<Leaf>,
}

impl LeafKinds {
    pub fn of(model: &Model) -> LeafKinds {
        let leaves = |wanted: fn(&VariableDeclaration) -> bool| -> BTreeSet<Leaf> {
            let chosen = model.variables.iter().filter(|v| wanted(v));
            chosen.filter_map(VariableDeclaration::leaf).collect()
        };
        LeafKinds {
            discrete_inputs: leaves(|v| v.causality == Causality::Input && v.discrete),
            tunable: leaves(|v| {
                v.tunable
                    && matches!(v.causality, Causality::Parameter | Causality::CalculatedParameter)
            }),
        }
    }

    /// Whether a leaf changes between events.
    pub fn is_continuous(&self, leaf: &Leaf) -> bool {
        match leaf {
            Leaf::Time | Leaf::State(_) | Leaf::Delayed(..) => true,
            Leaf::Input(_) => !self.discrete_inputs.contains(leaf),
            _ => false,
        }
    }
}
