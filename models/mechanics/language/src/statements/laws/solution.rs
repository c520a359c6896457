//! The solved equations of motion.

use super::friction_element::FrictionState;
use crate::ids::{FlangeConstraintId, FrictionId, List, VariableId};
use equations::Ex;
use std::collections::BTreeMap;

/// The solved equations of motion.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// Accelerations of the independent coordinates.
    pub accelerations: BTreeMap<VariableId, Ex>,
    /// The friction elements.
    pub friction: List<FrictionId, FrictionState>,
    /// The requested multipliers of flange constraints.
    pub reactions: BTreeMap<FlangeConstraintId, Ex>,
    /// What a unit of impulse along each row that impacts need changes the independent speeds.
    pub responses: Vec<BTreeMap<VariableId, Ex>>,
}
