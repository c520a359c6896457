//! Reactions of flange constraints, multipliers of constraints, and cut loads of rigid connections:
//! components request them, and laws on accelerations read them.

use crate::ids::FlangeConstraintId;

/// The multiplier of a flange constraint: at each flange the cut torque (or force) into the
/// component is the flange's coefficient times it. Known in laws on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction(#[doc(hidden)] pub FlangeConstraintId);

/// The multiplier of a constraint's residual. The power of the constraint is this force (or torque)
/// times the rate at which the residual would grow. It is known in laws on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiplier(#[doc(hidden)] pub Reaction);

/// The torque and the force that a rigid connection of two frames transmits. Known in laws on
/// accelerations.
#[derive(Clone, Debug)]
pub struct CutReactions(#[doc(hidden)] pub Vec<Reaction>);
