//! The mistakes that a model can contain, each with a message.

use std::fmt;

/// The reason why a model cannot be compiled, with a message that names the variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A name is illegal or used twice.
    Name(String),
    /// A unit is not known.
    Unit(String),
    /// A definition is missing, given twice, or of the wrong kind.
    Definition(String),
    /// Definitions depend on each other in a cycle.
    Cycle(String),
    /// Initial values could not be computed.
    Value(String),
    /// A file could not be read or written.
    File(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Error::Name(text)
        | Error::Unit(text)
        | Error::Definition(text)
        | Error::Cycle(text)
        | Error::Value(text)
        | Error::File(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for Error {}
