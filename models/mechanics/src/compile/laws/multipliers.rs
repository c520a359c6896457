//! What components ask for and only laws on accelerations know: reactions of relations, multipliers
//! of constraints, cut loads of rigid connections.

use crate::compile::ids::FlangeConstraintId;

/// The multiplier of a linear relation: at each flange the cut torque (or force) into the component
/// is the flange's coefficient times it. Known in laws on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction(pub(crate) FlangeConstraintId);

/// The multiplier of a constraint's residual: what the constraint does is this force (or torque)
/// times the rate at which the residual would grow. Known in laws on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiplier(pub(crate) Reaction);

/// What goes through a rigid connection of two frames. Known in laws on accelerations.
#[derive(Clone, Debug)]
pub struct CutReactions(pub(crate) Vec<Reaction>);
