//! The program of a model.

use crate::info::Info;
use crate::tape::Tape;

/// The program of a model.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its declarations for the run time.
    pub info: &'static Info,
    /// Whether initial values depend on relations that in turn depend on them.
    pub modes_at_start: bool,
    /// Its code.
    pub tape: Tape,
}
