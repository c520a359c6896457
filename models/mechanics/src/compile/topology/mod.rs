//! From contributions to the topology: tree, cuts, and the closed loops.

pub mod approach;
pub mod checks;
pub mod closed_form;
pub mod closure;
pub mod flange_relations;
pub mod loops;
pub mod plan;
pub mod redundant;
pub mod symbols;
pub mod tree;
pub mod unclosed;
