//! What follows from the equations of a model, as expressions: initial values, roots, stages.

pub mod checks;
pub mod dependencies;
pub mod facts;
pub mod initial;
pub mod jumps;
pub mod leaf_kinds;
pub mod partial_derivatives;
pub mod roots;
pub mod stages;
