//! Loads the library of an FMU and calls its functions as an importer does.
#![allow(unsafe_code, reason = "it calls the C interface")]

pub mod in_process;
mod instance;
mod library;
mod log;
mod numbers;
mod printf;
mod probe;
pub mod process;
mod strings;

pub use instance::{
    CompletedStep, EventInfo, FmuState, Instance, UnknownStatus, take_unknown_statuses,
};
pub use library::{FmuLibrary, complete};
pub use log::{Callbacks, MAX_MESSAGES, Message, callbacks};
pub use probe::{ModelExchangeArray, Written};
