//! Delays as data.

use expressions::Ex;

/// A delayed signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay(pub(crate) u32);

/// What is delayed, and by what time.
#[derive(Debug)]
pub(crate) struct DelayEquation {
    pub name: String,
    /// The delay time in s.
    pub time: Ex,
    /// The signal, once it is given.
    pub signal: Option<Ex>,
    /// The signal during initialization, which is a calculated value.
    pub start: u32,
    /// The number of records of its history.
    pub capacity: u32,
    /// Whether the author of the model chooses this number.
    pub is_chosen: bool,
}
