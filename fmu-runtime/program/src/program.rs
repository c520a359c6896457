//! The program of a model.

use crate::info::Info;
use crate::tape::Tape;

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
