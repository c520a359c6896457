//! Equations as data: expressions, differentiation, structure, emission of Rust.

mod affine;
mod announce;
mod assemble;
mod compile;
mod declared;
mod definitions;
mod dependencies;
mod describe;
pub mod description;
mod emit;
mod error;
mod facts;
mod guid;
mod hand_written;
mod incremental;
mod indicators;
mod info;
mod initial;
mod interpret;
mod jumps;
mod layout;
mod model;
mod name;
pub mod netlist;
mod partial_derivatives;
mod publish;
mod require;
mod rolling;
mod roots;
mod stages;
mod statement;
mod table;
mod text;
mod unit;
mod variable;
mod verify;

pub use compile::Program;
pub use declared::{Declared, Discrete, RelationBuilder};
pub use description::Experiment;
pub use emit::emit;
pub use error::Error;
pub use expressions::{
    BlockSolutions, Bool, ContactImpact, Evaluation, Ex, Factor, Failure, Joined, Key, Leaf, Path,
    PathInput, Quantity, RowSpace, Table, count_operations, depends_on, differentiate, evaluate,
    evaluate_bool, impulses, jacobian, join_blocks, leaves_of, newton, newton_assembly, newton_at,
    newton_projection, null_space, select, select_bool, solve_linear, substitute, table_linear,
    unconfirmed, while_closed, while_regular,
};
pub use hand_written::SystemDescription;
pub use incremental::{Anchor, ClosedLoop, Relation, Slopes};
pub use interpret::{EventUpdate, Interpreter};
pub use kernels::initial_modes::{Infeasible, ModeSearch};
pub use kernels::limits::{Limits, Number};
pub use kernels::newton::{BlockKind, FailureKind};
pub use kernels::relations::{RelationKind, RelationSearch};
pub use kernels::rows::Shape;
pub use model::Model;
pub use name::{reserved_in_openmodelica, same_in_openmodelica};
pub use program::{Stage, Subject};
pub use text::{Language, compile_named};
pub use variable::{Booleans, START_PREFIX, Starts};

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
