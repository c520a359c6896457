//! What can be wrong with a model: one sentence that names instances and values.

use std::fmt;

/// A fault of the model text, found while it is turned into equations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The connections are wrong: something is unconnected, connected twice, or out of reach.
    Connection(String),
    /// A parameter has a value that the component cannot have.
    Parameter(String),
    /// The structure of the mechanism is singular or contradicts itself.
    Structure(String),
    /// Initial values conflict or do not suffice.
    Initial(String),
    /// The equations were refused.
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
