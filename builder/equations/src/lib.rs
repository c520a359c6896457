//! Equations as data: expressions, differentiation, structure, emission of Rust.

mod analysis;
mod assemble;
mod compile;
mod emit;
mod entry;
mod layout;
mod model;
mod publication;
mod verify;
mod vocabulary;

pub use compile::Program;
pub use entry::hand_written::SystemDescription;
pub use entry::interpret::Interpreter;
pub use entry::text::Language;
pub use expressions::{
    BlockSolutions, Bool, ContactImpact, Evaluation, Ex, Expression, Factor, Key, Leaf, LeafKind,
    LookupTable, NamedFailure, Path, PathInput, affine, count_operations, depends_on,
    differentiate, evaluate, impulses, jacobian, join_blocks, leaves_of, nested_block, newton,
    newton_assembly, newton_at, newton_projection, null_space, replace, select, select_bool,
    solve_linear, substitute, table_linear, while_closed, while_regular, with_fresh_arena,
};
pub use kernels::initial_modes::{Infeasible, ModeSearch};
pub use kernels::limits::{Assigned, Limits, Number};
pub use kernels::names::similar;
pub use kernels::newton::{BlockKind, FailureKind};
pub use kernels::relations::{RelationKind, RelationSearch};
pub use kernels::rows::TableShape;
pub use model::Model;
pub use model::clock::{Clock, Ticks};
pub use model::declared::{DiscreteVariable, RelationBuilder, VariableBuilder};
pub use model::incremental::{Anchor, ClosedFormBlock, DeclaredRelation, Slopes};
pub use model::table::lookup_table;
pub use model::variable::{Booleans, START_PREFIX, StartsAs};
pub use program::{Stage, Subject};
pub use vocabulary::controller::ControllerNumber;
pub use vocabulary::delay::Delay;
pub use vocabulary::description::{self, Experiment};
pub use vocabulary::error::Error;
pub use vocabulary::name::is_c_identifier;
pub use vocabulary::schematic;
pub use vocabulary::unit::is_unit;

// What other crates of Coupler need, and authors of models do not.
#[doc(hidden)]
pub use emit::emit;
#[doc(hidden)]
pub use entry::text::compile_named;
#[doc(hidden)]
pub use expressions::unconfirmed;
#[doc(hidden)]
pub use program::{controller, controller_code, plain_data};
#[doc(hidden)]
pub use vocabulary::name::{array_of, reserved_in_openmodelica, same_in_openmodelica};

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
