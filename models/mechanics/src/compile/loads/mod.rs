//! From the laws to what acts: forces, torques, and the mass matrix.

pub mod gravity;
pub mod mass_matrix;
pub mod support_reaction;
