//! Bounds on the size of a program, and the messages when they are exceeded.

/// Maximum number of registers, of elements in each vector of an instance (which needs about 300
/// bytes for each element), and of elements in each list of a file. A drive train of 1000 inertias
/// needs 13 000, EngineV6 1300.
pub(crate) const MAX_VALUES: usize = 1 << 21;

/// Maximum number of continuous states: the integrator has several dense matrices with this number
/// of rows. A drive train of 1000 inertias has 2000.
pub(crate) const MAX_STATES: usize = 4096;

/// Maximum number of relations: the cost of the search for consistent ones grows with the square of
/// their number. A drive train of 1000 clutches has a few thousand.
pub(crate) const MAX_RELATIONS: usize = 1 << 16;

/// Maximum number of delays: an instruction that reads a history is compared with all of them.
pub(crate) const MAX_DELAYS: usize = 1 << 10;

/// Maximum number of operations of one evaluation of a function, which takes a few seconds. A drive
/// train of 1000 inertias needs 60 000 operations, a dense mass matrix of 1000 degrees of freedom
/// 330 million.
pub(crate) const MAX_OPERATIONS: u64 = 1 << 30;

/// Refuses an index that is not below `end`.
pub(crate) fn below(i: u32, end: usize, what: impl FnOnce() -> String) -> Result<(), String> {
    if (i as usize) < end { Ok(()) } else { Err(format!("{} {i} of {end}", what())) }
}

/// Refuses a number above `max`.
pub(crate) fn at_most(n: usize, max: usize, what: &str) -> Result<(), String> {
    if n <= max { Ok(()) } else { Err(format!("{n} {what} are more than the maximum, {max}")) }
}
