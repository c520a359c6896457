//! Expressions as data: a graph without duplicates, differentiation, systems of equations, values.

mod affine;
pub mod code;
mod comparison;
mod diff;
mod evaluate;
mod expression;
mod fold;
pub mod graph;
mod impact;
mod joined;
mod jump;
mod lookup;
mod ops;
mod solve;
mod table;

pub use affine::{Affine, LeafKind, affine};
pub use diff::{
    at_guesses, count_operations, depends_on, differentiate, leaves_of, leaves_of_ids, replace,
    substitute, substitute_ids, unconfirmed,
};
pub use evaluate::{Evaluation, NamedFailure, evaluate, evaluate_bool, evaluate_ids};
pub use expression::Expression;
pub use graph::{Id, Leaf, with_fresh_arena};
pub use impact::{ContactImpact, impulses};
pub use joined::{BlockSolutions, Joined, join_blocks};
pub use jump::{jumps_at, parts, switches};
pub use ops::{Bool, Ex, Key, select, select_bool};
pub use solve::{
    Factor, Path, PathInput, Root, checked_sign, jacobian, nested_block, newton, newton_assembly,
    newton_at, newton_projection, newton_with_sign, null_space, solve_linear, table_linear,
    while_closed, while_regular,
};
pub use table::{Contents, LookupTable};

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
