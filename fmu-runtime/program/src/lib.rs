//! The program of a model as data: what it works on, what the run time must know about it, and its
//! code as a tape that a machine runs.

mod by_hand;
#[cfg(feature = "file")]
mod check;
mod env;
#[cfg(feature = "file")]
mod file;
mod info;
mod machine;
mod tape;
mod vocabulary;

#[cfg(feature = "file")]
pub use check::{check, check_info};
pub use env::{Env, Solved, Update};
#[cfg(feature = "file")]
pub use file::{MAX_FILE, Refused, checksum, to_bytes};
pub use info::{
    Block, Data, Discrete, Fallible, Info, Relation, Requirement, Sizes, SolverParameters, State,
    Table, Variable,
};
pub use machine::{Results, Workspace};
pub use tape::{Body, Call, ContactRegisters, Instruction, Points, Register, Span, Tape};
pub use vocabulary::{Causality, Function, Initial, Source, Stage, Subject, Variability};

/// The folder with the sources of this crate, for who compiles them again.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The program of a model.
#[derive(Clone, Debug)]
pub struct Program {
    /// What the run time must know about it.
    pub info: &'static Info,
    /// Whether initial values depend on relations that depend on them.
    pub modes_at_start: bool,
    /// Its code.
    pub tape: Tape,
}
