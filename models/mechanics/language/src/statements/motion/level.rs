//! Positions or speeds.

/// The level of a system of equations: positions or speeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Positions.
    Position,
    /// Speeds.
    Speed,
}
