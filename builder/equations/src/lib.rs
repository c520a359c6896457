//! Equations as data: expressions, differentiation, structure, emission of straight-line Rust.

mod announce;
mod assemble;
mod by_hand;
mod code;
mod comparison;
mod declared;
mod describe;
pub mod description;
mod diff;
mod emit;
mod error;
mod evaluate;
mod fold;
mod graph;
mod impact;
mod info;
mod initial;
mod interpret;
mod joined;
mod layout;
mod model;
mod name;
mod ops;
mod ordered;
mod parts;
mod publish;
mod require;
mod solve;
mod statement;
mod structure;
mod table;
mod text;
mod unit;
mod variable;
mod verify;

pub use by_hand::ByHand;
pub use declared::{Declared, Discrete, RelationBuilder};
pub use description::Experiment;
pub use diff::{depends_on, differentiate, leaves_of, substitute, unconfirmed};
pub use emit::emit;
pub use error::Error;
pub use evaluate::{Failure, evaluate, evaluate_bool};
pub use graph::Leaf;
pub use impact::{Strike, impulses};
pub use interpret::{Interpreter, Next};
pub use joined::{Joined, join_blocks};
pub use kernels::initial_modes::{Infeasible, ModeSearch};
pub use kernels::limits::{Limits, Number};
pub use kernels::newton::{BlockKind, FailureKind};
pub use kernels::relations::{RelationKind, RelationSearch};
pub use kernels::rows::Shape;
pub use model::Model;
pub use ops::{Bool, Ex, Key, select, select_bool};
pub use ordered::Program;
pub use parts::{Anchor, Relation, Slopes};
pub use program::{Stage, Subject};
pub use solve::{Factor, jacobian, newton, newton_assembly, newton_at, solve_linear, table_linear};
pub use table::Table;
pub use text::{Language, compile_named};
pub use unit::same_unit;
pub use variable::Quantity;

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
