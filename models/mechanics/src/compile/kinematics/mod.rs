//! From the states to the motion of all coordinates and frames.

pub mod angles;
pub mod branches;
pub mod motion;
pub mod position_solve;
pub mod recursion;
pub mod state_variables;
