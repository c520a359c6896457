//! Errors of a model: one sentence that names instances and values.

use std::fmt;

/// An error in the model text, found while it is turned into equations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A connection is wrong: a port is unconnected, connected twice, or not connected to the
    /// world.
    Connection(String),
    /// A parameter has a value that the component does not allow.
    Parameter(String),
    /// The structure of the mechanism is singular or contradictory.
    Structure(String),
    /// Initial conditions are contradictory or not sufficient.
    Initial(String),
    /// The equations have an error.
    Equations(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Connection(s)
            | Error::Parameter(s)
            | Error::Structure(s)
            | Error::Initial(s)
            | Error::Equations(s) => f.write_str(s),
        }
    }
}

impl std::error::Error for Error {}

impl From<equations::Error> for Error {
    fn from(e: equations::Error) -> Self {
        Error::Equations(e.to_string())
    }
}
