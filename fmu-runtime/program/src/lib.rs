//! The program of a model as data: its declarations for the run time, and its code as a tape of
//! register instructions that an interpreter executes.

#[cfg(feature = "file")]
mod bounds;
#[cfg(feature = "file")]
mod check;
mod constructors;
pub mod controller;
#[cfg(feature = "file")]
mod encoding;
mod env;
mod info;
mod interpreter;
mod program;
mod solver_count;
mod tape;
#[cfg(feature = "file")]
mod tape_file;
mod vocabulary;

#[cfg(feature = "file")]
pub use check::{check, check_info};
pub use env::{Env, OwnedEnv, Solved, Update};
pub use info::{
    AffineResidual, Assertion, Block, Controller, Data, Delay, Discrete, Fallible, Info, Relation,
    Requirement, Sizes, SolverParameters, State, Table, Variable, place_of_history,
};
pub use interpreter::{Results, Workspace};
pub use program::Program;
pub use solver_count::SolverCount;
pub use tape::{Body, Call, ContactRegisters, Instruction, Points, Register, Span, Tape};
#[cfg(feature = "file")]
pub use tape_file::{MAX_FILE, ReadError, checksum, to_bytes};
pub use vocabulary::{Base, Causality, Function, Initial, Source, Stage, Subject, Variability};

/// The folder with the sources of this crate, for those who compile them again.
pub const FOLDER: &str = kernels::folder!();
