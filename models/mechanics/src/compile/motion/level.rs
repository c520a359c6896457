//! Positions or speeds.

/// Positions or speeds: what differs between two systems of the same form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Positions.
    Position,
    /// Speeds.
    Speed,
}
