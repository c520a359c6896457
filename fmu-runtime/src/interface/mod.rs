//! The ways into the run time: the functions of C, and a simulation in this process.

#[doc(hidden)]
pub mod abi;
pub mod handles;
pub mod simulation;
